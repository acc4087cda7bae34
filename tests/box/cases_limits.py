"""Each limit at its edge and one past it; ceilings, files and the order of precedence."""
import json
from harness import LIMITS, MIB, Skip, case, rows


@rows([("%s: exactly the limit is OK, one byte more OLE with exactly the limit passed on" % name, fd) for name, fd in
       (("stdout", 1), ("stderr", 2))])
def output(t, fd):
    for limit in (1, 1000, 65536, 200001):
        run = t.run(["@act", "write", str(fd), str(limit)], "--output", str(limit))
        passed = t.verdict(run, "OK").out if fd == 1 else run.err
        t.same("bytes passed on", limit, len(passed))
        run = t.run(["@act", "write", str(fd), str(limit + 1)], "--output", str(limit))
        passed = t.verdict(run, "OLE", limit="output").out if fd == 1 else run.err
        t.same("bytes passed on of %d" % limit, limit, len(passed))
        t.same("meta " + ("stdout", "stderr")[fd - 1] + "-bytes", str(limit),
               run.meta[("stdout", "stderr")[fd - 1] + "-bytes"])


@case("the default output limit is 10 MiB")
def output_default(t):
    t.same("passed on", 10 * MIB, len(t.verdict(t.run(["@act", "write", "1", str(10 * MIB)]), "OK").out))
    t.same("passed on", 10 * MIB, len(t.verdict(t.run(["@act", "write", "1", str(10 * MIB + 1)]), "OLE").out))


@case("stdout and stderr have each its own output limit")
def output_each(t):
    t.verdict(t.run(["/bin/sh", "-c", "printf 12345; printf 12345 >&2"], "--output", "5"), "OK")


@case("CPU time below the limit is OK, beyond it TLE, at the limit and not at a later tick", alone=True)
def cpu(t):
    t.verdict(t.run(["@use", "cpu", "0.3"], "--time", "0.5"), "OK")
    run = t.verdict(t.run(["@use", "cpu", "20"], "--time", "0.5"), "TLE", limit="time")
    t.within("time", 0.5, run.number("time"), 0.5 + t.seconds(0.03))
    t.says(run, "0.5 s")


@case("CPU time of four threads is summed", alone=True)
def cpu_threads(t):
    run = t.verdict(t.run(["@use", "cpu-threads", "0.3", "4"], "--time", "0.6"), "TLE")
    t.within("time", 0.6, run.number("time"), 0.6 + t.seconds(0.06))


@case("CPU time of children is summed, also of those nobody waits for", alone=True)
def cpu_children(t):
    t.verdict(t.run(["@use", "cpu-children", "0.3", "3", "0"], "--time", "0.6"), "TLE")
    run = t.verdict(t.run(["@use", "cpu-children", "0.1", "3", "0"], "--time", "1"), "OK")
    ticks = 0 if t.place.exact_cpu else 0.03         # where a child's time is told in whole ones
    t.within("time", 0.3 - ticks, run.number("time"), 0.4)


@case("a program that ignores and blocks every signal is ended at the CPU limit", alone=True)
def cpu_stubborn(t):
    t.verdict(t.run(["@act", "ignore-signals", "spin"], "--time", "0.3"), "TLE")


@case("--extra-time lets the program end a little late, and it is TLE all the same", alone=True)
def extra_time(t):
    run = t.run(["@use", "cpu", "0.5"], "--time", "0.3", "--extra-time", "1")
    t.verdict(run, "TLE")
    t.that(b"rusage" in run.out, "the program reached its end", run.story())
    t.within("time", 0.5, run.number("time"), 0.7)


@case("wall time below the limit is OK, beyond it WTL and not TLE, at the limit", alone=True)
def wall(t):
    t.verdict(t.run(["@use", "wall", "0.3"], "--wall-time", "0.5"), "OK")
    run = t.verdict(t.run(["@use", "wall", "20"], "--wall-time", "0.5"), "WTL", limit="wall-time")
    t.within("time-wall", 0.5, run.number("time-wall"), 0.5 + t.seconds(0.03))
    t.within("time", 0, run.number("time"), 0.1)


@case("a program that stops itself is ended at the wall limit", alone=True)
def wall_stopped(t):
    t.verdict(t.run(["@act", "kill", "19"], "--wall-time", "0.3"), "WTL")


@case("memory below the limit is OK, beyond it MLE")
def memory(t):
    run = t.verdict(t.run(["@use", "memory", "40"], "--memory", "64M"), "OK")
    t.within("mem-peak in MiB", 40, run.number("mem-peak") / MIB, 48)
    run = t.verdict(t.run(["@use", "memory", "128"], "--memory", "64M"), "MLE", limit="memory")
    late = 64 if run.meta.get("enforced-memory") == "polling" else 2       # what is touched between two looks
    t.within("mem-peak in MiB", 40, run.number("mem-peak") / MIB, 64 + late)


@case("memory spread over children counts for the whole box", alone=True)
def memory_children(t):
    t.verdict(t.run(["@use", "memory-children", "40", "4"], "--memory", "64M"), "OK")
    t.verdict(t.run(["@use", "memory-children", "160", "4"], "--memory", "64M"), "MLE")


@case("the default memory limit is 256 MiB")
def memory_default(t):
    t.verdict(t.run(["@use", "memory", "200"]), "OK")
    t.verdict(t.run(["@use", "memory", "300"]), "MLE")


@case("32 GiB of address space may be reserved where a cgroup counts the memory")
def memory_reserve(t):
    run = t.run(["@use", "reserve", "32768"])
    if run.meta.get("enforced-memory", "").startswith("cgroup"):
        t.verdict(run, "OK")
    else:
        raise Skip("a memory cgroup (here: %s)" % run.meta.get("enforced-memory"))


@case("a static array over the memory limit is MLE and never IE")
def memory_array(t):
    run = t.verdict(t.run(["@big_array"], "--memory", "64M"), "MLE")
    t.same("output", b"", run.out)


@case("a memory limit too small to start anything is MLE or a usage error, never IE")
def memory_tiny(t):
    run = t.run(["/usr/bin/python3", "-c", "print(1)"], "--memory", "1M")
    t.that(run.rc == 2 or run.verdict == "MLE", "MLE or exit status 2", run.story())


@case("one process after another: the memory peak is the run's own, not that of an earlier run")
def memory_fresh(t):
    t.run(["@use", "memory", "100"])
    t.within("mem-peak in MiB", 0, t.run(["@act", "exit", "0"]).number("mem-peak") / MIB, 8)


@case("the process limit counts processes and threads alive at once, exactly")
def process_limit(t):
    for what in ("processes", "threads"):
        run = t.run(["@use", what, "7"], "--processes", "8")
        t.same(what, "7 0", " ".join(t.verdict(run, "OK").facts().values()))
        run = t.verdict(t.run(["@use", what, "20"], "--processes", "8"), "OK")
        t.same(what + " past the limit: made, errno", "7 11", " ".join(run.facts().values()))


@case("the default process limit is 64")
def process_default(t):
    t.same("children", "63", t.verdict(t.run(["@use", "processes", "100"]), "OK").facts()["children"])


@case("1000 short-lived children one after the other do not reach the process limit")
def process_reuse(t):
    # Not fewer: init waits for each, on the CPU that the program keeps busy.
    run = t.run(["@act", "orphans", "1000"], "--processes", "64", "--time", "20")
    t.same("made", "made 1000\n", t.verdict(run, "OK").text())


@case("the limit of open files is exact")
def open_files(t):
    run = t.run(["@use", "open-files", "29"], "--open-files", "32")
    t.same("opened", "29", run.facts()["opened"])
    run = t.run(["@use", "open-files", "40"], "--open-files", "32")
    t.same("opened, last, errno", ["29", "31", "24"], list(run.facts().values()))
    t.same("default", "253", t.run(["@use", "open-files", "1000"]).facts()["opened"])


@case("the disk limit holds for /box, /tmp and /dev/shm together, with ENOSPC")
def disk(t):
    run = t.run(["@use", "disk", str(4 * MIB), "/box/a", "/tmp/b"], "--disk", "16M")
    t.same("written", str(8 * MIB), t.verdict(run, "OK").facts()["written"])
    run = t.run(["@use", "disk", str(9 * MIB), "/box/a", "/tmp/b", "/dev/shm/c"], "--disk", "16M")
    t.within("written", 12 * MIB, int(run.facts()["written"]), 16 * MIB)
    t.same("errno", "28", run.facts()["errno"])


@case("the disk has 4096 inodes, in all its folders together")
def inodes(t):
    t.same("files", "3500", t.run(["@use", "inodes", "3500", "/box"]).facts()["files"])
    facts = t.run(["@use", "inodes", "9000", "/tmp"]).facts()
    t.within("files", 3900, int(facts["files"]), 4096)
    t.same("errno", "28", facts["errno"])


@case("one file: exactly the limit may be written, one byte more is SIGXFSZ")
def file_size(t):
    run = t.run(["@use", "disk", str(MIB), "/tmp/a"], "--file-size", "1M")
    t.same("written", str(MIB), t.verdict(run, "OK").facts()["written"])
    t.verdict(t.run(["@use", "disk", str(MIB + 1), "/tmp/a"], "--file-size", "1M"), "RTE", exitsig="25")


@case("stack: below the limit it works, beyond it is SIGSEGV")
def stack(t):
    t.verdict(t.run(["@use", "stack", "3000"], "--stack", "4M"), "OK")
    t.verdict(t.run(["@use", "stack", "5000"], "--stack", "4M"), "RTE", exitsig="11")


@case("the stack is as large as the memory limit by default")
def stack_default(t):
    t.verdict(t.run(["@use", "stack", "150000"]), "OK")


@case("endless recursion ends as RTE or MLE, within the memory limit")
def stack_endless(t):
    run = t.run(["@use", "stack", "2000000000"])
    t.that(run.verdict in ("RTE", "MLE"), "RTE or MLE", run.story())


@case("the CPU share holds: half a CPU takes twice the time", alone=True)
def cpus(t):
    run = t.run(["@use", "cpu-threads", "0.3", "2"], "--cpus", "0.5", "--time", "5")
    how = run.meta.get("enforced-cpus", "none")
    if not how.startswith("cgroup"):
        raise Skip("a cpu cgroup (here: %s)" % how)
    t.within("time-wall", 0.9, t.verdict(run, "OK").number("time-wall"), 5)


CEILINGS = [("time", "61", "60"), ("wall-time", "301", "300"), ("memory", "5G", "4 ?G"), ("processes", "1025", "1024"),
            ("open-files", "1025", "1024"), ("disk", "2G", "1 ?G"), ("output", "101M", "100 ?M")]


@rows([("--%s %s is over the ceiling and refused by name, with both numbers" % row[:2], *row) for row in CEILINGS])
def ceiling(t, name, value, most):
    t.refused(t.run(["/bin/true"], "--" + name, value), "--" + name, value[:-1] if value[-1] in "GM" else value, most)


BAD_VALUES = ["2h", "", "-1", "+1", "nan", "inf", "1e3", "0x10", " 1", "1 ", "1.2.3", "99999999999999999999999", "1;2"]


@rows([("--%s refuses what is no such number" % name, name) for name in LIMITS])
def bad_values(t, name):
    for value in BAD_VALUES:
        t.refused(t.run(["/bin/true"], "--%s=%s" % (name, value)), "--" + name)


@case("a stack over the memory limit, and a file over the disk limit, are refused")
def follow(t):
    t.refused(t.run(["/bin/true"], "--memory", "64M", "--stack", "65M"), "stack")
    t.refused(t.run(["/bin/true"], "--disk", "16M", "--file-size", "17M"), "file-size")


@case("times in ms and sizes in K, M, G are read")
def units(t):
    run = t.run(["@use", "wall", "9"], "--wall-time", "300ms", "--memory", "131072K")
    t.verdict(run, "WTL")
    t.within("time-wall", 0.3, run.number("time-wall"), 0.5)


def opened(t, *options, **how):
    return t.verdict(t.run(["@use", "open-files", "1000"], *options, **how), "OK").facts()["opened"]


@case("--limits FILE gives defaults and ceilings, and names file and line of what is wrong")
def limits_file(t):
    path = t.write("limits", "# ours\ncompile.open-files 30\nopen-files 40 most 50\n\nwall-time most 100\n")
    t.same("opened", "37", opened(t, "--limits", path))
    t.same("opened", "47", opened(t, "--limits", path, "--open-files", "50"))
    t.refused(t.run(["/bin/true"], "--limits", path, "--open-files", "51"), "--open-files", "51", "50")
    t.refused(t.run(["/bin/true"], "--limits", t.write("bad", "time 1\nno-such 2\n")), "bad:2", "no-such")
    t.refused(t.run(["/bin/true"], "--limits", "no-such-file"), "no-such-file")


@case("$JUDGE_LIMITS names a limits file; --limits wins over it")
def limits_variable(t):
    one, two = t.write("one", "open-files 40\n"), t.write("two", "open-files 50\n")
    t.same("opened", "37", opened(t, env={"JUDGE_LIMITS": one}))
    t.same("opened", "47", opened(t, "--limits", two, env={"JUDGE_LIMITS": one}))
    t.refused(t.run(["/bin/true"], env={"JUDGE_LIMITS": "/no/such/limits"}), "/no/such/limits")


def walls(t, expected, *options):
    run = t.verdict(t.run(["@use", "wall", "9"], *options), "WTL")
    t.within("time-wall", expected, run.number("time-wall"), expected + t.seconds(0.25))


@case("precedence: the limits file, then the problem, then the command line, in whatever order they are given", alone=True)
def precedence(t):
    site = t.write("limits", "wall-time 0.9\n")
    problem = t.write("problem.json", json.dumps({"timeout_override": 0.5}))
    walls(t, 0.9, "--limits", site)
    walls(t, 0.5, "--problem", problem, "--limits", site)
    walls(t, 0.2, "--wall-time", "0.2", "--problem", problem, "--limits", site)


@case("a problem's time_limit and memory_limit are CPU seconds and MiB; memory_override wins", alone=True)
def problem(t):
    seconds = 0.3 * t.place.slowness
    path = t.write("a.json", json.dumps({"time_limit": seconds, "memory_limit": 64}))
    run = t.verdict(t.run(["@use", "cpu", "9"], "--problem", path), "TLE")
    t.within("time", seconds, run.number("time"), seconds + 0.2)
    t.verdict(t.run(["@use", "memory", "128"], "--problem", path), "MLE")
    path = t.write("b.json", json.dumps({"memory_override": 200, "memory_limit": 32}))
    t.verdict(t.run(["@use", "memory", "128"], "--problem", path), "OK")


BAD_PROBLEMS = [("an unknown key", '{"time_limt": 1}', "time_limt"), ("a string", '{"time_limit": "1"}', "time_limit"),
                ("a key twice", '{"time_limit": 1, "time_limit": 2}', "time_limit"), ("null", '{"memory_limit": null}',
                "memory_limit"), ("a negative number", '{"memory_limit": -1}', "memory_limit"),
                ("a value over the ceiling", '{"time_limit": 61}', "time_limit"), ("a list", "[1]", "p.json"),
                ("a text that ends early", '{"time_limit": 1', "p.json"), ("something behind the object",
                '{"time_limit": 1} x', "p.json"), ("NaN", '{"time_limit": NaN}', "time_limit|p.json"), ("no text", "", "p.json")]


@rows([("a problem file with %s is refused by its name" % row[0], *row[1:]) for row in BAD_PROBLEMS])
def bad_problem(t, text, name):
    t.refused(t.run(["/bin/true"], "--problem", t.write("p.json", text)), name)


@case("an unknown option is refused, and what comes after -- is never ours")
def unknown(t):
    t.refused(t.run(["/bin/true"], "--no-such-option"), "--no-such-option")
    t.refused(t.run(["/bin/true"], "--tim", "1"), "--tim")
    t.same("output", "--time 99999\n", t.run(["/bin/echo", "--time", "99999"]).text())
