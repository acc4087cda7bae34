"""Who dies when: the program, its children, the judge; and how the judge may have been started."""
import os, resource, signal, subprocess, time
from harness import Skip, case, descendants, parse_meta, rows, wait_until


def waiting(t, *options, **how):
    """A judge whose program (and a child of it) waits for ever."""
    how.setdefault("stdout", None)
    run = t.start(["@act", "wait"], "--wall-time", "20", *options, **how)
    t.until_written(run, "waiting\n")
    return run


def ended(t, run, what):
    t.that(wait_until(lambda: not descendants(os.getpid()), 3), "no process of the box " + what, descendants(os.getpid()))


@rows([("%s ends the box and the meta file is written whole" % s.name, s) for s in
       (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGABRT)])
def told_to_stop(t, number):
    run = waiting(t)
    os.kill(run.process.pid, number)
    t.finish(run, 5)
    ended(t, run, number.name)
    t.that(run.rc != 0 and run.verdict == "IE", "verdict IE and not exit status 0", run.story())
    t.says(run, number.name + "|signal %d|told to stop" % number)
    t.that(run.meta.get("message") != "the judge did not finish", "a finished meta file", run.meta)


@case("a judge that gets SIGKILL leaves a meta file that says IE and no process")
def killed(t):
    t.killed_judge = True
    run = waiting(t)
    os.kill(run.process.pid, signal.SIGKILL)
    t.finish(run, 5)
    ended(t, run, "after SIGKILL")
    t.same("verdict", "IE", run.verdict)
    t.verdict(t.run(["@act", "exit", "0"]), "OK")           # sweeps the cgroup of the dead one


@case("a judge that is killed while its box starts leaves nothing, at 20 moments")
def killed_early(t):
    t.killed_judge = True
    for i in range(20):
        run = t.start(["@act", "wait"], "--wall-time", "20")
        time.sleep(i * t.seconds(0.0007))
        os.kill(run.process.pid, signal.SIGKILL)
        t.finish(run, 5, parse=False)
        ended(t, run, "after SIGKILL")
        text = open(run.meta_path).read() if os.path.exists(run.meta_path) else ""
        t.that(not text or parse_meta(text)["verdict"] == "IE", "no meta file or one that says IE", text)
    t.verdict(t.run(["@act", "exit", "0"]), "OK")
    for name in os.listdir(t.results):                      # a temporary file may stay when rename did not come
        t.that(name.split("-")[0] in ("meta", "said", "stdout", "stderr"), "no stray file", name)


@case("a judge that is stopped and continued still has the verdict", alone=True)
def stopped_judge(t):
    run = t.start(["@use", "wall", "0.3"])
    time.sleep(0.1)
    os.kill(run.process.pid, signal.SIGSTOP)
    time.sleep(0.4)
    os.kill(run.process.pid, signal.SIGCONT)
    t.verdict(t.finish(run), "OK")


@case("main's exit ends the box though a child of an own session holds the pipes", alone=True)
def background(t):
    run = t.verdict(t.run(["@act", "background", "2"]), "OK")
    t.same("output", b"main\n", run.out)
    t.within("seconds", 0, run.seconds, t.seconds(1))
    t.within("time-wall", 0, run.number("time-wall"), 0.3)


@case("zombies that nobody waits for do not disturb the end")
def zombies(t):
    t.same("output", "made 50\n", t.verdict(t.run(["@act", "zombies", "50"]), "OK").text())


@case("a child killed by a signal does not make the program's verdict")
def child_killed(t):
    t.verdict(t.run(["/bin/sh", "-c", "sh -c 'kill -SEGV $$'; exit 0"]), "OK")


@case("a program that cannot be killed by its own process group's signals ends by itself only")
def group(t):
    run = t.verdict(t.run(["/bin/sh", "-c", "trap '' TERM; kill -TERM 0; echo still here"]), "OK")
    t.same("output", "still here\n", run.text())


@case("kill(-1) in the box hits the box alone")
def kill_all(t):
    bystander = subprocess.Popen(["/bin/sleep", "20"])
    t.children.append(bystander)
    run = t.run(["/bin/sh", "-c", "kill -KILL -1; echo after"])
    t.that(bystander.poll() is None, "a process outside lives on", "it died")
    t.that(run.verdict in ("OK", "RTE"), "OK or RTE", run.story())
    bystander.kill()
    bystander.wait()


def ignore(*numbers):
    return lambda: [signal.signal(n, signal.SIG_IGN) for n in numbers]


def lower_files(soft, hard):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


STARTS = [
    ("with SIGCHLD ignored", ignore(signal.SIGCHLD)),
    ("with SIGPIPE ignored", ignore(signal.SIGPIPE)),
    ("with SIGTERM, SIGINT, SIGHUP, SIGXCPU and SIGSEGV ignored",
     ignore(signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU, signal.SIGSEGV)),
    ("with every signal blocked", lambda: signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())),
    ("with a soft limit of 20 open files", lower_files(20, 4096)),
    ("with umask 077", lambda: os.umask(0o077)),
    ("with umask 000", lambda: os.umask(0)),
    ("as leader of an own session", os.setsid),
    ("with a low RLIMIT_CORE, RLIMIT_STACK of 1 MiB", lambda: (resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
     resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.RLIM_INFINITY)))),
    ("with a lower priority", lambda: os.nice(5)),
    ("with one CPU allowed", lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})),
]


@rows([("the judge is started %s: streams, signals, descriptors and verdicts are the same" % row[0], row[1]) for row in STARTS])
def started(t, prepare):
    run = t.verdict(t.run(["@act", "copy", "/proc/self/status"], preexec=prepare), "OK")
    found = dict(line.split(":\t", 1) for line in run.text().splitlines() if ":\t" in line)
    t.same("blocked and ignored signals", ("0" * 16, "0" * 16), (found["SigBlk"], found["SigIgn"]))
    t.verdict(t.run(["@act", "kill", "15"], preexec=prepare), "RTE", exitsig="15")
    t.verdict(t.run(["@act", "kill", "11"], preexec=prepare), "RTE", exitsig="11")
    t.same("opened", "253", t.run(["@use", "open-files", "1000"], preexec=prepare).facts().get("opened"))
    t.same("copied", b"x", t.run(["@act", "copy"], input=b"x", preexec=prepare).out)
    t.verdict(t.run(["@use", "wall", "9"], "--wall-time", "0.2", preexec=prepare), "WTL")


@case("a hard limit of 64 open files, below the box's, is met or named")
def hard_files(t):
    run = t.run(["@use", "open-files", "1000"], preexec=lower_files(64, 64))
    t.that(run.verdict in ("OK", "IE"), "OK, or IE with the reason", run.story())
    if run.verdict == "IE":
        t.says(run, "open-files|NOFILE|open files")
    t.verdict(t.run(["@act", "exit", "0"], "--open-files", "64", preexec=lower_files(64, 64)), "OK")


@case("200 open descriptors of the caller do not reach the box")
def many_descriptors(t):
    fds = [os.open("/", os.O_RDONLY) for _ in range(200)]
    run = t.run(["@facts", "descriptors"], pass_fds=fds)
    for fd in fds:
        os.close(fd)
    t.same("descriptors", "0 1 2 ", t.verdict(run, "OK").text())


@case("a judge in a folder that was deleted works with absolute paths")
def deleted_folder(t):
    gone = t.folder + "/gone"
    os.mkdir(gone)
    run = t.run(["@act", "copy", "/box/f"], "--file", t.write("f", "text"), cwd=gone, preexec=lambda: os.rmdir(gone))
    t.changes.add("gone")
    t.same("output", b"text", t.verdict(run, "OK").out)


@case("umask 077 and 000 make no difference to the mode of what is copied out of the box's own file")
def umask_copy(t):
    t.changes |= {"a", "b"}
    for name, mask in (("a", 0o077), ("b", 0o000)):
        t.verdict(t.run(["@act", "leave", "regular", name], "--copy-out", name, preexec=lambda m=mask: os.umask(m)), "OK")
        t.that(os.stat(t.folder + "/" + name).st_mode & 0o022 == 0, "not writable by others", name)


@case("a program's umask in the box is an ordinary 022")
def umask_inside(t):
    for mask in (0o077, 0):
        run = t.run(["/bin/sh", "-c", "umask"], preexec=lambda m=mask: os.umask(m))
        t.same("umask", "0022\n", run.text())


def does_not_start(t, program, *patterns, options=()):
    run = t.run(program, *options)
    t.that(run.rc in (1, 2, 3) and not run.out, "a failure and no output", run.story())
    return t.says(run, *patterns) or run


@case("a program that is missing is named")
def missing(t):
    does_not_start(t, ["/no/such/program"], "/no/such/program")
    does_not_start(t, ["./no-such-program"], "no-such-program")
    does_not_start(t, ["no-such-command"], "no-such-command")


@case("a program that is not executable is named")
def not_executable(t):
    does_not_start(t, [t.write("plain", b"\x7fELF nothing", 0o644)], "plain", "permission|execut")
    does_not_start(t, ["/usr/bin"], "/usr/bin")


@case("a program of the root that is not executable is named")
def not_executable_root(t):
    does_not_start(t, ["/etc/passwd"], "/etc/passwd", "permission|execut")


@case("an empty program, and one of garbage, are refused and never fed to a shell")
def garbage(t):
    does_not_start(t, [t.write("empty", b"", 0o755)], "empty")
    does_not_start(t, [t.write("noise", b"echo a shell reads this\n", 0o755)], "noise", "format|ENOEXEC|execut")


@case("a script whose interpreter is missing: the interpreter is named")
def interpreter(t):
    does_not_start(t, [t.write("script", "#!/opt/none/python9 -u\nprint(1)\n", 0o755)], "/opt/none/python9")


@case("a program whose loader is missing: the loader is named")
def loader(t):
    does_not_start(t, ["@hello-noloader"], "/missing/ld-none.so.9")


@case("a 32-bit program is refused by the name of its architecture, and writes nothing")
def architecture(t):
    if not os.path.exists(t.tool("hello32")):
        raise Skip("a compiler for 32-bit programs")
    does_not_start(t, ["@hello32"], r"32-bit|i386|i686|x86\b")


@case("a dynamic program put into the box finds its loader and library")
def dynamic(t):
    t.same("output", "hello\n", t.verdict(t.run(["@hello"]), "OK").text())


@case("a program by relative path, with a space and an umlaut in its name, and one that begins with a dash")
def program_names(t):
    for name in ("a b.sh", "ä.sh", "-x.sh"):
        t.write(name, "#!/bin/sh\necho \"$0 $1\"\n", 0o755)
        run = t.verdict(t.run(["./" + name, "arg"]), "OK")
        t.that(run.text().endswith(" arg\n") and name in run.text(), name + " arg", run.text())


@case("16 judges at once each have their own output and box", alone=True)
def parallel(t):
    script = "echo $1 > /box/mine; sleep 0.05; cat /box/mine /tmp/* 2>/dev/null; ls /box | wc -l"
    running = [t.start(["/bin/sh", "-c", script, "sh", str(i)]) for i in range(16)]
    for i, run in enumerate(running):
        t.same("output of %d" % i, "%d\n1\n" % i, t.verdict(t.finish(run), "OK").text())


@case("30 runs in a row take no longer at the end than at the start", alone=True)
def row(t):
    seconds = [t.run(["@act", "exit", "0"]).seconds for _ in range(30)]
    t.that(min(seconds[20:]) < 3 * min(seconds[:10]) + 0.01, "no growth", [round(s, 4) for s in seconds])
