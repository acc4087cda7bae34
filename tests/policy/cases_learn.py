"""Policies from what a program calls, and policies of one's own: judge policy learn, judge run --policy FILE."""
import os, re, signal, subprocess, time
from harness import Skip, case, rows, tree_state
from cases_policy import ROOM, interpreter, present

READ_ONCE = ["python3", "-c", "print(1)"]


def learn(t, program, *options, save="learnt", rc=0, input=b"", signal_after=None):
    """One run of judge policy learn; returns the policy's path and what was said."""
    if t.seen is None:
        t.seen = t.place.outside_state(), tree_state(t.folder)
    path = "%s/kept-%s.policy" % (t.results, save)
    argv = [t.judge, "policy", "learn", "--save", path]
    argv += ["--cgroup", t.place.cgroup] if t.place.cgroup else []
    program = [t.tool(program[0][1:]) if program[0].startswith("@") else program[0]] + program[1:]
    process = subprocess.Popen(argv + list(options) + ["--"] + program, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=t.folder, env=t.environment())
    t.children.append(process)
    if signal_after:
        time.sleep(signal_after)
        process.send_signal(signal.SIGTERM)
    out, said = process.communicate(input, timeout=50)
    if b"cannot listen to the program's calls" in said or b"cannot learn: this kernel" in said:
        raise Skip("this kernel has no user notification to learn with")
    t.same("exit status of %s, which said %r" % (argv, said[-300:]), rc, process.returncode)
    t.out = out
    return path, said.decode(errors="replace")


def policy(t, *words):
    done = subprocess.run([t.judge, "policy", *words], capture_output=True, text=True, cwd=t.folder,
                          env=t.environment(), timeout=30)
    return done.returncode, done.stdout, done.stderr


def text_of(path):
    with open(path) as f:
        return f.read()


def rules(path, call):
    """The rules of one call, without comments."""
    return [line.split("#")[0].strip() for line in text_of(path).split("\n") if re.match(r"\t%s\b" % call, line)]


@case("what python3 called is learnt, and enough for it to run")
def python(t):
    interpreter("python3")
    path, _ = learn(t, READ_ONCE, *ROOM)
    t.same("the program's output", b"1\n", t.out)
    t.same("rules of openat", ["openat if int2 any O_CREAT|__O_TMPFILE and int3 any S_ISUID|S_ISGID errno EPERM",
                               "openat allow"], rules(path, "openat"))
    t.same("rules of pipe2, which it did not call", [], rules(path, "pipe2"))
    t.that(re.search(r"\n\topenat .*# \d+ times\n", text_of(path)), "a count behind a call", text_of(path))
    t.that("\n\tdefault kill\n\tabove 469 errno ENOSYS\n\texec program\n" in text_of(path),
           "default, above and exec", text_of(path))
    run = t.verdict(t.run(READ_ONCE, *ROOM, "--policy", path), "OK", policy="learnt")
    t.same("output", b"1\n", run.out)


@rows([("a static program with threads, files and children lives under what it was learnt from: %s" % tool, tool)
       for tool in ("c-static", "c-static-pie", "rust-static", "go-static")])
def static(t, tool):
    present(t, tool, tool)
    path, _ = learn(t, ["@" + tool], *ROOM, input=b"42\n")
    t.that("good 42" in t.out.decode(), "its output while learning", t.out)
    for _ in range(3):
        run = t.verdict(t.run(["@" + tool], *ROOM, "--policy", path, input=b"42\n"), "OK")
        t.that(b"42" in run.out, "its output", run.story())


@case("under what another program was learnt from a program ends, and its call is named")
def another(t):
    interpreter("python3")
    present(t, "c-refused", "C")
    path, _ = learn(t, READ_ONCE, *ROOM)
    run = t.verdict(t.run(["@c-refused", "unix"], "--policy", path), "SV", refused="socket(AF_UNIX)")
    t.same("output", b"trying\n", run.out)
    t.verdict(t.run(["@c-refused", "memfd"], "--policy", path), "SV", refused="memfd_create")
    t.verdict(t.run(["@c-refused", "namespace"], "--policy", path), "OK")
    t.same("output of what the usual policy refuses", b"trying\nrefused\n", t.runs[-1].out)


@case("values of arguments are learnt: a family of sockets, not all")
def families(t):
    present(t, "c-refused", "C")
    path, _ = learn(t, ["@c-refused", "unix"], *ROOM)
    t.same("rules of socket", ["socket if int0 == AF_UNIX allow", "socket errno EAFNOSUPPORT"], rules(path, "socket"))
    t.same("rules of mmap", ["mmap if int3 any MAP_HUGETLB errno ENOMEM", "mmap if long2 & PROT_EXEC == 0 allow"],
           rules(path, "mmap"))
    run = t.verdict(t.run(["@c-refused", "unix"], "--policy", path), "OK")
    t.same("output", b"trying\nlet through\n", run.out)
    run = t.verdict(t.run(["@c-refused", "socket"], "--policy", path), "OK")
    t.same("output with AF_INET", b"trying\nrefused\n", run.out)
    t.verdict(t.run(["@c-refused", "code"], "--policy", path), "SV", refused="mmap(PROT_EXEC)")


@case("what is learnt in two runs is joined by --add")
def joined(t):
    present(t, "c-refused", "C")
    first, _ = learn(t, ["@c-refused", "inotify"], *ROOM, save="first")
    second, _ = learn(t, ["@c-refused", "unix"], "--add", first, *ROOM, save="second")
    third, _ = learn(t, ["@c-refused", "memfd"], *ROOM, "--add=" + second, save="second")
    t.same("the file, written again", second, third)
    counted = re.search(r"brk allow +# (\d+) times", text_of(first)), re.search(r"brk allow +# (\d+) times", text_of(third))
    t.that(all(counted) and int(counted[1][1]) == 3 * int(counted[0][1]), "counts that add up",
           [c and c[0] for c in counted])
    for what, verdict in (("inotify", "OK"), ("unix", "OK"), ("memfd", "OK"), ("semaphore", "OK"), ("execveat", "SV")):
        t.verdict(t.run(["@c-refused", what], "--policy", third), verdict)


@case("a policy written by hand is joined as well, and brings nothing that the usual one refuses")
def joined_by_hand(t):
    present(t, "c-refused", "C")
    own = t.write("own.policy", "policy own\n\tdefault kill\n\tabove 400 kill\n\tptrace allow\n\tgetpid allow\n"
                  "\tfcntl if int1 in F_GETFL, F_SETFL allow\n\tclone if long0 only 0xff|CLONE_VM allow\nend\n")
    path, _ = learn(t, ["@c-refused", "nothing"], "--add", own)
    t.same("ptrace", ["ptrace errno EPERM"], rules(path, "ptrace"))
    t.same("getpid", ["getpid allow"], rules(path, "getpid"))
    t.same("fcntl", ["fcntl if int1 in F_GETFL, F_SETFL allow"], rules(path, "fcntl"))
    t.same("clone", "clone if long0 only 0xff|CLONE_VM allow", rules(path, "clone")[-1])
    t.that("\texec any\n" in text_of(path), "exec any, as the file has it", text_of(path))
    run = t.verdict(t.run(["@c-refused", "ptrace"], "--policy", path), "OK")
    t.same("output", b"trying\nrefused\n", run.out)


@case("a program that starts others learns exec any, and they run")
def children(t):
    line = ["sh", "-c", "ls / >/dev/null; ls / | head -n 1; true"]
    path, _ = learn(t, line, *ROOM)
    t.that("\texec any\n" in text_of(path), "exec any", text_of(path))
    run = t.verdict(t.run(line, *ROOM, "--policy", path), "OK")
    t.same("output", t.out, run.out)


@case("without --save the policy is on standard output, and the program's output is not")
def standard_output(t):
    interpreter("python3")
    learn(t, READ_ONCE)     # skips where it cannot be
    done = subprocess.run([t.judge, "policy", "learn", "-q", "--", *READ_ONCE], capture_output=True, cwd=t.folder,
                          env=t.environment(), timeout=50)
    t.same("exit status", 0, done.returncode)
    t.that(done.stdout.startswith(b"# What python3 called ") and done.stdout.endswith(b"end\n"), "a policy",
           done.stdout[:200])
    t.same("standard error", b"1\n", done.stderr)


@case("while learning every limit holds; what was seen until then is written down")
def limits(t):
    present(t, "c-refused", "C")
    interpreter("python3")
    path, said = learn(t, ["python3", "-c", "import os\nwhile True: os.getppid()"], "--time", "0.5", rc=1)
    t.that("TLE" in said, "TLE", said)
    t.same("getppid", ["getppid allow"], rules(path, "getppid"))
    many = "import os,time\nfor i in range(30):\n if os.fork() == 0:\n  while True: os.getppid()\ntime.sleep(0.2)"
    path, _ = learn(t, ["python3", "-c", many], *ROOM)
    t.same("getppid of orphans", ["getppid allow"], rules(path, "getppid"))
    learn(t, ["python3", "-c", "import os\nwhile os.fork() >= 0: pass"], "--processes", "20", rc=1)


@case("a judge that is told to end while a program learns ends, with all of its box")
def told_to_end(t):
    interpreter("python3")
    began = time.monotonic()
    learn(t, ["python3", "-c", "import os\nwhile True: os.getppid()"], "--time", "20", "--wall-time", "40", rc=3,
          signal_after=1.0)
    t.within("seconds", 0.9, time.monotonic() - began, 1 + t.seconds(5))


def usage(t, *words):
    rc, out, said = policy(t, "learn", *words)
    t.same("exit status and output of learn %s" % (words,), (2, ""), (rc, out))
    return said


@case("what cannot be learnt is refused with what to do")
def refused(t):
    t.that("which program?" in usage(t), "which program?", "")
    said = usage(t, "--policy", "none", "--", "true")
    t.that("no filter to learn with" in said, "no filter to learn with", said)
    said = usage(t, "--add", "./nowhere.policy", "--", "true")
    t.that("cannot read the policy ./nowhere.policy" in said, "the file's name", said)
    t.write("bad.policy", "policy bad\n\tread\nend\n")
    said = usage(t, "--add", "./bad.policy", "--", "true")
    t.that("./bad.policy:2: expected allow" in said, "file and line", said)
    said = usage(t, "--sav", "x", "--", "true")
    t.that("did you mean --save?" in said, "a suggestion", said)
    os.mkdir(t.folder + "/open")
    os.chmod(t.folder + "/open", 0o777)
    t.changes.add("open")
    said = usage(t, "--dir", "/d=open:rw", "--save", "open/x", "--", "true")
    t.that("--save" in said and not os.path.exists(t.folder + "/open/x"), "no file where the program could put a link",
           said)
    rc, out, _ = policy(t, "learn", "--help")
    t.that(rc == 0 and "--add FILE" in out, "a help text", out)


@rows([("a mistake in a policy of one's own is named with its file and line: " + what, text, line) for what, text, line in (
    ("an action", "policy own\n\tdefault kill\n\tread alow\nend\n", '3: expected allow, errno NAME or kill, not "alow"'),
    ("a group", "policy own\n\t@nothing kill\n\tlike native\nend\n", "2: there is no group nothing"),
    ("exec", "policy own\n\texec all\n\tlike native\nend\n", '2: expected program or any, not "all"'),
    ("a rule that is never reached", "policy own\n\tread kill\n\tread allow\n\tlike native\nend\n",
     "3: never reached: line 2 decides read always"),
    ("a group that is taken", "group keyring\n\tread\nend\n", "1: a second group keyring: the first stands at groups.policy:"),
    ("no end", "policy own\n\tlike native\n", "2: no \"end\" of policy own"))])
def mistakes(t, text, line):
    t.write("own.policy", text)
    run = t.run(["true"], "--policy", "./own.policy")
    t.refused(run, re.escape("./own.policy:" + line))
    rc, _, said = policy(t, "./own.policy")
    t.that(rc == 2 and "./own.policy:" + line in said, "the same of judge policy", said)


@case("a call that nobody knows is left out of one's own policy, with a warning")
def unknown(t):
    t.write("own.policy", "policy own\n\tfrobnicate kill\n\tlike default\nend\n")
    run = t.verdict(t.run(["true"], "--policy", "./own.policy"), "OK")
    t.says(run, r'own\.policy:2: no call "frobnicate" is known here')
    rc, out, said = policy(t, "./own.policy")
    t.same("exit status", 0, rc)
    t.that('./own.policy:2: no call "frobnicate" is known here: left out' in said, "a warning", said)


@case("a policy with groups of its own is like native in all else")
def own_groups(t):
    present(t, "c-static", "C")
    t.write("own.policy", "group peaceful\n\tinotify_init1 @mine\nend\ngroup mine\n\tsemget\nend\n"
            "policy own\n\t@peaceful errno ENOSYS\n\tlike native\nend\n")
    run = t.verdict(t.run(["@c-static"], "--policy", "./own.policy", *ROOM, input=b"42\n"), "OK", policy="own")
    t.that(run.out.startswith(b"good"), "its output", run.story())
    for what, verdict in (("inotify", "OK"), ("semaphore", "OK"), ("queue", "SV"), ("code", "SV")):
        t.verdict(t.run(["@c-refused", what], "--policy", "./own.policy"), verdict)


@case("judge policy tells policies apart, and explains a call")
def told(t):
    rc, out, _ = policy(t, "diff", "runtime", "compile")
    t.that(rc == 0 and out.startswith("--- runtime\n+++ compile\n-exec program\n+exec any\n"), "exec first", out[:200])
    t.that("\n-flock errno ENOLCK\n+flock allow\n" in out, "flock", out)
    rc, out, _ = policy(t, "diff", "native", "native")
    t.same("no difference", "--- native\n+++ native\n", out)
    rc, out, _ = policy(t, "explain", "chmod", "default")
    t.that("# No set-user-ID or set-group-ID file" in out and "\n    default allow\n" in out, "the reason", out)
    t.write("own.policy", "policy own\n\texec any\n\n\t# Mine.\n\tread kill\n\tlike native\nend\n")
    rc, out, _ = policy(t, "explain", "read", "./own.policy")
    t.that("# Mine.\n    read kill\n      ./own.policy:5\n" in out, "the rule, its comment and its place", out)
    rc, out, _ = policy(t, "diff", "native", "./own.policy")
    t.same("the difference", "--- native\n+++ own\n-exec program\n+exec any\n-read allow\n+read kill\n", out)


SET_ID = """
import os, stat
fd = os.open("a", os.O_CREAT | os.O_WRONLY, 0o755)
def tries(what, call):
    try: call(); print(what, "done")
    except OSError as e: print(what, e.strerror)
for bits in 0o4755, 0o2755, 0o1755:
    tries("fchmod %o" % bits, lambda: os.fchmod(fd, bits))
    tries("chmod %o" % bits, lambda: os.chmod("a", bits))
tries("open", lambda: os.open("b", os.O_CREAT | os.O_WRONLY, 0o4755))
tries("tmpfile", lambda: os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o2755))
tries("mknod", lambda: os.mknod("c", stat.S_IFREG | 0o4755))
os.mkdir("d", 0o2755)
print("%o %s %o" % (os.stat("a").st_mode, os.path.exists("b"), os.stat("d").st_mode))
"""


@rows([("under %s no file with set-user-ID or set-group-ID comes to be" % name, name)
       for name in ("default", "network", "runtime", "compile")])
def set_id(t, name):
    interpreter("python3")
    run = t.verdict(t.run(["python3", "-c", SET_ID], "--policy", name), "OK")
    no = "Operation not permitted"
    t.same("output", ["fchmod 4755 " + no, "chmod 4755 " + no, "fchmod 2755 " + no, "chmod 2755 " + no, "fchmod 1755 done",
                      "chmod 1755 done", "open " + no, "tmpfile " + no, "mknod " + no, "101755 False 40755"],
           run.text().splitlines())
