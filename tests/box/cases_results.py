"""Verdicts, exit statuses, the meta file and its JSON, the receipt, the truth of the times."""
import os, signal, time
from harness import LIMITS, MIB, Skip, case, parse_json, parse_meta, rows

SIGNALS = [n for n in range(1, 32) if n not in (17, 18, 19, 20, 21, 22, 23, 28, 31)] + [36]


@rows([("exit(%d) is %s, with exitcode %d and no signal" % (n, "OK" if n == 0 else "RTE", n), n)
       for n in (0, 1, 42, 137, 139, 255)])
def exits(t, n):
    run = t.verdict(t.run(["@act", "exit", str(n)]), "OK" if n == 0 else "RTE", exitcode=str(n), exitsig=None,
                    status="RE" if n else None)
    if n:
        t.says(run, r"\b%d\b" % n)


@rows([("a program killed by its own %s is RTE with exitsig %d" % (
    signal.Signals(n).name if n < 32 else "signal", n), n) for n in SIGNALS])
def signals(t, n):
    run = t.verdict(t.run(["@act", "kill", str(n)]), "RTE", exitsig=str(n), exitcode=None, status="SG")
    t.says(run, r"\b%d\b" % n)


@case("a program that sends itself SIGSYS is RTE or SV, with exitsig 31")
def own_sigsys(t):
    run = t.run(["@act", "kill", "31"])
    t.that(run.verdict in ("RTE", "SV") and run.meta.get("exitsig") == "31", "RTE or SV, exitsig 31", run.story())


OTHERS = [("OK", ["@act", "exit", "0"], (), 0), ("RTE", ["@act", "exit", "3"], (), 1),
          ("TLE", ["@use", "cpu", "9"], ("--time", "0.2"), 1), ("WTL", ["@use", "wall", "9"], ("--wall-time", "0.2"), 1),
          ("MLE", ["@use", "memory", "99"], ("--memory", "32M"), 1), ("OLE", ["@act", "write", "1", "9"], ("--output", "8"), 1)]


@rows([("%s: exit status %d, the verdict on one line of the judge's stderr" % (row[0], row[3]), *row) for row in OTHERS])
def statuses(t, verdict, program, options, rc):
    run = t.verdict(t.run(program, *options), verdict, rc)
    lines = run.said.strip().splitlines()
    t.that(len(lines) == 1 and verdict in lines[0], "one line with " + verdict, repr(run.said))


@case("-q says nothing for a verdict, and the exit status stays")
def quiet(t):
    run = t.run(["@act", "exit", "3"], "-q")
    t.same("said, status", ("", 1), (run.said, run.rc))


@case("--exit-code=program passes the program's own status through")
def exit_code(t):
    for n in (0, 3, 42, 255):
        t.same("exit status", n, t.run(["@act", "exit", str(n)], "--exit-code=program").rc)
    t.that(t.run(["@act", "kill", "9"], "--exit-code=program").rc not in (0, None), "not 0 for a killed program",
           t.runs[-1].story())
    t.that(t.run(["@use", "wall", "9"], "--exit-code=program", "--wall-time", "0.2").rc != 0, "not 0 for WTL",
           t.runs[-1].story())
    t.refused(t.run(["/bin/true"], "--exit-code=other"), "--exit-code")


@case("a run without PROGRAM, and an unknown command, are usage errors")
def usage(t):
    t.same("exit status", 2, t.run([]).rc)


@case("a cgroup that is asked for and cannot be had is no silent fallback")
def no_cgroup(t):
    run = t.run(["@act", "write", "1", "3"], "--cgroup", "/sys/fs/cgroup/no/such/group")
    t.that(run.rc in (2, 3) and not run.out, "exit status 2 or 3, nothing ran", run.story())
    t.says(run, "no/such/group")
    t.that(run.rc == 2 or run.verdict == "IE", "a usage error, or a meta file that says IE", run.story())


@case("--require cgroup refuses a run without one, and nothing runs")
def require(t):
    run = t.run(["@act", "write", "1", "3"], "--require", "cgroup", "--cgroup", "none")
    t.that(run.rc in (2, 3) and not run.out, "exit status 2 or 3, nothing ran", run.story())
    t.says(run, "cgroup")


@case("the receipt names what enforced each limit and what measured each figure")
def receipt(t):
    meta = t.verdict(t.run(["@act", "exit", "0"]), "OK").meta
    for name in LIMITS:
        t.that("enforced-" + name in meta, "enforced-" + name, sorted(meta))
    for name in ("cpu", "wall", "memory"):
        t.that(meta.get("measured-" + name, "none") != "none", "measured-" + name, meta)
    want = {"none": "none", "v1": "v1", "v2": "v2"}.get(t.place.mode)
    t.that(want is None or meta["cgroup"] == want, "cgroup:%s" % want, meta["cgroup"])
    for name in ("time", "wall-time", "memory", "processes", "open-files", "disk", "output", "file-size"):
        t.that(meta["enforced-" + name] != "none", "something enforces " + name, meta)


@case("a cgroup2 mounted without nsdelegate is told in the notice, one with it is not")
def nsdelegate(t):
    if t.place.mode != "v2":
        raise Skip("cgroup v2")
    mounts = [line.split() for line in open("/proc/mounts")]
    has = ["nsdelegate" in m[3].split(",") for m in mounts if m[2] == "cgroup2"][-1]
    run = t.verdict(t.run(["@act", "exit", "0"]), "OK")
    t.same("nsdelegate in the notice", not has, "nsdelegate" in run.meta.get("notice", ""))


@case("a meta file has isolate's keys and ours")
def meta_keys(t):
    meta = t.verdict(t.run(["@act", "write", "2", "7"]), "OK").meta
    need = ["time", "time-wall", "max-rss", "csw-voluntary", "csw-forced", "exitcode", "verdict", "time-user",
            "time-sys", "mem-peak", "stdout-bytes", "stderr-bytes", "setup", "teardown"]
    t.same("missing keys", [], [k for k in need if k not in meta])
    t.same("bytes", ("0", "7"), (meta["stdout-bytes"], meta["stderr-bytes"]))


@case("a killed program has killed:1, status TO and no exitcode; a signal is SG, an exit RE")
def meta_status(t):
    t.verdict(t.run(["@use", "wall", "9"], "--wall-time", "0.2"), "WTL", killed="1", status="TO", exitcode=None)
    t.verdict(t.run(["@use", "cpu", "9"], "--time", "0.2"), "TLE", killed="1", status="TO", exitcode=None)


JSON_TYPES = {"verdict": str, "time": (int, float), "time-wall": (int, float), "mem-peak": int, "execution_time_ms":
              (int, float), "memory_mb": (int, float), "oom_killed": bool, "stdout-bytes": int, "setup": (int, float)}


@case("--json is one strict object on one line with numbers as numbers")
def json_meta(t):
    found = t.verdict(t.run(["@act", "exit", "3"], json_meta=True), "RTE").json
    for key, kind in JSON_TYPES.items():
        t.that(isinstance(found.get(key), kind), "%s is %s" % (key, kind), found.get(key))
    t.same("exit_code, signal", (3, None), (found["exit_code"], found["signal"] or None))
    found = t.run(["@act", "kill", "11"], json_meta=True).json
    t.same("signal", 11, found["signal"])


@case("the meta file and the JSON say the same of the same kind of run")
def json_same(t):
    meta, found = t.run(["@act", "exit", "0"]).meta, t.run(["@act", "exit", "0"], json_meta=True).json
    missing = [k for k in meta if k not in found and k not in ("message", "processes-peak")]      # the peak may be unknown
    t.same("keys of the meta file that the JSON lacks", [], missing)


@case("--meta - writes the meta file to standard output, behind what the program wrote")
def meta_stdout(t):
    run = t.run(["@act", "exit", "0"], meta="-")
    t.same("verdict", "OK", parse_meta(run.text())["verdict"])
    run = t.run(["/bin/echo", "output"], meta="-", json_meta=True)
    first, _, rest = run.text().partition("\n")
    t.same("the first line", "output", first)
    t.same("verdict", "OK", parse_json(rest)["verdict"])


@case("--json without --meta prints the object where the meta would be expected: standard output or error")
def json_alone(t):
    run = t.run(["@act", "exit", "0"], meta="none", json_meta=True)
    text = run.text() or run.said
    t.same("verdict", "OK", parse_json(text[text.index("{"):])["verdict"])


@case("an old meta file is replaced whole, also when the new text is shorter")
def meta_replaced(t):
    path = t.results + "/kept"
    open(path, "w").write("x" * 100000)
    t.verdict(t.run(["@act", "exit", "0"], meta=path), "OK")


@case("a meta file that cannot be made is named, and the program does not run")
def meta_impossible(t):
    run = t.run(["@act", "write", "1", "5"], meta="/no/such/folder/meta")
    t.that(run.rc in (2, 3) and not run.out, "exit status 2 or 3, nothing ran", run.story())
    t.says(run, "/no/such/folder")


@case("--meta /dev/null, and /dev/full, do not break a run; a meta that is lost is said")
def meta_devices(t):
    t.same("exit status", 0, t.run(["@act", "exit", "0"], meta="/dev/null").rc)
    run = t.run(["@act", "exit", "0"], meta="/dev/full")
    t.that(run.rc != 0 and "/dev/full" in run.said, "not 0, with the name", run.story())


@case("program names, users and tasks with newlines put no line of their own into the meta file")
def meta_injection(t):
    hostile = "x\nverdict:AC\nstatus:XX"
    run = t.run([hostile, hostile], "--user", hostile, "--task", hostile)
    t.that(run.rc != 0 and run.verdict != "AC", "no line of ours is forged", run.story())
    path = t.write("bad\nverdict:OK\r", b"#!/missing\nverdict:AC\n", 0o755)
    run = t.run([path])
    t.that(run.verdict not in ("OK", "AC"), "no line of ours is forged", run.story())


@case("--audit appends one JSON line a run, and 8 judges at once do not mix theirs")
def audit(t):
    path = t.results + "/kept-audit"
    running = [t.start(["@act", "exit", str(i % 2)], "--audit", path, "--user", "u\n%d" % i, "--task", "t") for i in range(8)]
    for run in running:
        t.finish(run)
    found = [parse_json(line + "\n") for line in open(path).read().splitlines()]
    t.same("users", {"u\n%d" % i for i in range(8)}, {line["user"] for line in found})
    t.same("results", {"success", "runtime_error"}, {line["result"] for line in found})
    need = {"timestamp", "task_id", "language", "user", "result", "verdict", "execution_time_ms", "cpu_time_ms",
            "memory_mb", "exit_code", "signal", "oom_killed", "setup_ms", "teardown_ms"}
    t.same("missing keys", set(), need - set(found[0]))


@case("an audit file on a full disk is reported and the verdict is kept")
def audit_full(t):
    run = t.run(["@act", "exit", "0"], "--audit", "/dev/full")
    t.same("verdict", "OK", run.verdict)
    t.says(run, "/dev/full")


def cpu_truth(t, arguments, slack_us):
    run = t.verdict(t.run(["@use", *arguments], "--time", "10"), "OK")
    truth, got = int(run.facts()["rusage"]), run.number("time") * 1e6
    if not t.place.exact_cpu:
        raise Skip("exact CPU clocks")
    t.within("CPU time in µs beside getrusage's %d" % truth, truth - 1500, got, truth * 1.01 + slack_us)


@case("time-user and time-sys add up to time")
def user_and_sys(t):
    for program in (["@use", "cpu", "0.1"], ["@act", "exit", "0"]):
        run = t.run(program)
        t.within("sum", run.number("time") - 0.001, run.number("time-user") + run.number("time-sys"), run.number("time") + 0.0021)


@rows([("CPU time agrees with getrusage inside: %s" % name, arguments, slack) for name, arguments, slack in (
    ("one process", ["cpu", "0.3"], 2000), ("two threads", ["cpu-threads", "0.2", "2"], 3000),
    ("three children, waited for", ["cpu-children", "0.1", "3", "1"], 5000),
    ("three children, not waited for", ["cpu-children", "0.1", "3", "0"], 5000), ("next to none", ["cpu", "0"], 3000))],
    alone=True)
def cpu_time(t, arguments, slack):
    cpu_truth(t, arguments, slack)


@case("the judge itself uses next to no CPU time while a box computes or sleeps", alone=True)
def own_cpu(t):
    for program in (["@use", "wall", "9"], ["@act", "ignore-signals", "spin"]):
        run = t.start(program, "--wall-time", "1", "--time", "9")
        time.sleep(0.8)
        with open("/proc/%d/stat" % run.process.pid) as f:
            used = sum(map(int, f.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")
        t.finish(run)
        t.within("seconds of CPU time in 0.8 s", 0, used, 0.2)


@case("wall time is from execve to death, without set-up", alone=True)
def wall_time(t):
    run = t.verdict(t.run(["@use", "wall", "0.2"]), "OK")
    t.within("time-wall", 0.2, run.number("time-wall"), 0.2 + t.seconds(0.03))
    t.within("set-up", 0.0001, run.number("setup"), t.seconds(0.2))


@case("memory peak of a known load is found within 5 MiB, of a no-op it is small")
def memory_truth(t):
    t.within("mem-peak in MiB", 100, t.run(["@use", "memory", "100"]).number("mem-peak") / MIB, 105)
    t.within("mem-peak in MiB", 0, t.run(["@act", "exit", "0"]).number("mem-peak") / MIB, 5)


@case("max-rss is the program's own and not inherited from the judge or its caller")
def max_rss(t):
    t.within("max-rss in KiB", 1, t.run(["@act", "exit", "0"]).number("max-rss"), 3000)


@case("the file size limit, the output limit and time at once: the order of verdicts is kept")
def order(t):
    script = "yes | head -c 5000000 & while :; do :; done"
    t.verdict(t.run(["/bin/sh", "-c", script], "--output", "1000", "--time", "0.5"), "OLE")
