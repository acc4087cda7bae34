/*
 * report/meta_file: a file that says IE from before the run, and the whole truth after it, whatever kind
 * of file it is and whatever runs out. Each test works in an empty folder of its own.
 */
#include "base/array.h"
#include "base/fd.h"
#include "report/meta.h"
#include "tests/unit/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PLACEHOLDER "status:XX\nmessage:the judge did not finish\nverdict:IE\n"
#define TEXT "verdict:OK\nwhole:1\n"

static bool file_is(const char *path, const char *text)
{
	autofree char *there = file_text(path);

	if (strcmp(there, text) == 0)
		return true;
	dprintf(2, "%s holds: %s\n", path, there);
	return false;
}

static unsigned file_mode(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

/* Opens, looks for IE, replaces, looks for the text. `shown` is where it is to be seen. */
static int write_and_look(const char *path, const char *shown, enum meta_way way)
{
	struct meta_file m;

	CHECK(meta_open(&m, path, false, NULL) == 0);
	CHECK(m.way == way);
	CHECK(file_is(shown, PLACEHOLDER));
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	CHECK(file_is(shown, TEXT));
	CHECK(meta_replace(&m, "again\n", NULL) == 0);
	CHECK(file_is(shown, "again\n"));
	meta_close(&m);
	meta_close(&m);
	CHECK(file_is(shown, "again\n"));
	return 0;
}

/* The path is refused as a usage error, at once; nothing is left open. */
static int refused(const char *path, const char *words)
{
	struct meta_file m;
	struct err e = { 0 };
	autoclose int before = dup(0);
	int after;

	CHECK(meta_open(&m, path, false, &e) == -1);
	CHECK(e.kind == ERR_USAGE);
	CHECK(strstr(e.text, words));
	CHECK(m.way == META_NONE);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	meta_close(&m);
	after = dup(0);
	CHECK(after == before + 1);
	close(after);
	return 0;
}

/* ---- kinds of files */

static int body_new(void)
{
	umask(027);
	CHECK(write_and_look("m", "m", META_RENAME) == 0);
	CHECK(file_mode("m") == 0640);
	CHECK(folder_count() == 1);
	return 0;
}

static int body_none(void)
{
	struct meta_file m, never = { 0 };

	CHECK(meta_open(&m, NULL, false, NULL) == 0);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	meta_close(&m);
	meta_close(&never);	/* half-built: descriptor 0 is not its own */
	CHECK(fcntl(0, F_GETFD) >= 0);
	CHECK(folder_count() == 0);
	return 0;
}

static int body_json(void)
{
	struct meta_file m;

	CHECK(meta_open(&m, "m", true, NULL) == 0);
	CHECK(file_is("m", "{\"status\": \"XX\", \"message\": \"the judge did not finish\", "
		      "\"verdict\": \"IE\", \"result\": \"internal_error\", \"execution_time_ms\": null, "
		      "\"cpu_time_ms\": null, \"memory_mb\": null, \"exit_code\": null, \"signal\": null, "
		      "\"oom_killed\": false}\n"));
	meta_close(&m);
	return 0;
}

static int body_earlier_run(void)
{
	file_make("m", "verdict:OK\nof:yesterday\nand:much longer than what replaces it, in every way there is"
		  "........................................................................\n", 0600);
	CHECK(link("m", "old") == 0);
	CHECK(write_and_look("m", "m", META_RENAME) == 0);
	CHECK(file_mode("m") == 0600);
	CHECK(folder_count() == 2);
	return 0;
}

static int body_symlink(void)
{
	CHECK(mkdir("d", 0700) == 0);
	CHECK(symlink("d/real", "link") == 0);
	CHECK(write_and_look("link", "d/real", META_RENAME) == 0);	/* dangling at first */
	CHECK(write_and_look("link", "d/real", META_RENAME) == 0);
	CHECK(readlink("link", (char[8]){ 0 }, 8) == 6);
	CHECK(unlink("d/real") == 0);
	return 0;
}

static int body_link_planted(void)
{
	struct meta_file m;

	file_make("precious", "precious\n", 0600);
	CHECK(meta_open(&m, "m", false, NULL) == 0);
	CHECK(unlink("m") == 0 && symlink("precious", "m") == 0);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	CHECK(file_is("m", TEXT));
	CHECK(file_is("precious", "precious\n"));
	meta_close(&m);
	return 0;
}

static int body_removed(void)
{
	struct meta_file m;

	CHECK(meta_open(&m, "m", false, NULL) == 0);
	CHECK(unlink("m") == 0);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	CHECK(file_is("m", TEXT));
	meta_close(&m);
	return 0;
}

static int body_refused(void)
{
	file_make("file", "", 0600);
	CHECK(symlink("loop", "loop") == 0);
	CHECK(mkfifo("fifo", 0600) == 0);
	CHECK(refused(".", "Is a directory") == 0);
	CHECK(refused("missing/m", "No such file") == 0);
	CHECK(refused("file/m", "Not a directory") == 0);
	CHECK(refused("", "No such file") == 0);
	CHECK(refused("loop", "symbolic links") == 0);
	CHECK(refused("fifo", "a FIFO that nobody reads") == 0);
	CHECK(refused("/dev/fd/77", "descriptor 77 is not open") == 0);
	CHECK(refused("/proc/self/fd/77", "descriptor 77 is not open") == 0);
	return 0;
}

static int body_fifo(void)
{
	struct meta_file m;
	char text[100] = "";
	int reader;

	CHECK(mkfifo("fifo", 0600) == 0);
	reader = open("fifo", O_RDONLY | O_NONBLOCK);
	CHECK(meta_open(&m, "fifo", false, NULL) == 0);
	CHECK(read(reader, text, sizeof(text)) == -1 && errno == EAGAIN);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	CHECK(read(reader, text, sizeof(text)) == (ssize_t)strlen(TEXT) && strcmp(text, TEXT) == 0);
	close(reader);
	CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	CHECK(meta_replace(&m, TEXT, NULL) == -1);
	meta_close(&m);
	return 0;
}

static int body_devices(void)
{
	struct meta_file m;
	struct err e;

	CHECK(meta_open(&m, "/dev/null", false, NULL) == 0);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	meta_close(&m);
	CHECK(meta_open(&m, "/dev/full", false, NULL) == 0);
	CHECK(meta_replace(&m, TEXT, &e) == -1);
	CHECK(e.kind == ERR_INTERNAL && e.number == ENOSPC && strstr(e.text, "/dev/full"));
	meta_close(&m);
	return 0;
}

/* What the program wrote to stdout stays, the meta text follows. */
static int stdout_look(const char *path)
{
	struct meta_file m;
	int fd = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CHECK(fd >= 0 && dup2(fd, 1) == 1 && close(fd) == 0);
	CHECK(meta_open(&m, path, false, NULL) == 0);
	CHECK(write(1, "program\n", 8) == 8);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	CHECK(file_is("out", "program\n" TEXT));
	meta_close(&m);
	CHECK(write(1, "more\n", 5) == 5);
	CHECK(file_is("out", "program\n" TEXT "more\n"));
	return 0;
}

static int body_stdout(void)
{
	CHECK(stdout_look("-") == 0);
	CHECK(stdout_look("/dev/stdout") == 0);
	CHECK(stdout_look("/dev/fd/1") == 0);
	CHECK(stdout_look("/proc/self/fd/1") == 0);
	CHECK(stdout_look("out") == 0);
	CHECK(symlink("/dev/stdout", "link") == 0);
	CHECK(stdout_look("link") == 0);
	return 0;
}

static int body_read_only_stdout(void)
{
	const int fd = open("/dev/null", O_RDONLY);

	CHECK(fd >= 0 && dup2(fd, 1) == 1);
	return refused("-", "descriptor 1 is not open for writing");
}

static int body_long_names(void)
{
	char name[300];

	memset(name, 'n', sizeof(name));
	name[256] = '\0';
	CHECK(refused(name, "File name too long") == 0);
	name[255] = '\0';
	CHECK(write_and_look(name, name, META_RENAME) == 0);
	CHECK(folder_count() == 1);
	return 0;
}

static int body_relative(void)
{
	struct meta_file m;

	CHECK(mkdir("d", 0700) == 0);
	CHECK(meta_open(&m, "d/../m", false, NULL) == 0);
	CHECK(chdir("d") == 0);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	CHECK(chdir("..") == 0);
	CHECK(file_is("m", TEXT));
	meta_close(&m);
	return 0;
}

/* ---- what is not permitted, and what runs out */

/* As somebody who is not root: root may write anywhere. */
static int body_read_only_folder(void)
{
	file_make("m", "verdict:OK\nold and long: ................................................\n", 0666);
	file_make("locked", "mine\n", 0444);
	CHECK(chmod(".", 0555) == 0);
	CHECK(geteuid() != 0 || (chown("m", 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0));
	CHECK(write_and_look("m", "m", META_RENAME) == 0); /* by its kind: the folder says no later */
	CHECK(refused("new", "Permission denied") == 0);
	CHECK(refused("locked", "Permission denied") == 0);
	CHECK(file_is("locked", "mine\n"));
	CHECK(folder_count() == 2);
	return 0;
}

static int body_other_owner(void)
{
	struct stat st;

	file_make("m", "verdict:OK\n", 0666);
	CHECK(chown("m", 65534, 65534) == 0);
	CHECK(write_and_look("m", "m", META_IN_PLACE) == 0);
	CHECK(stat("m", &st) == 0 && st.st_uid == 65534);
	return 0;
}

static int body_removed_in_place(void)
{
	struct meta_file m;
	struct err e;

	file_make("m", "verdict:OK\n", 0666);
	CHECK(chown("m", 65534, 65534) == 0);
	CHECK(meta_open(&m, "m", false, NULL) == 0);
	CHECK(unlink("m") == 0);
	CHECK(meta_replace(&m, TEXT, &e) == -1 && e.number == ENOENT);
	meta_close(&m);
	return 0;
}

static int body_no_descriptors(void)
{
	const struct rlimit few = { 64, 64 };
	struct stat before, after;
	struct meta_file m;

	CHECK(meta_open(&m, "m", false, NULL) == 0);
	CHECK(stat("m", &before) == 0);
	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	while (dup(0) >= 0)
		;
	CHECK(errno == EMFILE);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);
	CHECK(stat("m", &after) == 0);
	CHECK(before.st_ino != after.st_ino);	/* renamed, not written in place */
	CHECK(after.st_size == (off_t)strlen(TEXT));
	meta_close(&m);
	return 0;
}

static int body_file_size(void)
{
	const struct rlimit small = { 64, 64 };
	struct meta_file m;
	struct err e;
	char text[200];

	memset(text, 't', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	CHECK(meta_open(&m, "m", false, NULL) == 0);
	CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
	CHECK(meta_replace(&m, text, &e) == -1);
	CHECK(e.kind == ERR_INTERNAL && e.number == EFBIG);
	CHECK(file_is("m", PLACEHOLDER));
	m.way = META_IN_PLACE;	/* the other way may not leave half of it either */
	CHECK(meta_replace(&m, text, &e) == -1 && e.number == EFBIG);
	CHECK(file_is("m", PLACEHOLDER));
	meta_close(&m);
	CHECK(folder_count() == 1);
	return 0;
}

/* Fills the disk that the current folder is on. */
static int disk_fill(void)
{
	const int fd = open("filler", O_WRONLY | O_CREAT | O_APPEND, 0600);

	while (write(fd, PLACEHOLDER, strlen(PLACEHOLDER)) > 0)
		;
	return close(fd);
}

#define NOT_POSSIBLE 77

static int body_full_disk(void)
{
	struct meta_file m;
	struct err e;

	if (small_disk_mount() < 0 || chdir("disk") < 0)
		return NOT_POSSIBLE;
	CHECK(meta_open(&m, "m", false, NULL) == 0);
	CHECK(disk_fill() == 0);
	CHECK(meta_replace(&m, TEXT, &e) == -1);
	CHECK(e.kind == ERR_INTERNAL && e.number == ENOSPC);
	CHECK(file_is("m", PLACEHOLDER));
	CHECK(folder_count() == 2);
	CHECK(unlink("filler") == 0);
	CHECK(meta_replace(&m, TEXT, NULL) == 0);	/* and when there is room again, it works again */
	CHECK(file_is("m", TEXT));
	meta_close(&m);
	CHECK(disk_fill() == 0);
	CHECK(meta_open(&m, "new", false, &e) == -1);
	CHECK(e.kind == ERR_INTERNAL && e.number == ENOSPC);
	return 0;
}

/* Every openat with O_TMPFILE fails, as on NFS. 0 or -1. */
static int tmpfile_deny(void)
{
	static struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		/* The low half of flags, on a machine with the low half first. */
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -1 :
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int body_no_tmpfile(void)
{
	char temp[64];

	CHECK(tmpfile_deny() == 0);
	CHECK(open(".", O_TMPFILE | O_WRONLY, 0600) == -1 && errno == EOPNOTSUPP);
	/* What a killed judge left that had this pid is in the way of nothing. */
	snprintf(temp, sizeof(temp), ".m.judge-%d", (int)getpid());
	file_make(temp, "left", 0600);
	CHECK(write_and_look("m", "m", META_RENAME) == 0);
	CHECK(folder_count() == 1);
	CHECK(body_file_size() == 0);
	return 0;
}

static int body_no_tmpfile_no_descriptors(void)
{
	CHECK(tmpfile_deny() == 0);
	return body_no_descriptors();
}

static int body_leftover(void)
{
	char temp[64];

	snprintf(temp, sizeof(temp), ".m.judge-%d", (int)getpid());
	file_make(temp, "left", 0600);
	CHECK(write_and_look("m", "m", META_RENAME) == 0);
	CHECK(folder_count() == 1);
	return 0;
}

/* ---- death and readers */

static int body_killed(void)
{
	struct meta_file m;

	CHECK(meta_open(&m, "m", false, NULL) == 0);
	(void)raise(SIGKILL);
	return 0;
}

static void test_killed(void **state)
{
	char *folder = folder_make();

	(void)state;
	file_make("m", "verdict:OK\n", 0600);
	assert_int_equal(in_child(body_killed), -1);
	assert_true(file_is("m", PLACEHOLDER));
	assert_int_equal(folder_count(), 1);
	folder_remove(folder);
}

#define LONG_TEXT 30000

static int body_rewrite(void)
{
	char text[LONG_TEXT + 1];
	struct meta_file m;

	CHECK(meta_open(&m, "m", false, NULL) == 0);
	for (int i = 0; i < 1000; i++) {
		memset(text, 'a' + i % 26, LONG_TEXT);
		text[i % 2 ? LONG_TEXT : LONG_TEXT / 3] = '\0';
		CHECK(meta_replace(&m, text, NULL) == 0);
	}
	CHECK(meta_replace(&m, "end", NULL) == 0);
	meta_close(&m);
	return 0;
}

/* One letter, in one of the two lengths; or the placeholder. */
static bool is_whole(const char *text)
{
	const size_t length = strlen(text);

	if (strcmp(text, PLACEHOLDER) == 0)
		return true;
	if (length != LONG_TEXT && length != LONG_TEXT / 3)
		return false;
	return strspn(text, (char[2]){ text[0], '\0' }) == length;
}

static void test_reader(void **state)
{
	char *folder = folder_make();
	int status, reads = 0;
	bool end = false;
	pid_t child;

	(void)state;
	file_make("m", PLACEHOLDER, 0600);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(body_rewrite());
	while (!end && waitpid(child, &status, WNOHANG) == 0) {
		autofree char *text = file_text("m");

		end = strcmp(text, "end") == 0;
		if (!end && !is_whole(text)) {
			(void)kill(child, SIGKILL);
			fail_msg("a reader saw %zu bytes that were never written as one", strlen(text));
		}
		reads++;
	}
	if (end)
		assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(reads > 10);
	assert_true(file_is("m", "end"));
	folder_remove(folder);
}

/* ---- all of them */

static const struct body_row {
	const char *name;
	int (*body)(void);
	bool root_only;
} body_rows[] = {
	{ "a new file", body_new, false },
	{ "no meta file is wanted", body_none, false },
	{ "the JSON placeholder", body_json, false },
	{ "an earlier run's file stops saying OK at once and keeps its mode", body_earlier_run, false },
	{ "a symbolic link is followed, also a dangling one", body_symlink, false },
	{ "a link planted during the run is replaced, not followed", body_link_planted, false },
	{ "a file removed during the run is there again", body_removed, false },
	{ "what cannot be written is a usage error", body_refused, false },
	{ "a FIFO with a reader gets the text once", body_fifo, false },
	{ "/dev/null and /dev/full", body_devices, false },
	{ "stdout under each name is appended to", body_stdout, false },
	{ "stdout that is open for reading only", body_read_only_stdout, false },
	{ "a name of 255 bytes, and of 256", body_long_names, false },
	{ "a relative path belongs to the folder of the start", body_relative, false },
	{ "a folder that cannot be written, with a file that can", body_read_only_folder, false },
	{ "another's file stays another's", body_other_owner, true },
	{ "another's file that was removed is an error", body_removed_in_place, true },
	{ "no descriptor left at the end", body_no_descriptors, false },
	{ "a size limit leaves IE, not half of the text", body_file_size, false },
	{ "a full disk leaves IE", body_full_disk, false },
	{ "without O_TMPFILE", body_no_tmpfile, false },
	{ "without O_TMPFILE, no descriptor left", body_no_tmpfile_no_descriptors, false },
	{ "a leftover of a killed judge", body_leftover, false },
};

static void test_body(void **state)
{
	const struct body_row *row = *state;
	char *folder = folder_make();
	int r;

	if (row->root_only && geteuid() != 0) {
		folder_remove(folder);
		print_message("%s: needs root, to make a file of another owner\n", row->name);
		skip();
	}
	r = in_child(row->body);
	assert_int_equal(chmod(folder, 0700), 0);
	folder_remove(folder);
	if (r == NOT_POSSIBLE) {
		print_message("%s: needs a mount namespace\n", row->name);
		skip();
	}
	assert_int_equal(r, 0);
}

static const struct CMUnitTest single_tests[] = {
	cmocka_unit_test(test_killed),
	cmocka_unit_test(test_reader),
};

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(body_rows) + ARRAY_SIZE(single_tests)];
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(body_rows); i++)
		tests[count++] = (struct CMUnitTest){ .name = body_rows[i].name, .test_func = test_body,
			.initial_state = (void *)(uintptr_t)&body_rows[i] };
	memcpy(tests + count, single_tests, sizeof(single_tests));
	return cmocka_run_group_tests_name("meta_file", tests, NULL, NULL);
}
