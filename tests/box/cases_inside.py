"""What a program finds in the box: namespaces, identity, root, /proc, devices, privileges."""
import os
from harness import Failure, Skip, case, rows

# Read here: a worker that root starts has another /tmp, where the project may lie.
HELLO = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs/hello.c")).read()
KINDS = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time"]


@rows([("the %s namespace is not the caller's" % kind, kind) for kind in KINDS])
def namespace(t, kind):
    if not os.path.exists("/proc/self/ns/" + kind):
        raise Skip("%s namespaces" % kind)
    inside = t.verdict(t.run(["@facts", "namespaces"]), "OK").facts()
    t.that(inside.get(kind) not in (None, os.readlink("/proc/self/ns/" + kind)),
           "another %s namespace than %s" % (kind, os.readlink("/proc/self/ns/" + kind)), inside)


@case("uid and gid are 65534 and no other group is held")
def ids(t):
    facts = t.verdict(t.run(["@facts", "identity"]), "OK").facts()
    t.same("uid", "65534 65534 65534", facts["uid"])
    t.same("gid", "65534 65534 65534", facts["gid"])
    t.that(set(facts.get("groups", "").split()) <= {"65534"}, "no group but 65534", facts.get("groups"))


@case("the host name is box and the working folder /box")
def names(t):
    facts = t.run(["@facts", "identity"]).facts()
    t.same("host name and folder", ("box", "/box"), (facts["hostname"], facts["cwd"]))


@case("the program is not pid 1 and leads its own session")
def session(t):
    facts = t.run(["@facts", "identity"]).facts()
    t.that(int(facts["pid"]) > 1 and facts["pid"] == facts["session"] == facts["group"],
           "pid > 1, equal to session and group", facts)


@case("/workspace leads to /box")
def workspace(t):
    t.same("output", "same 1\n", t.run(["@facts", "same", "/workspace/.", "/box"]).text())


@case("--chdir starts the program elsewhere, and a folder that is missing is named")
def chdir(t):
    t.same("cwd", "/tmp", t.run(["@facts", "identity"], "--chdir", "/tmp").facts()["cwd"])
    run = t.run(["@facts", "identity"], "--chdir", "/no/such/folder")
    t.that(run.rc != 0 and run.out == b"", "the program does not run", run.story())
    t.says(run, "/no/such/folder")


def environment(run):
    return sorted(v.decode() for v in run.out.split(b"\0") if v)


@case("the environment is PATH, HOME and LANG alone")
def plain_environment(t):
    env = environment(t.run(["@facts", "environment"]))
    t.same("names", ["HOME", "LANG", "PATH"], [v.split("=")[0] for v in env])
    t.that("HOME=/tmp" in env and "LANG=C.UTF-8" in env, "HOME=/tmp and LANG=C.UTF-8", env)


@case("--env NAME passes the caller's variable, --env NAME=VALUE sets one, the last wins")
def more_environment(t):
    run = t.run(["@facts", "environment"], "--env", "GIVEN", "--env=SET=a=b c", "--env", "TWICE=1", "--env",
                "TWICE=2", "--env", "EMPTY=", "--env", "HOME=/box", env={"GIVEN": "from outside"})
    env = [v for v in environment(run) if v.split("=")[0] not in ("PATH", "LANG")]
    t.same("environment", ["EMPTY=", "GIVEN=from outside", "HOME=/box", "SET=a=b c", "TWICE=2"], env)


@rows([("--env '%s' is refused" % bad, bad) for bad in ("", "=x")])
def bad_environment(t, bad):
    t.refused(t.run(["@facts", "environment"], "--env", bad), "--env")


@case("100 variables of 1000 bytes and 100 KiB of arguments reach the program whole")
def big_environment(t):
    options = [o for i in range(100) for o in ("--env", "V%d=%s" % (i, "x" * 1000))]
    t.same("variables", 103, len(environment(t.run(["@facts", "environment"], *options))))
    t.same("lengths", "102400 0 3 ", t.run(["@facts", "arguments", "a" * 102400, "", "--x"]).text())


@case("one argument of 131071 bytes, the kernel's most, reaches the program")
def longest_argument(t):
    t.same("length", "131071 ", t.run(["@facts", "arguments", "a" * 131071]).text())


@case("there is no interface but a loopback that is down")
def network(t):
    t.same("interfaces", "lo down\n", t.run(["@facts", "network"]).text())


@case("--net loopback brings the loopback up, and nothing else")
def loopback(t):
    t.same("interfaces", "lo up\n", t.run(["@facts", "network"], "--net", "loopback").text())


@case("nested user namespaces are refused by unshare, clone and clone3")
def nested(t):
    run = t.run(["@facts", "user-namespaces"])
    t.same("what succeeded", "unshare 0\nclone 0\nclone3 0\n", run.text())


@case("files can be made in /box, /tmp and /dev/shm and nowhere else")
def read_only(t):
    run = t.verdict(t.run(["@facts", "writable"], "--time", "5"), "OK")
    found = set(run.text().split()) - {"/workspace"}
    t.same("writable folders", {"/box", "/tmp", "/dev/shm"}, found)


@case("/usr and /etc are read-only, nosuid and nodev; /box, /tmp and /dev/shm nosuid and nodev")
def flags(t):
    for line in t.run(["@facts", "mount-flags", "/usr", "/etc", "/box", "/tmp", "/dev/shm"]).text().splitlines():
        path, *found = line.split()
        need = {"nosuid", "nodev"} | ({"ro"} if path in ("/usr", "/etc") else set())
        t.that(need <= set(found), "%s is %s" % (path, sorted(need)), line)


@case("the root itself is read-only")
def root_flags(t):
    t.that(" ro" in t.run(["@facts", "mount-flags", "/"]).text(), "ro", t.runs[-1].text())


@case("each mount in the box is nosuid, and nodev unless it is a device node")
def all_mounts(t):
    text = t.verdict(t.run(["@act", "copy", "/proc/self/mountinfo"]), "OK").text()
    for line in text.splitlines():
        point, options = line.split()[4], line.split()[5].split(",")
        need = {"nosuid"} | (set() if point.startswith("/dev/") else {"nodev"})
        t.that(need <= set(options), "%s with %s" % (point, sorted(need)), line)


@case("the mounts shown in the box name no folder of the caller")
def mounts_leak(t):
    text = t.run(["@act", "copy", "/proc/self/mountinfo"]).text()
    t.that(t.base not in text and "judge-case" not in text and "judge-tools" not in text,
           "no path of the caller", text)


@case("/proc shows processes only: subset=pid")
def proc(t):
    names = {line.split()[0] for line in t.run(["@facts", "listing", "/proc"]).text().splitlines()}
    t.that("self" in names, "/proc/self", names)
    t.same("entries that are no process", set(), {n for n in names if not n.isdigit()} - {"self", "thread-self"})
    t.that(len([n for n in names if n.isdigit()]) <= 2, "init and the program alone", names)


@rows([("%s does not exist in the box" % path, path) for path in
       ("/proc/meminfo", "/proc/sys", "/proc/kcore", "/proc/cmdline", "/proc/net/tcp6", "/sys/kernel", "/sys/class/net",
        "/home", "/root", "/etc/shadow", "/etc/machine-id", "/run/systemd", "/var/log", "/sys/fs/cgroup/memory", "/mnt",
        "/boot")])
def absent(t, path):
    run = t.run(["@facts", "listing", path])
    t.that(run.meta.get("exitcode") == "1" and not run.out, path + " cannot be listed", run.story())


@case("/dev has five devices, the links and shm, and nothing else")
def dev(t):
    lines = dict(line.split(" ", 1) for line in t.run(["@facts", "listing", "/dev"]).text().splitlines())
    t.same("entries", {"null", "zero", "full", "random", "urandom", "fd", "stdin", "stdout", "stderr", "shm"}, set(lines))
    t.same("devices", ["c 1:3", "c 1:5", "c 1:7", "c 1:8", "c 1:9"],
           [lines[n] for n in ("null", "zero", "full", "random", "urandom")])
    t.that("/proc/self/fd" in lines["fd"] and lines["stdin"].endswith("0") and lines["stderr"].endswith("2"),
           "links to /proc/self/fd", lines)


@case("the devices work: null swallows, zero gives zeros, full is full, random gives bytes")
def devices(t):
    t.same("what they do", "null-write 1\nnull-read 0\nzero 16 0\nfull 28\nrandom 1 1\n",
           t.run(["@facts", "devices"]).text())


PYTHON_ETC = """
import pwd, grp, os, socket, time
p = pwd.getpwuid(os.getuid()); g = grp.getgrgid(os.getgid())
print(p.pw_uid, p.pw_dir, bool(p.pw_name), pwd.getpwnam('root').pw_uid, bool(g.gr_name))
hosts = [l.split() for l in open('/etc/hosts') if l.split()]
print(any(h[0] == '127.0.0.1' and 'localhost' in h for h in hosts), any('box' in h[1:] for h in hosts))
print('hosts:' in open('/etc/nsswitch.conf').read(), time.localtime().tm_year > 2000)
"""


@case("the generated /etc is readable: users, groups, localhost and box in hosts, nsswitch")
def etc(t):
    run = t.verdict(t.run(["/usr/bin/python3", "-c", PYTHON_ETC], "--time", "10"), "OK")
    t.same("what python reads", "65534 /tmp True 0 True\nTrue True\nTrue True\n", run.text())


@case("/etc does not name the host's users")
def etc_users(t):
    text = t.run(["@act", "copy", "/etc/passwd"]).text()
    t.that(0 < len(text.splitlines()) <= 4, "at most a few lines", text)


@case("python3 works by its absolute path: threads, subprocess, temporary files")
def python(t):
    code = "import subprocess, tempfile, threading, json, ctypes, hashlib\nf = tempfile.TemporaryFile(); f.write(b'x')\n" \
           "x = threading.Thread(target=print, args=('thread',)); x.start(); x.join()\n" \
           "print(subprocess.run(['echo', 'child'], capture_output=True, text=True).stdout, end='')"
    run = t.verdict(t.run(["/usr/bin/python3", "-c", code], "--time", "10"), "OK")
    t.same("output", "thread\nchild\n", run.text())


@rows([("%s works in the box" % command[0].rsplit("/")[-1], command, out) for command, out in (
    (["/bin/sh", "-c", "echo $((6 * 7)) | cat"], "42\n"), (["/usr/bin/env", "true"], ""),
    (["/usr/bin/sort", "--version"], None), (["/usr/bin/perl", "-e", "print 6*7"], "42"))])
def commands(t, command, out):
    if not os.path.exists(command[0]):
        raise Skip(command[0])
    run = t.verdict(t.run(command, "--time", "5"), "OK")
    t.that(out is None or run.text() == out, "output %r" % out, run.story())


@case("a program without a slash is found on the PATH of the box")
def by_path(t):
    run = t.run(["echo", "found"])
    t.same("output", "found\n", t.verdict(run, "OK").text())


@case("gcc works in the box and what it makes is copied out and runs")
def gcc(t):
    t.changes.add("built")
    run = t.run(["/usr/bin/cc", "hello.c", "-o", "built"], "--file", t.write("hello.c", HELLO), "--time",
                "15", "--copy-out", "built")
    t.verdict(run, "OK")
    t.that(os.access(t.folder + "/built", os.X_OK), "the copy may be executed", oct(os.stat(t.folder + "/built").st_mode))
    t.same("output", "hello\n", t.run([t.folder + "/built"]).text())


STATUS = [("CapInh", "0" * 16), ("CapPrm", "0" * 16), ("CapEff", "0" * 16), ("CapBnd", "0" * 16), ("CapAmb", "0" * 16),
          ("NoNewPrivs", "1"), ("Seccomp", "2"), ("SigBlk", "0" * 16), ("SigIgn", "0" * 16), ("TracerPid", "0")]


@rows([("%s is %s in /proc/self/status" % row, *row) for row in STATUS])
def status(t, key, value):
    text = t.verdict(t.run(["@act", "copy", "/proc/self/status"]), "OK").text()
    found = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    t.same(key, value, found.get(key))


@case("securebits are locked, and init's memory, environment and binary are closed")
def privileges(t):
    facts = t.verdict(t.run(["@facts", "privileges"]), "OK").facts()
    bits = int(facts.pop("securebits"))
    t.that(bits & 0x2a == 0x2a, "the locks of noroot, no-setuid-fixup and keep-caps", hex(bits))
    t.same("the rest", {"no_new_privs": "1", "init-environ": "0", "init-exe": "0", "init-mem": "0"}, facts)


@case("only descriptors 0, 1 and 2 are open")
def descriptors(t):
    t.same("descriptors", "0 1 2 ", t.run(["@facts", "descriptors"]).text())


@case("clocks in the box do not show how long the host is up")
def uptime(t):
    if not os.path.exists("/proc/self/ns/time"):
        raise Skip("time namespaces")
    facts = t.run(["@facts", "clocks"]).facts()
    outside = float(open("/proc/uptime").read().split()[0])
    if outside < 120:
        raise Skip("a host that is up for two minutes")
    if abs(int(facts["boottime"]) - outside) < 30:
        raise Failure("another boot time than the host's %.0f s" % outside, facts)


@case("no core file is left by a crash, and none goes to the host's handler")
def core(t):
    t.that(t.run(["@facts", "rlimits"]).facts()["core"].split()[0] in ("0", "1"), "RLIMIT_CORE 0 or 1", t.runs[-1].text())
    run = t.run(["/bin/sh", "-c", "sh -c 'kill -ABRT $$'; echo *"])
    t.that("core" not in run.text(), "no file core", run.text())
