/*
 * Which paths the program may read, write and execute. Runs in the judge, before the clone.
 *
 * Everything in the box may be read; what is writable may be written; devices may be written to and asked.
 * Executed may be the machine's programs and what lies in the box's own folders; with a rule of who may be
 * executed (--exec-allow, or a policy that says `exec program`) only the program, its loader or interpreter, and
 * what --exec-allow names with theirs.
 */
#include "sandbox/plan_parts.h"

#include "base/array.h"
#include "base/sys.h"
#include "sandbox/program_file.h"

#include <string.h>
#include <sys/stat.h>

/* Rights of linux/landlock.h by name, since older headers lack some. */
#define EXECUTE (1ULL << 0)
#define WRITE_FILE (1ULL << 1)
#define READ_FILE (1ULL << 2)
#define READ_DIR (1ULL << 3)
#define TRUNCATE (1ULL << 14)
#define IOCTL_DEV (1ULL << 15)
#define ABI_1_RIGHTS ((1ULL << 13) - 1)
#define REFER (1ULL << 13)

#define READ (READ_FILE | READ_DIR)
#define OF_FILE (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)
#define TCP 3ULL		/* bind and connect */
#define SCOPES 3ULL		/* abstract sockets and signals */

/* What each ABI added, landlock(7), table "Landlock features". */
static const struct {
	int abi;
	uint64_t fs, net, scoped;
} additions[] = {
	{ 1, ABI_1_RIGHTS, 0, 0 }, { 2, REFER, 0, 0 },	{ 3, TRUNCATE, 0, 0 },
	{ 4, 0, TCP, 0 },	   { 5, IOCTL_DEV, 0, 0 }, { 6, 0, 0, SCOPES },
};

static void add(struct plan *p, size_t *capacity, const char *path, uint64_t allowed)
{
	struct landlock *l = &p->landlock;
	struct landlock_rule *rule =
		arena_grow(&p->arena, (void **)&l->rules, capacity, l->count, sizeof(*rule));

	*rule = (struct landlock_rule){ path, allowed & l->ruleset.handled_fs };
	l->count++;
}

static uint64_t everything(const struct plan *p)
{
	return p->landlock.ruleset.handled_fs & ~(IOCTL_DEV | (p->exec_program ? EXECUTE : 0));
}

static bool is_writable(const struct root_op *op)
{
	return op->kind == ROOT_WRITABLE || (op->kind == ROOT_BIND && !(op->attr & MOUNT_ATTR_RDONLY));
}

static bool is_file(const struct root_op *op)
{
	struct stat st;

	return op->kind == ROOT_BIND && stat(op->source, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* A bound device: may be written to, and asked by ioctl. */
static bool is_device(const struct root_op *op)
{
	return op->kind == ROOT_BIND && !(op->attr & MOUNT_ATTR_NODEV);
}

/* The program's own mount is not for writing. */
static bool is_program(const struct plan *p, const struct root_op *op)
{
	return *p->program == '/' && !strcmp(op->path, p->program + 1);
}

static void add_mounts(struct plan *p, size_t *capacity)
{
	for (size_t i = 0; i < p->root.count; i++) {
		const struct root_op *op = &p->root.ops[i];
		const char *path = arena_printf(&p->arena, "/%s", op->path);

		if (is_device(op))
			add(p, capacity, path, READ_FILE | WRITE_FILE | IOCTL_DEV);
		else if (is_writable(op) && !is_program(p, op))
			add(p, capacity, path, everything(p) & (is_file(op) ? OF_FILE : ~0ULL));
	}
}

/* A program, what runs it, and what runs that: a script's interpreter is loaded by a loader. */
static void allow_executing(struct plan *p, size_t *capacity, const char *path, const char *host)
{
	struct program_file f;

	add(p, capacity, path, EXECUTE | READ_FILE);
	for (int depth = 0; depth < 4 && host && !program_file_read(host, &f) && *f.runs_it == '/'; depth++) {
		path = arena_strdup(&p->arena, f.runs_it);
		add(p, capacity, path, EXECUTE | READ_FILE);
		host = path;	/* interpreters and loaders are the machine's own */
	}
}

static void add_programs(struct plan *p, size_t *capacity)
{
	const struct request *r = p->request;

	allow_executing(p, capacity, p->program, p->outside);
	for (size_t i = 0; i < r->exec_allow_count; i++) {
		const char *path = arena_strdup(&p->arena, r->exec_allow[i]);

		allow_executing(p, capacity, path, path);
	}
}

void plan_landlock(struct plan *p)
{
	struct landlock *l = &p->landlock;
	size_t capacity = 0;

	for (size_t i = 0; i < ARRAY_SIZE(additions); i++) {
		if (additions[i].abi > p->host.landlock_abi)
			break;
		l->abi = additions[i].abi;
		l->ruleset.handled_fs |= additions[i].fs;
		l->ruleset.scoped |= additions[i].scoped;
		if (p->request->net == NET_NONE)
			l->ruleset.handled_net |= additions[i].net;
	}
	if (!l->abi)
		return;
	l->input = READ_FILE;
	add(p, &capacity, "/", p->exec_program ? READ : READ | EXECUTE);
	if (p->exec_program)
		add_programs(p, &capacity);
	add(p, &capacity, "/proc", READ | WRITE_FILE | TRUNCATE);
	add_mounts(p, &capacity);
}
