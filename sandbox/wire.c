/*
 * Names what failed inside: the outside holds the same plan, so a number is enough. Runs in the judge.
 */
#include "sandbox/wire.h"

#include "base/array.h"
#include "sandbox/outcome.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *what;	/* "cannot …" */
	const char *cure;	/* or NULL */
} step_rows[STEP_COUNT] = {
	[STEP_CLOSE_FDS] = { "close the judge's descriptors inside the box", NULL },
	[STEP_JOIN_CGROUP] = { "move the box into its cgroup",
			       "the cgroup was removed or is not delegated to you: try --cgroup none, "
			       "or see judge run --help, --cgroup" },
	[STEP_CGROUP_NAMESPACE] = { "make the box's cgroup namespace", NULL },
	[STEP_SETGROUPS] = { "write /proc/self/setgroups", "is /proc mounted, and not read-only?" },
	[STEP_GID_MAP] = { "map the box's group in its user namespace", NULL },
	[STEP_UID_MAP] = { "map the box's user in its user namespace", NULL },
	[STEP_SWITCH_IDS] = { "become the box's user", NULL },
	[STEP_DIE_WITH_JUDGE] = { "tie the box's life to the judge's", NULL },
	[STEP_SESSION] = { "start a session of the box's own", NULL },
	[STEP_HOSTNAME] = { "set the box's host name", NULL },
	[STEP_LOOPBACK] = { "bring the box's loopback up", NULL },
	[STEP_NO_NESTING] = { "forbid user namespaces inside the box", NULL },
	[STEP_PRIVATE_MOUNTS] = { "make the box's mounts private", NULL },
	[STEP_STDIN_MOUNT] = { "make a read-only mount of the input file", NULL },
	[STEP_STDIN_OPEN] = { "open the input file inside the box", NULL },
	[STEP_STDIN_CHANGED] = { "use the input file: another file took its place meanwhile", NULL },
	[STEP_ROOT_TMPFS] = { "mount the box's root (tmpfs)", NULL },
	[STEP_PIVOT] = { "change to the box's root", NULL },
	[STEP_ROOT_OP] = { "build the box's root", NULL },
	[STEP_DETACH] = { "leave the host's file tree", NULL },
	[STEP_SEAL] = { "make the box's root read-only", NULL },
	[STEP_BOX_FOLDER] = { "hand out the box's folder", NULL },
	[STEP_TIME_OFFSETS] = { "set the box's clock offsets", NULL },
	[STEP_NOT_DUMPABLE] = { "protect the box's init", NULL },
	[STEP_SECUREBITS] = { "lock the securebits", NULL },
	[STEP_BOUNDING_SET] = { "empty the capability bounding set", NULL },
	[STEP_CAPABILITIES] = { "drop all capabilities", NULL },
	[STEP_NO_NEW_PRIVS] = { "forbid new privileges", NULL },
	[STEP_FORK] = { "start the program's process", "the limit --processes, or the system's, is reached" },
	[STEP_RLIMIT] = { "set a resource limit", NULL },
	[STEP_STDIO] = { "connect the program's streams", NULL },
	[STEP_CHDIR] = { "change to the program's folder", NULL },
	[STEP_AFFINITY] = { "bind the box to its CPUs", NULL },
	[STEP_LANDLOCK] = { "restrict the program's file access by Landlock", NULL },
	[STEP_FILTER] = { "load the system call filter",
			  "the kernel must have CONFIG_SECCOMP_FILTER; --policy none runs without" },
	[STEP_EXEC] = { "execute the program", NULL },
	[STEP_WAIT] = { "wait for the program", NULL },
};

static const char proc_cure[] =
	"this happens where the host's own /proc is covered in parts, as in containers: run the "
	"container with an unmasked /proc (docker: --security-opt systempaths=unconfined; podman: "
	"--security-opt unmask=ALL)";

static int explain_root_op(const struct root_op *op, int number, struct err *e)
{
	switch (op->kind) {
	case ROOT_BIND:
		return fail(e, number, "cannot bind the host's %s as /%s in the box", op->source, op->path);
	case ROOT_REMOUNT:
		return fail(e, number, "cannot make /%s in the box read-only", op->path);
	case ROOT_PROC:
		fail(e, number, "cannot mount proc in the box");
		return number == EPERM ? fail_cure(e, "%s", proc_cure) : -1;
	case ROOT_COPY:
		return fail(e, number, "cannot put /%s into the box", op->path);
	case ROOT_DIR:
	case ROOT_TEXT:
	case ROOT_LINK:
	case ROOT_NODE:
	case ROOT_WRITABLE:
		break;
	}
	return fail(e, number, "cannot make /%s in the box", op->path);
}

static const char *object_of(const struct plan *p, const struct wire_record *r)
{
	switch (r->step) {
	case STEP_STDIN_MOUNT:
	case STEP_STDIN_OPEN:
	case STEP_STDIN_CHANGED:
		return p->in.path;
	case STEP_ROOT_TMPFS:
		return p->root_base;
	case STEP_EXEC:
		return p->program;
	default:
		return NULL;
	}
}

int wire_explain(const struct plan *p, const struct wire_record *r, struct err *e)
{
	if (r->step >= STEP_COUNT)
		return fail(e, EPROTO, "cannot understand what the box says");
	if (r->step == STEP_ROOT_OP && r->item < p->root.count)
		return explain_root_op(&p->root.ops[r->item], r->number, e);

	if (r->step == STEP_FILTER && p->request->learn) {
		fail(e, r->number, "cannot listen to the program's calls");
		return fail_cure(e, "that takes Linux 5.5, and a judge that is not in a box itself");
	}
	if (r->step == STEP_CHDIR)
		return fail_usage(e, "--chdir %s: %s in the box", p->chdir, strerror(r->number));

	const char *object = object_of(p, r);

	fail(e, r->number, "cannot %s%s%s", step_rows[r->step].what, object ? ": " : "",
	     object ? object : "");
	if (step_rows[r->step].cure)
		return fail_cure(e, "%s", step_rows[r->step].cure);
	return -1;
}
