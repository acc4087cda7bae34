"""The project's own hostile programs: one row each, with what must come of it."""
import os, random, socket, subprocess
from harness import MIB, Skip, case, rows

# Listed here: a worker that root starts has another /tmp, where the project may lie.
SOURCES = sorted(f for f in os.listdir(os.path.dirname(os.path.abspath(__file__))) if f.endswith(".c"))
DEFAULT = {"--time": "1", "--wall-time": "8", "--env": "HOSTILE_IN_BOX=1"}


def in_own_seconds(t, given, cpu, verdicts):
    """Time limits that are not the case's own subject, for a slow kernel; none above the ceilings."""
    if not cpu:
        given["--time"] = "%g" % min(60, float(given["--time"]) * t.place.slowness)
    if "WTL" not in verdicts.split():
        given["--wall-time"] = "%g" % min(300, float(given["--wall-time"]) * t.place.slowness)


def attack(t, program, arguments=(), options=(), verdicts="OK RTE", held=None, cpu=None, wall=None, mem=270, counted=False,
           signal=None, files=(), **how):
    """Runs `program TECHNIQUE` and checks: verdict among `verdicts`, no breach, HELD where it ended by
    itself, CPU (from, to) and wall seconds, memory in MiB. `counted`: needs a cgroup that counts memory."""
    given = dict(DEFAULT)
    given.update(zip(options[::2], options[1::2]))
    in_own_seconds(t, given, cpu, verdicts)
    if program == "memory" and t.place.slowness > 1:    # where filling the default limit takes 10 s
        given["--memory"], mem = "64M", min(mem, 72)
    flat = [word for pair in given.items() for word in pair]
    run = t.run(["@" + program, *arguments], *flat, *files, timeout=40 * t.place.slowness, **how)
    return judge_attack(t, run, verdicts, held, cpu, wall, mem, counted, signal)


def judge_attack(t, run, verdicts, held, cpu, wall, mem, counted, signal):
    enforced = run.meta.get("enforced-memory", "none")
    if counted and not enforced.startswith("cgroup"):
        raise Skip("a memory cgroup (the receipt says %s)" % enforced)
    t.that(run.rc in (0, 1), "an ordinary exit status", run.story())
    t.that(b"BREACH" not in run.out + run.err, "no breach", run.story())
    allowed = verdicts.split() + (["SV"] if "RTE" in verdicts.split() else [])
    t.that(run.verdict in allowed, "verdict %s" % " or ".join(allowed), run.story())
    if held if held is not None else run.verdict == "OK":
        t.that(b"HELD" in run.out, "HELD on standard output", run.story())
    if cpu:
        t.within("time", cpu[0], run.number("time"), cpu[0] + t.seconds(cpu[1] - cpu[0]))
    if wall:
        t.within("time-wall", 0, run.number("time-wall"), t.seconds(wall))
    t.within("mem-peak in MiB", 0, run.number("mem-peak") / MIB, mem)
    if signal:
        t.same("exitsig", str(signal), run.meta.get("exitsig"))
    return run


CPU = [
    ("an endless loop ends at the CPU limit", "spin", dict(verdicts="TLE", cpu=(0.99, 1.1), wall=3)),
    ("a loop deaf to every signal ends at the CPU limit", "spin-deaf", dict(verdicts="TLE", cpu=(0.99, 1.1), wall=3)),
    ("a sleep deaf to every signal ends at the wall limit", "sleep-deaf", dict(verdicts="WTL", cpu=(0, 0.2), options=("--wall-time", "1"))),
    ("a program that stops itself ends at the wall limit", "stop-itself", dict(verdicts="WTL", options=("--wall-time", "1"))),
    ("a family that stops itself ends at the wall limit", "stop-family", dict(verdicts="WTL", options=("--wall-time", "1"))),
    ("eight threads are summed", "threads", dict(verdicts="TLE", cpu=(0.99, 1.2), wall=3)),
    ("a thread that goes on when its leader is gone is counted", "leader-gone", dict(verdicts="TLE", cpu=(0.99, 1.1), wall=3)),
    ("a relay of orphans is summed", "relay", dict(verdicts="TLE", cpu=(0.99, 1.3), wall=4)),
    ("a relay of children shorter than any poll is summed", "relay-fast", dict(verdicts="TLE", cpu=(0.99, 1.3), wall=6)),
    ("a name like the fields of /proc/PID/stat hides no time", "strange-name", dict(verdicts="TLE", cpu=(0.99, 1.3), wall=3)),
    ("a storm of timers does not stall the limits", "timer-storm", dict(verdicts="TLE", cpu=(0.99, 1.3), wall=4)),
    ("no limit can be lifted, of init or itself", "raise-limits", dict(held=True)),
    ("no real-time class, negative nice value or wider affinity", "priorities", dict(held=True)),
    ("the clock cannot be set", "set-clock", dict(held=True)),
]
MEMORY = [
    ("memory touched step by step ends at the limit", "touch", dict(verdicts="MLE")),
    ("memory spread over children ends at the limit", "children", dict(verdicts="MLE OK RTE")),
    ("memory in memfds ends at the limit", "memfd", dict(verdicts="OK MLE RTE", counted=True)),
    ("memory in files is bounded by the disk limit", "tmpfs", dict(verdicts="OK MLE RTE")),
    ("memory in a shared mapping ends at the limit", "shared-mapping", dict(verdicts="MLE RTE")),
    ("memory in System V segments ends at the limit", "sysv-shm", dict(verdicts="OK MLE RTE", counted=True)),
    ("memory in System V queues is bounded", "sysv-queues", dict(verdicts="OK MLE RTE", counted=True)),
    ("memory in enlarged pipes is bounded", "pipes", dict(verdicts="OK MLE RTE", counted=True)),
    ("memory in socket buffers is bounded", "sockets", dict(verdicts="OK MLE RTE TLE", counted=True)),
    ("memory in page tables is counted", "page-tables", dict(verdicts="MLE RTE", counted=True)),
    ("the host's huge pages are out of reach", "huge-pages", dict(held=True)),
    ("memory cannot be locked", "lock", dict(verdicts="OK MLE RTE")),
    ("nobody's OOM score can be lowered", "oom-score", dict(held=True)),
    ("descriptors end at their limit", "descriptors", dict(held=True)),
    ("endless recursion ends within the memory limit", "recursion", dict(verdicts="RTE MLE")),
    ("stacks of threads end within the memory limit", "thread-stacks", dict(verdicts="OK MLE RTE")),
    ("control: reserved address space is no memory", "reserve", dict(held=True, mem=64)),
]
PROCESS = [
    ("children at once end at the limit", "fork-many", dict(held=True, wall=7)),
    ("a tree of forks ends at the limit", "fork-tree", dict(verdicts="OK RTE TLE", wall=7)),
    ("threads at once end at the limit", "thread-many", dict(held=True, wall=7)),
    ("zombies count, and end with the box", "zombies", dict(held=True, wall=5)),
    ("orphans are reaped while the program runs", "orphans", dict(held=True)),
    ("adoption, siblings and forking on do not survive the end", "survive", dict(held=True, wall=3)),
    ("a parent held by vfork is ended", "vfork-hold", dict(verdicts="WTL TLE RTE OK", options=("--wall-time", "1"))),
    ("kill(-1) hits the box alone", "kill-all", dict(wall=5)),
    ("signals to group, session, parent and init stay inside", "signal-group", dict(wall=5)),
    ("SIGTERM has its default action", "default-action 15", dict(verdicts="RTE", signal=15)),
    ("SIGABRT has its default action", "default-action 6", dict(verdicts="RTE", signal=6)),
    ("init's memory, files, root and descriptors are closed", "inspect", dict(held=True)),
    ("no foreign process can be seen", "foreign", dict(held=True)),
    ("no set-uid or set-gid program changes ids", "set-uid", dict(held=True)),
    ("no cgroup can be written or mounted", "cgroups", dict(held=True)),
]
FILES = [
    ("no device node can be made or changed, no system file linked", "device-nodes", dict(held=True)),
    ("no mount call of the old or new interface works", "mount-calls", dict(held=True)),
    ("files of the host cannot be read", "secrets", dict(held=True)),
    ("no file outside the writable folders can be made or changed", "write-outside", dict(held=True)),
    ("100000 files end at the inode limit", "inodes", dict(held=True, wall=7)),
    ("sparse files of huge size end at the file limit", "sparse", dict(held=True)),
    ("3000 nested folders with odd names are cleaned up", "deep", dict(held=True)),
    ("leases and fanotify on the host's files are refused", "watch-host", dict(held=True)),
]
OUTPUT = [
    ("a flood on standard output ends at the limit", "flood 1 1", dict(verdicts="OLE", wall=4)),
    ("a flood on standard error ends at the limit", "flood 2 2", dict(verdicts="OLE", wall=4)),
    ("a flood on both ends at the limit", "flood 1 2", dict(verdicts="OLE", wall=4)),
    ("pages given to the pipe are counted", "flood-vmsplice", dict(verdicts="OLE", wall=4)),
    ("a program that closes its streams runs on to its end", "close-all", dict(verdicts="OK", held=False, wall=3)),
    ("streams cannot be reopened with more rights", "reopen", dict(held=True)),
    ("flags set on the streams do not disturb the judge", "stream-flags", dict(held=True)),
]
NETWORK = [
    ("only the families of a dead network have sockets", "families", dict(held=True)),
    ("no netlink protocol but the routes", "netlink", dict(held=True)),
    ("no interface but the loopback, and none can be made", "interfaces", dict(held=True)),
]
KERNEL = [
    ("io_uring is refused", "io-uring", dict(held=True)),
    ("bpf, perf events and userfaultfd are refused", "watchers", dict(held=True)),
    ("kernel keys are refused", "keys", dict(held=True)),
    ("protections cannot be switched off", "weaken", dict(held=True)),
    ("no namespace can be made or joined", "namespaces", dict(held=True)),
    ("administrative calls are refused before they look at anything", "administration", dict(held=True)),
    ("nothing can be pushed into a terminal", "terminal", dict(held=True)),
    ("every system call number with useless arguments hurts nobody", "sweep",
     dict(verdicts="OK RTE TLE WTL", options=("--time", "6", "--wall-time", "40"))),
    ("32-bit calls from a 64-bit program are refused", "abi-i386", dict()),
    ("x32 calls are refused", "abi-x32", dict()),
    ("the vsyscall page does no harm", "vsyscall", dict()),
]
LEAK = [("a crash with full memory leaves no core and ends at once", "core", dict(verdicts="RTE", signal=6, wall=3))]


def register(program, table, alone=False):
    @rows([("%s: %s" % (program, sentence), words.split(), how) for sentence, words, how in table], alone)
    def _one(t, words, how):
        attack(t, program, words, **how)


register("cpu", CPU, alone=True)
for name, table in (("memory", MEMORY), ("process", PROCESS), ("filesystem", FILES), ("output", OUTPUT), ("network", NETWORK),
                    ("kernel", KERNEL), ("neighbour", LEAK)):
    register(name, table)


@case("cpu: a daemon of an own session dies with main and leaves no file", alone=True)
def daemon(t):
    run = attack(t, "cpu", ["daemon"], held=True, wall=2, files=("--copy-out", "daemon-was-here"))
    t.that(not os.path.exists(t.folder + "/daemon-was-here"), "no file of the daemon", run.story())


@case("cpu: bursts between ticks are counted to the millisecond", alone=True)
def bursts(t):
    run = attack(t, "cpu", ["bursts"], held=True)
    used = float(run.facts()["used"])
    if not t.place.exact_cpu:
        raise Skip("exact CPU clocks")
    t.within("time", used - 0.002, run.number("time"), used * 1.02 + 0.003)


@case("filesystem: nothing leads above the root or to the caller's folder, with 50 descriptors of the caller open")
def above(t):
    t.write("secret.txt", "harness-secret")
    fds = [os.open(t.folder, os.O_RDONLY) for _ in range(50)]
    try:
        attack(t, "filesystem", ["above", t.folder, t.folder + "/secret.txt"], held=True, pass_fds=fds)
    finally:
        for fd in fds:
            os.close(fd)


@case("filesystem: a file swapped for a link while it is collected is never followed")
def swap(t):
    t.changes.add("output.txt")
    for _ in range(5):
        attack(t, "filesystem", ["swap"], files=("--copy-out", "output.txt"))
        if os.path.exists(t.folder + "/output.txt"):
            t.same("content", b"", t.read("output.txt"))
            os.unlink(t.folder + "/output.txt")


@case("output: a program that ignores 8 MB of input ends at once")
def ignore_input(t):
    attack(t, "output", ["ignore-input"], held=True, wall=1, input=b"7" * (8 * MIB))


@case("output: nasty bytes pass unchanged and forge no line of the meta file")
def nasty(t):
    run = attack(t, "output", ["nasty-bytes"], held=True)
    t.that(run.out.startswith(bytes(range(256))) and len(run.out) > 2 * MIB, "all bytes", len(run.out))


@case("output: what the program takes back out of its pipe is bounded all the same", alone=True)
def steal(t):
    run = attack(t, "output", ["steal-output"], verdicts="OK RTE OLE", held=False, wall=6)
    t.that(len(run.out) <= 10 * MIB, "at most 10 MiB passed on", len(run.out))


KINDS = ["fifo", "folder", "zero", "passwd", "chain", "magic", "loop", "socket"]


@case("output: of links, FIFOs, sockets, folders and loops nothing is collected, and nothing blocks")
def special(t):
    words = [w for kind in KINDS for w in (kind, "left-" + kind)]
    copies = [w for kind in KINDS for w in ("--copy-out", "left-" + kind)]
    run = attack(t, "output", ["leave", *words], held=True, files=copies, wall=3)
    t.same("collected", [], sorted(f for f in os.listdir(t.folder)))
    t.within("seconds", 0, run.seconds, t.seconds(5))
    for kind in KINDS:
        t.says(run, "left-" + kind)


@case("output: a hard link to the program is no way to the caller's file")
def hard_link(t):
    t.changes.add("left")
    before = open(t.tool("output"), "rb").read()
    attack(t, "output", ["leave", "program", "left"], held=True, files=("--copy-out", "left"))
    t.that(open(t.tool("output"), "rb").read() == before, "the caller's program as it was", "it changed")


@case("output: the caller's input file cannot be changed through standard input")
def input_file(t):
    path = t.write("in", "the input\n", 0o666)
    with open(path) as f:
        attack(t, "output", ["reopen"], held=True, stdin=f)
    t.same("input", b"the input\n", t.read("in"))


@case("network: neither TCP, UDP routes nor IPv6 reach the host's listener")
def connect_host(t):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        attack(t, "network", ["connect-host", str(s.getsockname()[1])], held=True)


@case("network: neither an abstract socket nor one in the caller's folder is in reach")
def connect_unix(t):
    name = "hostile-%d" % random.getrandbits(60)
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as two:
        one.bind("\0" + name)
        two.bind(t.results + "/kept-socket")
        os.chmod(t.results + "/kept-socket", 0o777)
        for s in (one, two):
            s.listen()
        attack(t, "network", ["connect-unix", name, t.results + "/kept-socket"], held=True)


@case("neighbour: host facts do not show, nor words of the caller's environment and folders")
def identity(t):
    attack(t, "neighbour", ["identity", "harness-secret", t.folder, os.path.basename(t.base), "judge-tests"], held=True)


@case("neighbour: what one box leaves in IPC, /dev/shm, /tmp and sockets another does not find")
def channel(t):
    first = t.start(["@neighbour", "leave"], "--env", "HOSTILE_IN_BOX=1", stdin=subprocess.PIPE)
    t.until_written(first, "left\n")
    attack(t, "neighbour", ["look"], held=True)
    first.process.stdin.close()
    t.finish(first)
    attack(t, "neighbour", ["look"], held=True)


@case("neighbour: a noisy box does not change the other's CPU time beyond a factor of five", alone=True)
def noise(t):
    if (os.cpu_count() or 1) < 2:
        raise Skip("two CPUs")
    alone = min(float(attack(t, "neighbour", ["probe"], held=True).facts()["used"]) for _ in range(2))
    noisy = t.start(["@neighbour", "noise"], "--env", "HOSTILE_IN_BOX=1", "--memory", "200M")
    t.until_written(noisy, "noise\n")
    beside = float(attack(t, "neighbour", ["probe"], held=True).facts()["used"])
    t.finish(noisy)
    t.that(beside < 5 * alone + 0.02, "less than five times %.3f s" % alone, beside)


@case("process: after ten boxes full of forks the caller can still start 100 processes", alone=True)
def afterwards(t):
    running = [t.start(["@process", "fork-many"], "--env", "HOSTILE_IN_BOX=1", "--wall-time", "2") for _ in range(10)]
    for run in running:
        judge_attack(t, t.finish(run, 40), "OK RTE WTL", None, None, None, 270, False, None)
    mine = [subprocess.Popen(["/bin/sleep", "9"]) for _ in range(100)]
    t.children += mine
    for p in mine:
        p.kill()
        p.wait()


@case("control: outside a box the hostile programs do nothing")
def control(t):
    for source in SOURCES:
        done = subprocess.run([t.tool(source[:-2]), "x"], capture_output=True)
        t.same("exit status of " + source, 77, done.returncode)
