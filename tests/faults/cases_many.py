"""Many boxes: at once, and one after the other, which must not grow anything."""
import os, statistics, subprocess, time
import soak
from cases_inject import box_options, clean_run, contained
from harness import case, descendants, wait_until

AT_ONCE = 64


@case("%d boxes at once are whole boxes, and nothing is left of them" % AT_ONCE, alone=True)
def at_once(t):
    clean = clean_run(t, "probe")
    audited = lambda: len(open(t.results + "/kept-audit").readlines()) if os.path.exists(t.results + "/kept-audit") else 0
    before = audited()
    runs = [t.start(["@probe", "nap", "1000"], *[o.replace("kept-made", "kept-made-%d" % i) for o in box_options(t)][:-2],
                    "--dir", "/shown=" + t.folder) for i in range(AT_ONCE)]
    together = lambda: list(descendants(os.getpid()).values()).count("probe")
    t.that(wait_until(lambda: together() >= AT_ONCE, 0.9), "%d programs at one time" % AT_ONCE, together())
    for run in runs:
        t.finish(run, 60)
    for run in runs:
        t.verdict(run, "OK")
        trouble = contained(run, clean, ("none", "none", ""))
        t.that(not trouble, "the same box as alone", trouble)
    for kind in ("user", "pid", "mnt", "net", "ipc"):
        t.same("different %s namespaces" % kind, AT_ONCE, len({r.facts().get("ns-" + kind) for r in runs}))
    t.same("audit lines", before + AT_ONCE, audited())


@case("%d boxes at once, each computing past its limit, are all ended by it" % 12, alone=True)
def at_once_limits(t):
    runs = [t.start(["@probe", "spin"], "--time", "0.1", "--wall-time", "30") for _ in range(12)]
    for run in runs:
        t.finish(run, 60)
        t.verdict(run, "TLE")


def kernel_state():
    """Counts of what a leak would raise: cgroups, mounts, processes, open files of the machine."""
    groups = [line.split() for line in open("/proc/cgroups") if not line.startswith("#")]
    return {"cgroups": sum(int(g[2]) for g in groups), "mounts": len(open("/proc/self/mountinfo").readlines()),
            "descriptors of this process": len(os.listdir("/proc/self/fd")), "files in /tmp": len(os.listdir("/tmp")),
            "children": len(descendants(os.getpid(), alive_only=False))}


def one(t, argv, out):
    """(seconds, peak memory of the judge in KiB) of one quick run."""
    began = time.monotonic()
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=t.environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    t.same("exit status", 0, process.returncode)
    return time.monotonic() - began, usage.ru_maxrss


@case("thousands of boxes in a row: no growth of files, mounts, cgroups, processes, memory or time", alone=True)
def in_a_row(t):
    count, seen = soak.times(1000, 2500), []
    t.run(["@probe", "print", "1"])
    argv, _ = t.command(["@probe", "print", "1"], ["-q"], meta=t.results + "/kept-meta", stderr=t.results + "/kept-stderr")
    with open(os.devnull, "w") as out:
        for _ in range(20):
            one(t, argv, out)
        before = kernel_state()
        for _ in range(count):
            seen.append(one(t, argv, out))
    after = kernel_state()
    grown = {k: "%d to %d" % (before[k], after[k]) for k in before if after[k] > before[k] and k != "cgroups"}
    # Other judges of the machine come and go, a leak of one a box does not.
    t.that(after["cgroups"] < before["cgroups"] + count / 4, "cgroups as before", "%s, %s" % (before, after))
    t.that(not grown, "nothing more than before", grown)
    part = count // 5
    first, last = seen[:part], seen[-part:]
    t.that(statistics.median(m for _, m in last) <= 1.1 * statistics.median(m for _, m in first) + 64, "the judge's peak memory as before",
           [statistics.median(m for _, m in first), statistics.median(m for _, m in last)])
    fast = lambda part: sorted(s for s, _ in part)[len(part) // 10]     # what a loaded machine lets through
    t.that(fast(last) <= 2 * fast(first) + 0.005, "a box as quick as before", [fast(first), fast(last)])
