"""Files into the box, folders bound to it, and what is copied out of it."""
import os
from harness import MIB, case, rows


@case("--file SRC puts a host file into /box under its own name, --file SRC=NAME under another")
def file(t):
    path = t.write("data.txt", b"one\0two\n")
    run = t.run(["/bin/sh", "-c", "cmp /box/data.txt /box/other && cat other"], "--file", path, "--file", path + "=other")
    t.same("content", b"one\0two\n", t.verdict(run, "OK").out)


@case("--file takes a relative path, and the box's copy may be changed without the host's changing")
def file_copy(t):
    t.write("data.txt", "host\n")
    run = t.run(["/bin/sh", "-c", "chmod 600 data.txt; echo box >> data.txt; cat data.txt"], "--file", "data.txt")
    t.same("the host's file", b"host\n", t.read("data.txt"))
    t.that(run.text().startswith("host"), "the content is there", run.story())


@case("--file keeps the executable bit")
def file_mode(t):
    run = t.run(["./tool", "a"], "--file", t.write("x.sh", "#!/bin/sh\necho ran $1\n", 0o755) + "=tool")
    t.same("output", "ran a\n", t.verdict(run, "OK").text())


@rows([("--file %s is refused: it leaves /box" % what, name) for what, name in (
    ("SRC=../x", "../x"), ("SRC=a/../../x", "a/../../x"), ("SRC=..", ".."), ("SRC=.", "."))])
def file_outside(t, name):
    t.refused(t.run(["@act", "exit", "0"], "--file", t.write("f", "x") + "=" + name), "--file|" + name)


@case("a --file that does not exist, and one that may not be read, are named")
def file_missing(t):
    run = t.run(["@act", "exit", "0"], "--file", "no-such-file")
    t.that(run.rc in (2, 3), "exit status 2 or 3", run.story())
    t.says(run, "no-such-file")
    if not t.place.root:
        run = t.run(["@act", "exit", "0"], "--file", t.write("secret", "x", 0))
        t.that(run.rc in (2, 3), "exit status 2 or 3", run.story())
        t.says(run, "secret", "permission|denied|EACCES")


@case("a --file that is a folder, or a FIFO without a writer, is refused and does not hang")
def file_special(t):
    os.mkfifo(t.folder + "/fifo")
    for name in ("/fifo", "/dev/zero", t.folder):
        run = t.run(["@act", "exit", "0"], "--file", (t.folder + name if name == "/fifo" else name) + "=x", timeout=10)
        t.that(run.rc in (2, 3), "exit status 2 or 3", run.story())


@case("--file SRC=/etc/x stays below /box")
def file_absolute(t):
    run = t.run(["/bin/sh", "-c", "test -e /etc/x && echo outside; exit 0"], "--file", t.write("f", "x") + "=/etc/x")
    t.that(run.rc in (0, 2) and not run.out, "nothing in /etc", run.story())


@case("a --file larger than the disk limit is there whole, and takes nothing of the program's own disk")
def file_large(t):
    path = t.write("large", bytes(range(256)) * (3 * MIB // 256))
    run = t.run(["/bin/sh", "-c", "cmp large /w/large && head -c 3000000 /dev/zero > /tmp/own; wc -c < /tmp/own"],
                "--disk", "2M", "--file", path, "--dir", "/w=" + t.folder)
    t.within("bytes of its own", 1.9 * MIB, int(run.text() or 0), 2 * MIB)


def folder(t, mode=0o755):
    path = t.folder + "/shared"
    os.mkdir(path)
    os.chmod(path, mode)
    t.write("shared/inside.txt", "content\n")
    t.write("shared/tool", "#!/bin/sh\necho executed\n", 0o755)
    return path


@case("--dir binds a host folder read-only")
def dir_read(t):
    path = folder(t, 0o777)
    run = t.run(["/bin/sh", "-c", "cat /data/inside.txt; echo x > /data/new || echo refused; rm /data/tool || echo kept; "
                 "echo x > /data/inside.txt || echo unchanged"], "--dir", "/data=" + path)
    t.same("output", "content\nrefused\nkept\nunchanged\n", run.text())


@case("--dir IN=OUT:rw lets the box make files there, on the host at once")
def dir_write(t):
    path = folder(t, 0o777)
    t.changes.add("shared/new")
    run = t.verdict(t.run(["/bin/sh", "-c", "echo written > /data/new"], "--dir", "/data=" + path + ":rw"), "OK")
    t.same("the new file", b"written\n", t.read("shared/new"))
    t.same("what was said", "", run.err.decode())


@case("a --dir of set-uid and device files is nosuid and nodev")
def dir_flags(t):
    text = t.run(["@facts", "mount-flags", "/data"], "--dir", "/data=" + folder(t)).text()
    t.that({"ro", "nosuid", "nodev"} <= set(text.split()), "ro nosuid nodev", text)


@case("--dir IN=OUT:noexec forbids execution there, without it execution works")
def dir_noexec(t):
    path = folder(t)
    t.same("output", "executed\n", t.run(["/data/tool"], "--dir", "/data=" + path).text())
    run = t.run(["/bin/sh", "-c", "/data/tool || echo refused"], "--dir", "/data=" + path + ":noexec")
    t.same("output", "refused\n", run.text())


@case("a --dir that does not exist is named; with :maybe it is passed over")
def dir_maybe(t):
    run = t.run(["/bin/echo", "ran"], "--dir", "/data=/no/such/folder")
    t.that(run.rc in (2, 3) and not run.out, "exit status 2 or 3, nothing ran", run.story())
    t.says(run, "/no/such/folder")
    t.same("output", "ran\n", t.run(["/bin/echo", "ran"], "--dir", "/data=/no/such/folder:maybe").text())
    run = t.run(["/bin/cat", "/data/inside.txt"], "--dir", "/data=" + folder(t) + ":maybe")
    t.same("output", "content\n", run.text())


@rows([("--dir '%s' is refused" % bad, bad) for bad in ("/data=/usr:rx", "data=/usr", "/data", "=/usr", "/../x=/usr",
                                                         "/data=/usr:rw,", "/proc=/usr", "/=/usr")])
def dir_bad(t, bad):
    t.refused(t.run(["/bin/true"], "--dir", bad), "--dir")


@case("--copy-out brings a regular file back, byte for byte, under its name or another")
def copy_out(t):
    t.changes |= {"result", "elsewhere"}
    t.verdict(t.run(["@act", "leave", "regular", "result"], "--copy-out", "result", "--copy-out", "result=elsewhere"), "OK")
    t.same("content", (b"left\0behind\n",) * 2, (t.read("result"), t.read("elsewhere")))
    owner = os.stat(t.folder + "/result")
    t.same("owner", (os.getuid(), os.getgid()), (owner.st_uid, owner.st_gid))
    t.same("links and special bits", (1, 0), (owner.st_nlink, owner.st_mode & 0o7000))


@rows([("--copy-out refuses a %s, says so and takes nothing" % kind, kind) for kind in
       ("symlink", "fifo", "folder", "socket")])
def copy_out_special(t, kind):
    run = t.run(["@act", "leave", kind, "result"], "--copy-out", "result=copied", timeout=10)
    t.that(not os.path.lexists(t.folder + "/copied"), "no file is made", run.story())
    t.says(run, "result")
    t.that(run.rc in (0, 1, 3), "an ordinary exit status", run.story())


@case("--copy-out of a file that the program did not make is said and makes none")
def copy_out_missing(t):
    run = t.run(["@act", "exit", "0"], "--copy-out", "result")
    t.that(not os.path.lexists(t.folder + "/result"), "no file is made", run.story())
    t.says(run, "result")


@case("--copy-out through a symbolic link of a folder is refused")
def copy_out_through(t):
    run = t.run(["/bin/sh", "-c", "ln -s /etc d; ln -s /proc/self/root/etc e"], "--copy-out", "d/passwd=one",
                "--copy-out", "e/passwd=two")
    t.same("files made", [], os.listdir(t.folder))
    t.says(run, "d/passwd", "e/passwd")


@case("--copy-out also works when the program made its file unreadable")
def copy_out_unreadable(t):
    t.changes.add("result")
    run = t.run(["@act", "leave", "unreadable", "result"], "--copy-out", "result")
    t.that(not os.path.exists(t.folder + "/result") or t.read("result") == b"left\0behind\n",
           "the content, or a refusal", run.story())


@case("--copy-out of sparse files stays within a byte budget and is quick")
def copy_out_sparse(t):
    t.changes |= {"a", "b", "c"}
    run = t.run(["/bin/sh", "-c", "for f in a b c; do truncate -s 60M $f; done"], "--copy-out", "a", "--copy-out", "b",
                "--copy-out", "c", timeout=15)
    all_bytes = sum(os.stat(t.folder + "/" + n).st_size for n in "abc" if os.path.exists(t.folder + "/" + n))
    t.that(all_bytes <= 128 * MIB, "at most 128 MiB copied of 180", "%d, %s" % (all_bytes, run.story()))


@case("--copy-out happens after the end: a background child cannot change the file meanwhile")
def copy_out_after(t):
    t.changes.add("result")
    script = "echo first > result; (sleep 0.3; echo second > result) >/dev/null 2>&1 & exit 0"
    t.verdict(t.run(["/bin/sh", "-c", script], "--copy-out", "result"), "OK")
    t.same("content", b"first\n", t.read("result"))


@case("--copy-out works for a program that was ended by a limit")
def copy_out_tle(t):
    t.changes.add("result")
    run = t.run(["/bin/sh", "-c", "echo so far > result; sleep 9"], "--wall-time", "0.5", "--copy-out", "result")
    t.same("content", b"so far\n", t.verdict(run, "WTL").rc and t.read("result"))


@rows([("--copy-out '%s' is refused: it leaves /box" % name, name) for name in ("/etc/passwd", "../etc/passwd", "a/../../x")])
def copy_out_outside(t, name):
    t.refused(t.run(["/bin/true"], "--copy-out", name), "--copy-out|" + name)


@case("--copy-out does not write through a symbolic link that stands at its destination")
def copy_out_destination(t):
    victim = t.write("victim", "untouched\n")
    os.symlink(victim, t.folder + "/result")
    t.changes.add("result")
    t.run(["@act", "leave", "regular", "result"], "--copy-out", "result")
    t.same("victim", b"untouched\n", t.read("victim"))
