"""Each language's life under its policy, its compiler under `compile`, and what ends a program."""
import os, shutil, subprocess
from harness import Skip, case, rows

JAVA = ["java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx256m", "-cp", ".", "Life"]
# Small stacks: without a cgroup those of all threads count as memory.
ROOM = ["--time", "20", "--wall-time", "60", "--memory", "1G", "--processes", "200", "--disk", "300M", "--stack", "16M"]


def present(t, tool, language):
    if not os.path.exists(t.tool(tool)):
        raise Skip("no %s compiler here, or none that links so" % language)


def interpreter(name):
    if not shutil.which(name, path="/usr/local/bin:/usr/bin:/bin"):
        raise Skip("no %s here" % name)


def lives(t, run):
    t.verdict(run, "OK")
    t.that(run.out.startswith(b"good") and b"42" in run.out, "output that begins with good and has 42", run.story())


@rows([("a static program of %s lives under native: threads, files, memory, exceptions, children" % language,
        tool, language) for tool, language in
       (("c-static", "C"), ("c-static-pie", "C as PIE"), ("c++-static", "C++"), ("rust-static", "Rust"),
        ("go-static", "Go"), ("fortran-static", "Fortran"), ("pascal-static", "Pascal"))])
def native(t, tool, language):
    present(t, tool, language)
    lives(t, t.run(["@" + tool], "--policy", "native", *ROOM, input=b"42\n"))


@rows([("a dynamically linked program of %s lives under %s" % (language, policy), tool, language, policy)
       for tool, language in (("c-dynamic", "C"), ("c++-dynamic", "C++"), ("fortran-dynamic", "Fortran"))
       for policy in ("runtime", "compile")])
def dynamic(t, tool, language, policy):
    present(t, tool, language)
    lives(t, t.run(["@" + tool], "--policy", policy, *ROOM, input=b"42\n"))


@rows([("a program of %s lives under runtime: threads, files, memory, collection, exceptions, children" % command[0],
        source, command) for source, command in
       (("life.py", ["python3", "life.py"]), ("life.py", ["pypy3", "life.py"]), ("life.js", ["node", "life.js"]),
        ("life.pl", ["perl", "life.pl"]), ("life.rb", ["ruby", "life.rb"]), ("life.lua", ["lua5.4", "life.lua"]),
        ("life.php", ["php", "-n", "life.php"]), ("life.tcl", ["tclsh", "life.tcl"]),
        ("life.awk", ["awk", "-f", "life.awk"]))])
def interpreted(t, source, command):
    interpreter(command[0])
    lives(t, t.run(command, "--policy", "runtime", *ROOM, "--file", "%s=%s" % (t.tool(source), source), input=b"42\n"))


@case("a program of sh lives under runtime where --exec-allow names what it starts, and not without")
def shell(t):
    words = ["--policy", "runtime", *ROOM, "--file", t.tool("life.sh") + "=life.sh"]
    allow = [w for name in ("cat", "tr", "rm", "sleep") for w in ("--exec-allow", shutil.which(name, path="/usr/bin:/bin"))]
    lives(t, t.run(["sh", "life.sh"], *words, *allow, input=b"42\n"))
    run = t.verdict(t.run(["sh", "life.sh"], *words, input=b"42\n"), "RTE")
    t.that(b"cat: Permission denied" in run.err, "cat: Permission denied", run.story())


@case("a program of java lives under runtime: threads, files, memory, collection, exceptions, children")
def java(t):
    interpreter("java")
    present(t, "Life.class", "Java")
    lives(t, t.run(JAVA, "--policy", "runtime", *ROOM, "--file", t.tool("Life.class") + "=Life.class", input=b"42\n"))


@rows([("%s does its work under compile" % command[0], source, command) for source, command in
       (("life.c", ["gcc", "-O2", "-static", "-pthread", "life.c", "-o", "out"]),
        ("life.cpp", ["g++", "-O2", "-flto", "-pthread", "life.cpp", "-o", "out"]),
        ("life.c", ["clang", "-O2", "-pthread", "life.c", "-o", "out"]),
        ("life.f90", ["gfortran", "-O2", "life.f90", "-o", "out"]),
        ("Life.java", ["javac", "-J-XX:+UseSerialGC", "-J-Xmx512m", "Life.java"]),
        ("life.js", ["node", "--check", "life.js"]),
        ("life.py", ["python3", "-m", "py_compile", "life.py"]),
        ("life.pl", ["perl", "-c", "life.pl"]))])
def compiler(t, source, command):
    interpreter(command[0])
    t.verdict(t.run(command, "--policy", "compile", *ROOM, "--file", "%s=%s" % (t.tool(source), source), timeout=90),
              "OK")


def folder_of(command, *question):
    """Where a tool-chain lies, if the box's user may look there."""
    if not shutil.which(command):
        raise Skip("no %s here" % command)
    folder = subprocess.run([command, *question], capture_output=True, text=True, check=True).stdout.strip()
    part = "/"
    for name in folder.strip("/").split("/"):
        part = os.path.join(part, name)
        if not os.stat(part).st_mode & 0o001:
            raise Skip("%s lies in %s, which is closed to others" % (command, part))
    return folder


@case("rustc does its work under compile")
def rustc(t):
    folder = folder_of("rustc", "--print", "sysroot")
    t.verdict(t.run([folder + "/bin/rustc", "-O", "life.rs"], "--policy", "compile", *ROOM, "--dir",
                    "%s=%s" % (folder, folder), "--file", t.tool("life.rs") + "=life.rs", timeout=90), "OK")


@case("the go command does its work under compile")
def go(t):
    folder = folder_of("go", "env", "GOROOT")
    env = ["HOME=/box", "GOROOT=" + folder, "CGO_ENABLED=0", "GO111MODULE=off"]
    t.verdict(t.run([folder + "/bin/go", "build", "life.go"], "--policy", "compile", *ROOM, "--dir",
                    "%s=%s" % (folder, folder), *[w for e in env for w in ("--env", e)],
                    "--file", t.tool("life.go") + "=life.go", timeout=90), "OK")


REFUSED = ("mount", "ptrace", "keyctl", "bpf", "userfaultfd", "perf_event_open", "unshare", "setns", "reboot", "setuid",
           "namespace", "socket", "inotify", "lease", "semaphore", "queue", "execveat", "memfd", "code", "make-code",
           "tiocsti", "personality")


@rows([("under native a program ends that tries: " + what, what) for what in REFUSED])
def ends(t, what):
    run = t.verdict(t.run(["@c-refused", what], "--policy", "native"), "SV")
    t.same("output", b"trying\n", run.out)


@rows([("under runtime a program goes on that tries: " + what, what) for what in
       ("unshare", "setns", "setuid", "socket", "inotify", "lease", "semaphore", "queue", "execveat", "memfd",
        "personality")])
def goes_on(t, what):
    run = t.verdict(t.run(["@c-refused", what], "--policy", "runtime"), "OK")
    t.same("output", b"trying\nrefused\n", run.out)


@rows([("under runtime and compile a program ends that tries: " + what, what) for what in
       ("mount", "ptrace", "keyctl", "bpf", "userfaultfd", "perf_event_open", "reboot", "namespace", "tiocsti")])
def dangerous(t, what):
    for policy in ("runtime", "compile"):
        t.verdict(t.run(["@c-refused", what], "--policy", policy), "SV")
