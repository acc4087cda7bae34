/* Writes a program's calls down: learn.h. Runs in the judge. */
#include "sandbox/learn.h"

#include "base/array.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define MOST_AT_ONCE 64		/* then the watch looks at its limits again */

static const struct learn_detail details[] = {
	{ SYS_socket, 0, LEARN_VALUES, 0, "AF_" },
	{ SYS_socketpair, 0, LEARN_VALUES, 0, "AF_" },
	{ SYS_ioctl, 1, LEARN_VALUES, 0, "TC TIOC FIO" },
	{ SYS_prctl, 0, LEARN_VALUES, 0, "PR_" },
	{ SYS_fcntl, 1, LEARN_VALUES, 0, "F_" },
	{ SYS_personality, 0, LEARN_VALUES, 0, NULL },
#ifdef SYS_arch_prctl
	{ SYS_arch_prctl, 0, LEARN_VALUES, 0, "ARCH_" },
#endif
	{ SYS_clone, 0, LEARN_BITS, UINT64_MAX, "CLONE_" },
	{ SYS_mmap, 2, LEARN_WHETHER, PROT_EXEC, "PROT_" },
	{ SYS_mprotect, 2, LEARN_WHETHER, PROT_EXEC, "PROT_" },
	{ SYS_pkey_mprotect, 2, LEARN_WHETHER, PROT_EXEC, "PROT_" },
	{ SYS_sendto, 4, LEARN_WHETHER, UINT64_MAX, NULL },	/* an address */
};

const struct learn_detail *learn_detail(int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(details); i++)
		if (details[i].number == number)
			return &details[i];
	return NULL;
}

/* The row that this one is to be added to, or NULL. */
static struct learn_row *find_row(struct learn *l, const struct learn_row *seen, bool merge)
{
	struct learn_row *last = NULL;
	size_t values = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct learn_row *row = &l->rows[i];

		if (row->number != seen->number)
			continue;
		if (merge || row->any || (row->value == seen->value && !seen->any))
			return row;
		values++;
		last = row;
	}
	if (values < LEARN_VALUES_MOST)
		return NULL;
	last->any = true;
	return last;
}

void learn_note(struct learn *l, const struct learn_row *seen)
{
	const struct learn_detail *d = learn_detail(seen->number);
	const bool bits = d && d->kind == LEARN_BITS;
	struct learn_row *row = find_row(l, seen, bits);

	if (row) {
		row->value |= bits ? seen->value : 0;
		row->any |= seen->any;
		row->count += seen->count;
		return;
	}
	l->over |= l->count == LEARN_ROWS;
	if (l->count == LEARN_ROWS)
		return;
	row = arena_grow(&l->arena, (void **)&l->rows, &l->capacity, l->count++, sizeof(*row));
	*row = *seen;
}

static void note_call(struct learn *l, const struct seccomp_data *call)
{
	const struct learn_detail *d = learn_detail(call->nr);
	struct learn_row seen = { .number = call->nr, .count = 1 };
	const uint64_t argument = d ? call->args[d->argument] : 0;

	switch (d ? d->kind : LEARN_VALUES) {
	case LEARN_VALUES:
		seen.value = (uint32_t)argument;
		break;
	case LEARN_BITS:
		seen.value = argument;
		break;
	case LEARN_WHETHER:
		seen.value = (argument & d->mask) != 0;
		break;
	}
	learn_note(l, &seen);
}

int learn_plan(struct plan *p, const char *name, struct err *e)
{
	struct sock_filter *code;
	size_t length;

	if (!p->filter)
		return fail_usage(e, "--policy none: there is no filter to learn with");
	length = filter_learning_length(p->filter);
	if (length > BPF_MAXINSNS)
		return fail_usage(e, "--policy %s: too long to learn with, at %u instructions", name,
				  p->filter->length);
	code = arena_alloc(&p->arena, length * sizeof(*code));
	filter_copy_learning(p->filter, p->argv, code);
	p->notifying = code;
	p->notifying_length = (unsigned short)length;
	p->request->learn->policy = name;
	return 0;
}

static bool is_waiting(int listener)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && p.revents & POLLIN;
}

static int let_go_on(int listener, uint64_t id)
{
	union {
		struct seccomp_notif_resp answer;
		char room[256];		/* a later kernel's may be longer */
	} out;

	memset(&out, 0, sizeof(out));
	out.answer.id = id;
	out.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	/* Whoever died or was interrupted meanwhile needs no answer. */
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &out) < 0 && errno == EINVAL ? -1 : 0;
}

static int serve_one(struct learn *l, int listener, struct err *e)
{
	union {
		struct seccomp_notif notice;
		char room[256];
	} in;

	memset(&in, 0, sizeof(in)); /* the kernel insists */
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &in) < 0)
		return 0;
	note_call(l, &in.notice.data);
	if (let_go_on(listener, in.notice.id) == 0)
		return 0;
	return fail(e, 0, "cannot learn: this kernel cannot let a call go on that it asked about (Linux 5.5)");
}

int learn_serve(struct learn *l, int listener, struct err *e)
{
	for (int i = 0; i < MOST_AT_ONCE && is_waiting(listener); i++)
		if (serve_one(l, listener, e) < 0)
			return -1;
	return 0;
}

void learn_free(struct learn *l)
{
	arena_free(&l->arena);
}
