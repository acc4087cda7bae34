"""Something runs out or goes away: room on a disk, descriptors, memory, processes, the cgroup, the clock."""
import os, re, resource, shlex, subprocess, threading, time
from cases_inject import box_options, clean_run, contained, sentence_of
from harness import Skip, case, descendants, parse_meta, rows, wait_until

FULL = "no space|space left|ENOSPC"


# A file system without room. It is mounted in namespaces of this test alone and goes with them; so the judge's files
# are copied out at the end. Root needs no user namespace for it, and the judge refuses to be root of one that is his.

NEEDS_DISK = "a user and mount namespace (unshare -Urm)"


def unshare(t, what):
    return ["unshare", what if t.place.root else "-Ur" + what[1:]]


def on_small_disk(t, script, *options, meta_there=False, program=("@probe", "nap", "250", "print", "200")):
    """Runs the judge with $D a tmpfs of 16 KiB; `script` runs beside it. What is in $D at the end is in results."""
    if subprocess.run([*unshare(t, "-m"), "true"], capture_output=True).returncode:
        raise Skip(NEEDS_DISK)
    disk = t.folder + "/disk"
    if not os.path.exists(disk):
        os.mkdir(disk)
    options = [o.replace("$D", disk) for o in options]
    inside = """D=%s; mount -t tmpfs -o size=16k none $D || exit 99; (%s) & "$@"; rc=$?; wait
        for f in meta audit out; do [ ! -e $D/$f ] || cp $D/$f %s/kept-$f; done; [ ! -e $D/meta ] || ls -A $D >%s/kept-list
        exit $rc""" % (shlex.quote(disk), script, shlex.quote(t.results), shlex.quote(t.results))
    t.changes = {"disk"}
    run = t.start(list(program), *options, meta=disk + "/meta" if meta_there else None, wrap=[*unshare(t, "-m"), "sh", "-c", inside, "sh"])
    return t.finish(run, 20)


def kept(t, name):
    path = "%s/kept-%s" % (t.results, name)
    return open(path, errors="replace").read() if os.path.exists(path) else None


FILL = "dd if=/dev/zero of=$D/fill bs=4k 2>/dev/null; sync"


@case("a disk that is full at the end: the meta file still says IE, the judge names it, the verdict is printed")
def meta_full_late(t):
    run = on_small_disk(t, "sleep 0.12; " + FILL, "--cgroup", "none", meta_there=True)
    t.that(run.rc == 3, "exit status 3", run.story())
    t.that(re.search("meta.*(%s)" % FULL, run.said, re.I), "a sentence about the meta file and the disk", run.story())
    t.that("OK" in run.said, "the verdict on standard error", run.story())
    t.that(parse_meta(kept(t, "meta") or "")["verdict"] == "IE", "a whole meta file that says IE", kept(t, "meta"))
    t.same("what is in its folder", "fill\nmeta\n", kept(t, "list"))


@case("a disk that is full at the start: nothing runs, the judge names it, no half of a meta file")
def meta_full_early(t):
    run = on_small_disk(t, "true", "--cgroup", "none", meta_there=True, program=("@probe", "print", "1"))
    t.that(run.rc == 0, "a run with room", run.story())
    os.rename(t.results + "/kept-meta", t.results + "/kept-before")
    filled = ["sh", "-c", FILL.replace("$D", t.folder + "/disk") + '; exec "$@"', "sh"]
    argv = run.argv
    inside = 'D=%s; mount -t tmpfs -o size=16k none $D; "$@"; rc=$?; [ ! -e $D/meta ] || cp $D/meta %s/kept-meta; exit $rc' % (
        shlex.quote(t.folder + "/disk"), shlex.quote(t.results))
    done = subprocess.run([*unshare(t, "-m"), "sh", "-c", inside, "sh", *filled, *argv], capture_output=True,
                          text=True, timeout=20, cwd=t.folder)
    t.that(done.returncode == 3 and done.stdout == "", "exit status 3 and no output", done)
    t.that(re.search("meta.*(%s)" % FULL, done.stderr, re.I), "a sentence about the meta file and the disk", done.stderr)
    t.that(kept(t, "meta") is None or parse_meta(kept(t, "meta") or "")["verdict"] == "IE", "no meta file or a whole one", repr(kept(t, "meta")))


@case("standard output to a full disk is IE, not a verdict")
def stdout_full(t):
    run = on_small_disk(t, "true", "--stdout", "$D/out", "--cgroup", "none")
    t.verdict(run, "IE")
    t.says(run, "standard output", FULL)


@case("an audit log on a full disk loses nothing but its line: the verdict is printed and in the meta file")
def audit_full(t):
    run = on_small_disk(t, FILL, "--audit", "$D/audit", "--cgroup", "none")
    t.that(run.rc == 3, "exit status 3", run.story())
    t.says(run, "audit", FULL)
    t.that(run.verdict == "OK" and "OK" in run.said, "the verdict in meta file and on standard error", run.story())
    t.that(not kept(t, "audit"), "no half line", kept(t, "audit"))


# Descriptors, memory, processes.

def contained_or_refused(t, run, what, allowed=()):
    """The program saw the whole box, or there was IE or a usage error with a sentence."""
    clean = clean_run(t, "probe")
    trouble = contained(run, clean, ("none", "none", ""), allowed)
    t.that(not trouble, "%s: the same box" % what, "%s; %s" % (trouble, run.story()))
    if run.rc == 0 and run.verdict == "OK":
        return True
    t.that(run.rc in (2, 3) and run.verdict in ("IE", None), "%s: OK, IE or a usage error" % what, run.story())
    t.that(re.search("[a-z]{3,} [a-z]", sentence_of(run)), "%s: a sentence" % what, run.story())
    left = t.leftovers()
    t.that(not left, "%s: nothing left" % what, left)
    return False


@case("a judge that may have few descriptors runs the program in a whole box or says so")
def few_descriptors(t):
    ran = []
    for most in [*range(3, 40), 64, 128]:
        run = t.run(["@probe"], *box_options(t), preexec=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, 1024)))
        ran.append(contained_or_refused(t, run, "%d descriptors" % most))
    t.that(ran[-1], "OK with 128 descriptors", ran)


@case("a hard limit of descriptors gives the program no more than that, or it does not run")
def few_descriptors_hard(t):
    for most in (8, 16, 24, 32, 64, 255):
        run = t.run(["@probe"], *box_options(t), preexec=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        contained_or_refused(t, run, "at most %d descriptors" % most, ["rlimit-7 "])


def starts(t, bytes):
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes, resource.RLIM_INFINITY))
    return subprocess.run([t.judge, "run", "--help"], preexec_fn=limit, capture_output=True).returncode == 0


@case("a judge that may have little memory runs the program in a whole box or says so")
def little_memory(t):
    least = next((k for k in range(256, 16384, 64) if starts(t, k << 10)), None)
    t.that(least, "a judge that starts in 16 MiB", least)
    ran = []
    for kib in [*range(least, least + 512, 32), *range(least + 512, least + 4096, 512)]:
        run = t.run(["@probe"], *box_options(t), preexec=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (kib << 10, resource.RLIM_INFINITY)))
        ran.append(contained_or_refused(t, run, "%d KiB" % kib, ["rlimit-9 "]))
    t.that(any(ran), "OK with 4 MiB more than it starts with", ran)


def own_folder(t, name):
    """A folder of the test's in each v1 hierarchy of the worker's."""
    if t.place.mode != "v1" or not t.place.folders:
        raise Skip("needs cgroup v1 folders of the test's own")
    made = []
    for parent in t.place.folders:
        os.mkdir("%s/%s" % (parent, name))
        made.append("%s/%s" % (parent, name))
    return made


def move_here(folders):
    for folder in folders:
        with open(folder + "/tasks", "w") as f:
            f.write("0")


@case("a cgroup that has no room for more processes: IE that says so, or a box with fewer")
def full_pids(t):
    folders = own_folder(t, "tight")
    pids = next(f for f in folders if os.path.exists(f + "/pids.max"))
    seen = []
    try:
        for most in (1, 2, 3, 5, 20):
            with open(pids + "/pids.max", "w") as f:
                f.write(str(most))
            run = t.run(["@probe"], "--processes", "8", "--wall-time", "6", preexec=lambda: move_here(folders))
            seen.append((most, run.rc, run.facts().get("processes")))
            if run.rc == 3:
                t.says(run, "process")
                t.that(run.out == b"", "no output", run.story())
            else:
                t.verdict(run, "OK")
                t.that(run.facts().get("ns-pid") and run.facts()["ns-pid"] != os.readlink("/proc/self/ns/pid"), "in a box", run.text())
    finally:
        for folder in folders:
            wait_until(lambda: not open(folder + "/tasks").read(), 3)
            for path, _, _ in os.walk(folder, topdown=False):
                os.rmdir(path)
    t.that([rc for _, rc, _ in seen[:2]] == [3, 3] and seen[-1][1:] == (0, "7"), "IE with 1 and 2, whole with 20", seen)


def box_folders(t):
    return [path for folder in t.place.folders for path, _, _ in os.walk(folder) if "judge-box-" in os.path.basename(path)]


def take_away(t):
    """Moves what is in the box's folders up, and removes them."""
    removed = 0
    for path in box_folders(t):
        for pid in open(path + "/tasks").read().split():
            with open(os.path.dirname(path) + "/tasks", "w") as f:
                f.write(pid)
        os.rmdir(path)
        removed += 1
    return removed


@rows([("a cgroup taken away under a program that ends well: OK or IE", ["nap", "400", "print", "1"], [], {"OK", "IE"}),
       ("a cgroup taken away under a program that then uses too much memory: MLE or IE", ["nap", "300", "memory", "100"], ["--memory", "32M"], {"MLE", "IE"}),
       ("a cgroup taken away under a program that computes for ever: TLE or IE", ["spin"], ["--time", "0.5"], {"TLE", "IE"}),
       ("a cgroup taken away under a program that sleeps for ever: WTL or IE", ["sleep"], ["--wall-time", "0.6"], {"WTL", "IE"})])
def cgroup_taken(t, arguments, options, verdicts):
    if t.place.mode != "v1" or not t.place.folders:
        raise Skip("needs cgroup v1 folders of the test's own")
    options = options if "--wall-time" in options else [*options, "--wall-time", "8"]
    run = t.start(["@probe", *arguments], *options)
    t.that(wait_until(lambda: "probe" in descendants(run.process.pid).values(), 5), "the program starts", run.argv)
    t.that(take_away(t) > 0, "a cgroup to take away", t.place.folders)
    t.finish(run, 15)
    t.that(run.verdict in verdicts, "one of %s" % sorted(verdicts), run.story())


@case("cgroup folders that somebody removes as soon as they are empty: OK or IE with a sentence", alone=True)
def cgroup_race(t):
    if t.place.mode != "v1" or not t.place.folders:
        raise Skip("needs cgroup v1 folders of the test's own")
    clean_run(t, "probe")
    stop, removed = threading.Event(), []

    def remove():
        while not stop.is_set():
            for folder in t.place.folders:
                for name in os.listdir(folder):
                    if name.startswith("judge-box-"):
                        try:
                            os.rmdir("%s/%s" % (folder, name))
                            removed.append(name)
                        except OSError:
                            pass
    remover = threading.Thread(target=remove)
    remover.start()
    try:
        for _ in range(40):
            contained_or_refused(t, t.run(["@probe"], *box_options(t)), "folders that go")
    finally:
        stop.set()
        remover.join()
    t.that(removed, "folders that were removed", removed)


# Clocks. This machine's is left alone: a time namespace shifts the monotonic clocks of the judge, and the real-time
# clock steps only on a virtual machine of the tests'.

@rows([("limits and figures hold with the monotonic clock shifted by %+d days" % (s // 86400), s) for s in (86400 * 30, 86400 * 3000)])
def monotonic_shifted(t, seconds):
    wrap = [*unshare(t, "-T"), "--monotonic", str(seconds), "--boottime", str(seconds), "--"]
    if subprocess.run([*wrap, "true"], capture_output=True).returncode:
        raise Skip("time namespaces")
    run = t.run(["@probe", "nap", "200", "print", "1"], "--wall-time", "5", "--cgroup", "none", wrap=wrap)
    t.verdict(run, "OK")
    t.within("wall time", 0.19, run.number("time-wall"), t.seconds(1))
    t.verdict(t.run(["@probe", "sleep"], "--wall-time", "0.2", "--cgroup", "none", wrap=wrap), "WTL")
    t.verdict(t.run(["@probe", "spin"], "--time", "0.2", "--wall-time", "9", "--cgroup", "none", wrap=wrap), "TLE")


@rows([("limits and figures hold when the real-time clock steps by %+d s during a run" % s, s) for s in (3600, -3600)], alone=True)
def clock_steps(t, seconds):
    if not t.place.root or "User Mode Linux" not in open("/proc/cpuinfo").read():
        raise Skip("a clock that may be set: only root's in a virtual machine")
    run = t.start(["@probe", "nap", "600", "print", "1"], "--wall-time", "20")
    wait_until(lambda: "probe" in descendants(run.process.pid).values(), 10)
    time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)
    try:
        t.finish(run, 30)
    finally:
        time.clock_settime(time.CLOCK_REALTIME, time.time() - seconds)
    t.verdict(run, "OK")
    t.within("wall time", 0.5, run.number("time-wall"), t.seconds(3))
