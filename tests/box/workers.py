"""Where the cases of a suite run: elements of the matrix (uid × cgroup), each with a few worker processes.

A worker is a child subreaper, so whatever a judge leaves behind becomes its child and is found. Started as
root it has an own mount and IPC namespace with an empty /tmp and /dev/shm, its own cgroups made and owned
for it, and becomes the element's uid before the first case. An ordinary user's worker uses what is there."""
import argparse, ctypes, importlib, json, os, re, selectors, shutil, signal, subprocess, sys, tempfile, time
import harness

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, CLONE_NEWIPC = 0x20000, 0x8000000
MS_BIND, MS_REC, MS_PRIVATE, MS_SHARED = 0x1000, 0x4000, 1 << 18, 1 << 20
PR_SET_CHILD_SUBREAPER = 36
CONTROLLERS = ("memory", "pids", "cpu", "cpuacct")
SOAK = bool(os.environ.get("JUDGE_SOAK"))
OWN_FILES = re.compile("judge-case-|judge-tools-")


def system(name, *arguments):
    if getattr(LIBC, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), "%s: %s" % (name, os.strerror(ctypes.get_errno())))


def cgroup_mounts():
    """{"v2": folder or None, "v1": {folder: [controllers]}}: where this process is in each hierarchy."""
    own, found = {}, {"v2": None, "v1": {}}
    for line in open("/proc/self/cgroup"):
        _, names, path = line.rstrip("\n").split(":", 2)
        for name in names.split(","):
            own[name] = path
    for line in open("/proc/mounts"):
        _, folder, kind, options, *_ = line.split()
        if kind == "cgroup2" and "" in own:
            found["v2"] = folder + own[""].rstrip("/")
        mine = [c for c in options.split(",") if c in CONTROLLERS and c in own] if kind == "cgroup" else []
        if mine:
            found["v1"][folder + own[mine[0]].rstrip("/")] = mine
    return found


def best_cgroup():
    """The kind that limits most here."""
    mounts = cgroup_mounts()
    path = "%s/cgroup.controllers" % mounts["v2"]
    useful = mounts["v2"] and os.path.exists(path) and "memory" in open(path).read().split()
    return "v2" if useful or not mounts["v1"] else "v1"


def make_cgroups(mode, name, uid):
    """Makes a worker's folder in each hierarchy of the mode and gives it to uid, with systemd's mark of a
    delegated one, without which root's judge leaves a v2 cgroup of others as it is."""
    mounts = cgroup_mounts()
    parents = {"v1": list(mounts["v1"]), "v2": [mounts["v2"]] if mounts["v2"] else []}.get(mode, [])
    made = []
    for parent in parents:
        folder = "%s/%s" % (parent, name)
        os.mkdir(folder)
        made.append(folder)
        for f in ("", "/cgroup.procs", "/tasks", "/cgroup.threads", "/cgroup.subtree_control"):
            if os.path.exists(folder + f):
                os.chown(folder + f, uid, uid)
        if mode == "v2":
            os.setxattr(folder, "trusted.delegate", b"1")
    return made


def remove_cgroup(folder):
    """Removes a folder and all below it; returns what could not be removed."""
    left = []
    for path, _, _ in os.walk(folder, topdown=False):
        try:
            os.rmdir(path)
        except OSError as e:
            left.append("%s: %s" % (path, e.strerror))
    return left


class Place:
    """What a worker knows of where it runs."""
    def __init__(self, suite, uid, mode, judge, tools, cgroups):
        self.suite, self.uid, self.judge, self.tools, self.folders = suite, uid, judge, tools, cgroups
        self.mode, self.cgroup, self.root = mode, mode, uid == 0
        self.private = False
        uml = "User Mode Linux" in open("/proc/cpuinfo").read()
        self.exact_cpu, self.slowness = not uml, 6 if uml else 1
        if not cgroups and mode == "v2":
            own = cgroup_mounts()["v2"] or ""
            self.folders = [re.sub("/judge-leaf$", "", own)] if own and os.access(own, os.W_OK) else []

    def cgroups_left(self):
        return [os.path.relpath(path, folder) for folder in self.folders
                for path, _, _ in os.walk(folder)
                if path != folder and os.path.basename(path) != "judge-leaf"]

    def mine(self, path):
        try:
            return self.private or os.lstat(path).st_uid == os.getuid()
        except OSError:
            return False

    def outside_state(self):
        temp = ["%s/%s" % (d, f) for d in {"/tmp", tempfile.gettempdir(), "/dev/shm", "/var/tmp"} if os.path.isdir(d)
                for f in os.listdir(d) if not OWN_FILES.match(f)]
        ipc = [line for kind in ("shm", "msg", "sem") if os.path.exists("/proc/sysvipc/" + kind)
               for line in open("/proc/sysvipc/" + kind) if self.private]
        mounts = open("/proc/self/mountinfo").readlines()
        return {"temporary files": list(filter(self.mine, temp)), "IPC objects": ipc, "mounts": mounts}


def isolate_worker(place):
    """Own mounts (shared among themselves, so that a leak through propagation shows), /tmp, /dev/shm, IPC."""
    system("unshare", CLONE_NEWNS | CLONE_NEWIPC)
    tools = os.open(place.tools, os.O_PATH | os.O_DIRECTORY)        # in the new namespace, or it cannot be bound
    system("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)
    project = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    kept = [(path, os.open(path, os.O_PATH)) for path in (project, os.path.join(os.path.dirname(project), "shared"))
            if path.startswith(("/tmp/", "/dev/shm/")) and os.path.isdir(path)]
    for folder in (b"/tmp", b"/dev/shm"):
        system("mount", b"tmpfs", folder, b"tmpfs", 0, b"mode=1777")
    for path, fd in kept:	# a project that lies below /tmp, and what lies beside it, stay where they are
        os.makedirs(path)
        system("mount", b"/proc/self/fd/%d" % fd, path.encode(), None, MS_BIND, None)
        os.close(fd)
    os.mkdir("/tmp/judge-tools-here")
    system("mount", b"/proc/self/fd/%d" % tools, b"/tmp/judge-tools-here", None, MS_BIND, None)
    system("mount", None, b"/", None, MS_REC | MS_SHARED, None)
    os.close(tools)
    place.tools, place.private = "/tmp/judge-tools-here", True
    place.judge = "/tmp/judge-tools-here/judge"
    tempfile.tempdir = "/tmp"


def enter_worker(place):
    for folder in place.folders if os.getuid() == 0 else []:
        leaf = folder + "/judge-leaf"   # of the batch before: where it is, the folder itself has controllers and says EBUSY
        with open((leaf if os.path.isdir(leaf) else folder) + "/cgroup.procs", "w") as f:
            f.write("0")
    if os.getuid() == 0:
        isolate_worker(place)
        os.setgroups([])
        os.setgid(place.uid)
        os.setuid(place.uid)
    system("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.umask(0o022)


def work(place, queue, results):
    """A worker's life: takes numbers of cases until there are no more."""
    enter_worker(place)
    with os.fdopen(results, "w") as out:
        while len(number := os.read(queue, 2)) == 2:
            sentence, function, _ = harness.CASES[int.from_bytes(number, "little")]
            began = time.monotonic()
            result, details = harness.perform(place, sentence, function)
            out.write(json.dumps([result, sentence, details, time.monotonic() - began]) + "\n")
            out.flush()


def spawn(place, queue):
    mine, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(mine)
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))     # the case in hand still cleans up
            work(place, queue, theirs)
            status = 0
        except SystemExit:
            pass                                                        # told to stop
        except BaseException as e:
            print("worker: %s: %s" % (type(e).__name__, e), file=sys.stderr, flush=True)
        finally:
            os._exit(status)
    os.close(theirs)
    return pid, mine


def listen(waiting, told, tell):
    """Passes on what the workers say until all have ended."""
    while waiting.get_map():
        for key, _ in waiting.select():
            line = key.fileobj.readline()
            if not line:
                waiting.unregister(key.fileobj)
                continue
            result, sentence, *details = json.loads(line)
            told.add(sentence)
            tell(result, sentence, *details)


def run_batch(numbers, places, tell):
    """Runs the cases of these numbers in as many workers as there are places; tell(result, sentence, details)."""
    queue, fill = os.pipe()             # holds all numbers: 2 bytes each, of 64 KiB
    os.write(fill, b"".join(n.to_bytes(2, "little") for n in numbers))
    os.close(fill)
    workers, waiting, told = {}, selectors.DefaultSelector(), set()
    for place in places:
        pid, fd = spawn(place, queue)
        workers[pid] = os.fdopen(fd)
        waiting.register(workers[pid], selectors.EVENT_READ)
    os.close(queue)
    try:
        listen(waiting, told, tell)
    except BaseException:
        for pid in workers:
            os.kill(pid, signal.SIGTERM)
        raise
    finally:
        for pid in workers:
            os.waitpid(pid, 0)
    lost = [harness.CASES[n][0] for n in numbers if harness.CASES[n][0] not in told]
    if lost:
        tell("FAIL", lost[0], ["expected: the case runs", "got: its worker died, and with it %d cases" % len(lost)])


class Tally:
    def __init__(self, suite):
        self.suite, self.count, self.element, self.again = suite, {"PASS": 0, "FAIL": 0, "SKIP": 0}, "", ""
        self.slowest = []

    def tell(self, result, sentence, details, seconds=0.0):
        self.count[result] += 1
        self.slowest = sorted([*self.slowest, (seconds, sentence)])[-12:]
        reason = ": " + "; ".join(details) if result == "SKIP" else ""
        print("%s %s: %s%s" % (result, self.element, sentence, reason))
        for line in details if result == "FAIL" else []:
            print("    " + line.replace("\n", "\n    "))
        if result == "FAIL":
            print("    again: %s -k '%s'" % (self.again, sentence.replace("'", "'\\''")))
        sys.stdout.flush()


def is_chosen(options, element, sentence):
    line = ("%s: %s" % (element, sentence)).lower()
    return (not options.k or options.k.lower() in line) and (not options.some or any(s in line for s in options.some))


def read_some(path):
    """The lines of a file of --some. One that chooses no case is an error, or a case renamed would be lost; unless
    it begins with a question mark, for cases that are not everywhere."""
    lines = [line.strip().lower() for line in open(path)]
    some = [line for line in lines if line and line[0] != "#"]
    useless = [s for s in some if s[0] != "?" and not any(s in c[0].lower() for c in harness.CASES)]
    if useless:
        sys.exit("%s: no case has this in its line: %s" % (path, "; ".join(useless)))
    return [s.lstrip("? ") for s in some]


def run_element(suite, options, uid, mode, tools, tally):
    """All chosen cases as one uid with one kind of cgroup."""
    who = "root" if uid == 0 else "user"
    tally.element = "%s-%s-%s" % (suite, who, mode.replace("/", "_"))
    tally.again = "%s --judge %s --uid %d --cgroup %s" % (options.script, options.judge, uid, mode)
    as_root, cgroups = os.getuid() == 0, []
    if as_root and mode in ("v1", "v2") and not cgroup_mounts()[mode]:
        return tally.tell("SKIP", "the whole element", ["no cgroup %s is mounted" % mode])
    chosen = [i for i, c in enumerate(harness.CASES) if is_chosen(options, tally.element, c[0])]
    places = []
    try:
        for slot in range(options.jobs):
            made = make_cgroups(mode, "judge-tests-%d-%d" % (os.getpid(), slot), uid) if as_root else []
            cgroups += made
            places.append(Place(suite, uid, mode, tools + "/judge", tools, made))
        run_batch([i for i in chosen if not harness.CASES[i][2]], places, tally.tell)
        run_batch([i for i in chosen if harness.CASES[i][2]], places[:1], tally.tell)
    finally:
        left = [problem for folder in cgroups for problem in remove_cgroup(folder)]
        if left:
            tally.tell("FAIL", "the cgroups of the element can be removed", ["expected: empty", "got: %s" % left])


def parse_options(suite, script):
    p = argparse.ArgumentParser(prog=script, description="The %s suite, through the judge binary." % suite)
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(script))))
    p.add_argument("--judge", default=os.environ.get("JUDGE", here + "/judge"), metavar="PATH",
                   help="default: $JUDGE, else the project's")
    p.add_argument("--uid", type=int, help="of the caller (default as root: 54321, then 0)")
    p.add_argument("--cgroup", metavar="none|v1|v2|auto|PATH", help="default as root: none, v1, v2")
    p.add_argument("-k", metavar="PATTERN", help="only cases whose line contains this")
    p.add_argument("--some", metavar="FILE", help="only cases whose line contains a line of this file")
    p.add_argument("-j", "--jobs", type=int, default=3, help="cases at once, where time does not matter")
    p.add_argument("--tools", metavar="DIR", help="where the compiled programs and a copy of the judge are kept; made "
                   "when absent (to build outside a slow guest and run inside)")
    p.add_argument("--build", action="store_true", help="fill --tools and stop")
    p.add_argument("--slowest", action="store_true", help="name the twelve slowest cases at the end")
    p.add_argument("--list", action="store_true", help="print the cases and stop")
    options = p.parse_args()
    options.script, options.judge = "python3 " + os.path.relpath(script), os.path.abspath(options.judge)
    return options


def matrix(options):
    """(uid, cgroup mode) of each element. An ordinary user can only be what he is. In `make check` root tries
    two elements that share no half; all with JUDGE_SOAK=1 (`make soak`) or when one half is named."""
    root = os.getuid() == 0
    if not root and options.uid not in (None, os.getuid()):
        sys.exit("only root can run the cases as another uid")
    if root and not SOAK and options.uid is None and options.cgroup is None:
        return [(54321, best_cgroup()), (0, "none")]
    uids, modes = ([54321, 0], ["none", "v1", "v2"]) if root else ([os.getuid()], ["none", "auto"])
    uids = uids if options.uid is None else [options.uid]
    modes = modes if options.cgroup is None else [options.cgroup]
    return [(uid, mode) for uid in uids for mode in modes]


def load_cases(folder, modules):
    for name in sorted(f[:-3] for f in os.listdir(folder) if modules and re.fullmatch(modules, f)):
        importlib.import_module(name)
    sentences = [c[0] for c in harness.CASES]
    twice = {s for s in sentences if sentences.count(s) > 1}
    if twice:
        sys.exit("two cases with one sentence: %s" % sorted(twice))


def compile_program(tools, source, name, *flags):
    done = subprocess.run(["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-o", "%s/%s" % (tools, name), source, *flags],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("%s: %s" % (source, done.stderr))


def fill_tools(tools, judge, build):
    """All that cases run, in one folder that every uid may read; the judge comes last, as the sign of the end."""
    os.makedirs(tools, exist_ok=True)
    os.chmod(tools, 0o755)
    build(tools)
    shutil.copy(judge, tools + "/judge.new")
    os.chmod(tools + "/judge.new", 0o755)
    os.rename(tools + "/judge.new", tools + "/judge")


def suite_main(suite, script, build, modules=r"cases_\w+\.py"):
    """A suite from its options to its exit status. build(tools) compiles what the cases need; the cases are in
    modules beside the script, or, where that is None, in the script itself."""
    options = parse_options(suite, script)
    folder = os.path.dirname(os.path.abspath(script))
    load_cases(folder, modules)
    options.some = read_some(options.some) if options.some else []
    if options.list:
        print("\n".join("%s: %s" % (suite, c[0]) for c in harness.CASES if is_chosen(options, suite, c[0])))
        return 0
    if not os.access(options.judge, os.X_OK):
        sys.exit("%s: no such program; build it with make" % options.judge)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    tools, tally = options.tools or tempfile.mkdtemp(prefix="judge-tools-"), Tally(suite)
    try:
        if not os.path.exists(tools + "/judge"):
            fill_tools(tools, options.judge, build)
        if options.build:
            return 0
        for uid, mode in matrix(options):
            run_element(suite, options, uid, mode, tools, tally)
    finally:
        if not options.tools:
            shutil.rmtree(tools, ignore_errors=True)
    for seconds, sentence in tally.slowest if options.slowest else []:
        print("%7.2f s %s" % (seconds, sentence))
    print("%s: %d passed, %d failed, %d skipped" % (suite, tally.count["PASS"], tally.count["FAIL"], tally.count["SKIP"]))
    return 1 if tally.count["FAIL"] or not tally.count["PASS"] else 0
