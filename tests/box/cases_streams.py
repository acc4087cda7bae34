"""Standard input, output and error of every kind, and what a slow or dead reader does."""
import os, pty, random, threading, time
from harness import MIB, case, descendants, rows, wait_until

TEXT = bytes(random.Random(1).randrange(256) for _ in range(3000)) * 300       # 900 kB, binary


def inputs(t, kind):
    """Standard input of that kind with TEXT in it, as something Popen takes."""
    if kind == "pipe":
        mine, theirs = os.pipe()
        threading.Thread(target=lambda: (os.write(theirs, TEXT[:-1]), os.write(theirs, TEXT[-1:]), os.close(theirs)),
                         daemon=True).start()
        return os.fdopen(mine, "rb")
    f = open(t.write("input-" + kind.replace(" ", "-"), TEXT), "rb")
    if kind == "deleted file":
        os.unlink(f.name)
    return f


def copied(t, kind, *arguments):
    t.changes.add("input-deleted-file")
    stdin = inputs(t, kind)
    run = t.run(["@act", "copy", *arguments], stdin=stdin)
    stdin.close()
    t.same("bytes, and their content", (len(TEXT), True), (len(t.verdict(run, "OK").out), run.out == TEXT))


@rows([("900 kB of binary data go from a %s to the program and back unchanged" % kind, kind) for kind in
       ("file", "pipe", "deleted file")])
def stdin_whole(t, kind):
    copied(t, kind)


@rows([("a %s on standard input can be opened again as %s" % (kind, name), kind, name) for kind in
       ("file", "pipe", "deleted file") for name in ("/dev/stdin", "/proc/self/fd/0")])
def stdin_again(t, kind, name):
    copied(t, kind, name)


@case("--stdin FILE is the input, also opened again; a missing one is named")
def stdin_option(t):
    path = t.write("in", b"from a file\n")
    for arguments in ([], ["/dev/stdin"]):
        t.same("output", b"from a file\n", t.run(["@act", "copy", *arguments], "--stdin", path).out)
    run = t.run(["@act", "copy"], "--stdin", "no-such-input")
    t.that(run.rc in (2, 3), "exit status 2 or 3", run.story())
    t.says(run, "no-such-input")


@case("--stdin of a FIFO works and of a folder is refused")
def stdin_kinds(t):
    os.mkfifo(t.folder + "/fifo")
    t.changes.add("fifo")
    run = t.start(["@act", "copy"], "--stdin", t.folder + "/fifo")
    with open(t.folder + "/fifo", "wb") as f:
        f.write(b"through a fifo")
    t.same("output", b"through a fifo", t.finish(run).out)
    t.that(t.run(["@act", "copy"], "--stdin", t.folder).rc in (1, 2, 3), "not 0", t.runs[-1].story())


@rows([("standard input from %s is empty and the run OK" % name, path) for name, path in
       (("/dev/null", "/dev/null"), ("an empty file", "empty"))])
def stdin_empty(t, path):
    if path == "empty":
        path = t.write("empty", b"")
    with open(path) as f:
        t.same("output", b"", t.verdict(t.run(["@act", "copy"], stdin=f), "OK").out)


@case("a file that was read up to its middle is read on from there")
def stdin_offset(t):
    fd = os.open(t.write("in", b"first\nsecond\n"), os.O_RDONLY)
    os.read(fd, 6)
    t.same("output", b"second\n", t.verdict(t.run(["@act", "copy"], stdin=fd), "OK").out)
    os.close(fd)


@case("a terminal on standard input is read to its end of file")
def stdin_terminal(t):
    mine, theirs = pty.openpty()
    run = t.start(["@act", "copy"], stdin=theirs)
    os.write(mine, b"typed\n\x04")
    t.finish(run, 10)
    os.close(mine)
    os.close(theirs)
    t.same("output", b"typed\n", t.verdict(run, "OK").out)


@rows([("the box can neither write nor chmod its input: %s" % how, how) for how in ("inherited", "inherited for writing",
                                                                                      "--stdin")])
def stdin_attack(t, how):
    path = t.write("in", b"the input\n", 0o666)
    before = os.stat(path)
    if how == "--stdin":
        run = t.run(["@act", "attack-stdin"], "--stdin", path)
    else:
        with open(path, "rb" if how == "inherited" else "r+b") as f:
            run = t.run(["@act", "attack-stdin"], stdin=f)
    t.that(run.verdict == "OK", "OK", run.story())
    after = os.stat(path)
    same = [getattr(before, a) == getattr(after, a) for a in ("st_mode", "st_mtime_ns", "st_size", "st_uid")]
    t.that(all(same) and t.read("in") == b"the input\n", "the file as it was", run.story())


@case("the box cannot write into the caller's pipe, from which others may read on")
def stdin_pipe_attack(t):
    mine, theirs = os.pipe()
    os.write(theirs, b"the input\n")
    run = t.run(["@act", "attack-stdin"], stdin=mine)
    os.set_blocking(mine, False)
    try:
        rest = os.read(mine, 1000)
    except BlockingIOError:
        rest = b""
    os.close(mine)
    os.close(theirs)
    t.that(b"overwritten" not in rest, "nothing of the box in the caller's pipe", (rest, run.story()))


@case("a program that does not read a large input ends at once")
def stdin_unread(t):
    run = t.run(["@act", "exit", "0"], input=b"x" * (8 * MIB))
    t.verdict(run, "OK")
    t.within("seconds", 0, run.seconds, t.seconds(3))


@case("an input that never comes stalls no limit", alone=True)
def stdin_silent(t):
    mine, theirs = os.pipe()
    run = t.run(["@act", "copy"], "--wall-time", "0.3", stdin=mine)
    os.close(mine)
    os.close(theirs)
    t.verdict(run, "WTL")
    t.within("seconds", 0.3, run.seconds, t.seconds(1))


@case("standard output to a file, and appended to one that has text already")
def stdout_file(t):
    t.changes |= {"plain", "appended"}
    t.write("appended", "before\n")
    for name, mode in (("plain", "wb"), ("appended", "ab")):
        with open(t.folder + "/" + name, mode) as f:
            t.verdict(t.run(["/bin/echo", "text"], stdout=f), "OK")
    t.same("content", (b"text\n", b"before\ntext\n"), (t.read("plain"), t.read("appended")))


@case("--stdout FILE and --stderr FILE get the program's text and belong to the caller")
def stdout_option(t):
    t.changes |= {"out", "err"}
    t.write("out", "an old and longer text that goes away\n" * 10)
    run = t.run(["/bin/sh", "-c", "echo out; echo err >&2"], "--stdout", "out", "--stderr", "err", stderr=None)
    t.verdict(run, "OK")
    t.same("content", (b"out\n", b"err\n"), (t.read("out"), t.read("err")))
    t.same("owner", os.getuid(), os.stat(t.folder + "/out").st_uid)


@case("a --stdout that cannot be made is named, and nothing runs")
def stdout_impossible(t):
    run = t.run(["@act", "exit", "0"], "--stdout", "/no/such/folder/out")
    t.that(run.rc in (2, 3), "exit status 2 or 3", run.story())
    t.says(run, "/no/such/folder")


@case("a reader of standard output that is gone neither hangs the judge nor kills it without a meta file")
def stdout_closed_pipe(t):
    mine, theirs = os.pipe()
    os.close(mine)
    run = t.run(["@act", "write", "1", "300000"], "--wall-time", "2", stdout=theirs, timeout=10)
    os.close(theirs)
    t.that(run.rc is not None and run.rc >= 0 and run.meta.get("verdict"), "an exit status and a meta file", run.story())
    t.that(run.meta.get("message", "") != "the judge did not finish", "a finished meta file", run.story())


@case("standard output on a full device is reported, with a meta file that is whole")
def stdout_full(t):
    with open("/dev/full", "wb") as f:
        run = t.run(["@act", "write", "1", "300000"], stdout=f)
    t.that(run.rc not in (0, None) and run.rc > 0, "not 0", run.story())
    t.says(run, "output|space|ENOSPC")


@case("standard output to a terminal")
def stdout_terminal(t):
    mine, theirs = pty.openpty()
    run = t.run(["/bin/echo", "text"], stdout=theirs)
    text = os.read(mine, 1000)
    os.close(theirs)
    os.close(mine)
    t.same("on the terminal", b"text\r\n", t.verdict(run, "OK") and text)


@case("the box never gets the caller's terminal: /dev/tty and TIOCSTI's place are out of reach")
def no_terminal(t):
    mine, theirs = pty.openpty()
    script = "test -t 0 && echo in; test -t 1 && echo out; test -t 2 && echo err; ls -l /proc/self/fd/ | grep -c pts"
    run = t.run(["/bin/sh", "-c", script], "--stdout", t.results + "/kept", stdin=theirs, said=theirs, stderr=None)
    os.close(theirs)
    os.close(mine)
    t.same("terminals", "0\n", open(t.results + "/kept").read() if run else "")


def box_alive(run):
    return bool(descendants(run.process.pid))


@case("a reader that stalls does not stall the wall limit", alone=True)
def slow_reader(t):
    mine, theirs = os.pipe()
    run = t.start(["/usr/bin/yes"], "--wall-time", "0.5", "--time", "10", "--output", "100M", stdout=theirs)
    os.close(theirs)
    wait_until(lambda: box_alive(run), 3)
    died = wait_until(lambda: not box_alive(run), t.seconds(2))
    reader = threading.Thread(target=lambda: [None for _ in iter(lambda: os.read(mine, 1 << 16), b"")], daemon=True)
    reader.start()
    t.that(died, "the box ends at its limit though nobody reads", "it still runs")
    t.finish(run, 10)
    os.close(mine)
    t.verdict(run, "WTL")
    t.within("time-wall", 0.5, run.number("time-wall"), t.seconds(0.6))


@case("output comes as it is written, not at the end")
def at_once(t):
    mine, theirs = os.pipe()
    run = t.start(["/bin/sh", "-c", "echo first; sleep 0.5; echo second"], stdout=theirs)
    os.close(theirs)
    first = os.read(mine, 100)
    since = time.monotonic()
    second = os.read(mine, 100)
    waited = time.monotonic() - since
    t.finish(run)
    os.close(mine)
    t.same("pieces", (b"first\n", b"second\n"), (first, second))
    t.that(waited > 0.2, "half a second between them", waited)


@case("output written before a limit ends the program is delivered")
def before_limit(t):
    run = t.run(["/bin/sh", "-c", "echo first; echo second >&2; sleep 9"], "--wall-time", "0.4")
    t.same("output", (b"first\n", b"second\n"), (t.verdict(run, "WTL").out, run.err))


@case("50 MB of output pass whole and in order")
def much(t):
    run = t.run(["@act", "write", "1", "50000000"], "--output", "100M", "--time", "10")
    t.same("bytes", 50000000, len(t.verdict(run, "OK").out))
    block = bytes(97 + i % 26 for i in range(65536))
    t.that(run.out == (block * 763)[:50000000], "the bytes as written", "they differ")


@case("--stderr-to-stdout keeps the order of both streams")
def joined(t):
    run = t.run(["@act", "alternate", "500"], "--stderr-to-stdout", stderr=None)
    t.same("lines", "".join("%d\n" % i for i in range(500)), t.verdict(run, "OK").text())


@case("without options the program's stderr reaches the judge's, before the line of the verdict")
def stderr_plain(t):
    run = t.run(["/bin/sh", "-c", "echo from the program >&2"], stderr=None)
    lines = run.said.splitlines()
    t.that(len(lines) == 2 and lines[0] == "from the program" and "OK" in lines[1], "two lines", repr(run.said))


@case("NUL bytes, invalid UTF-8 and terminal escapes pass unchanged and disturb no meta file")
def nasty(t):
    data = bytes(range(256)) + b"\xff\xfe\x00\x1b[2J\x1b]0;x\x07\r\n" + "\u202e".encode()
    run = t.run(["@act", "copy"], input=data)
    t.same("output", data, t.verdict(run, "OK").out)


@rows([("the judge is started with closed %s: the verdict is the same" % ",".join(map(str, fds)), fds) for fds in
       ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2))])
def closed(t, fds):
    def close():
        for fd in fds:
            os.close(fd)
    run = t.run(["@act", "exit", "3"], preexec=close)
    t.verdict(run, "RTE", exitcode="3")
    t.verdict(t.run(["@act", "exit", "0"], preexec=close), "OK")


@case("with standard output closed, no output lands in the meta file or elsewhere")
def closed_output(t):
    run = t.run(["@act", "write", "1", "5000"], preexec=lambda: os.close(1))
    t.that("abcdef" not in open(run.meta_path).read() and run.verdict, "a clean meta file", run.story())
    t.same("descriptors", "0 1 2 ", t.run(["@facts", "descriptors"], preexec=lambda: os.close(0)).text())
