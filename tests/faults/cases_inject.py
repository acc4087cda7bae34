"""Each system call of set-up and watching fails once, with each errno it may plausibly fail with: in the judge, in
init, and in the process that becomes the program. The calls are those of a recorded run, so that new code is covered
by itself. Whatever fails, the program sees the same whole box or does not run, the verdict is the one it earned or
IE with a sentence, and nothing is left behind."""
import collections, errno, os, re, subprocess, zlib
import calls, soak
from harness import Failure, case, descendants, rows, wait_until

ROLES = {"judge": "the judge", "init": "the box's init", "program": "the process that becomes the program"}
HANG = 20
CLEAN = {}      # what a worker has recorded, by workload
Clean = collections.namedtuple("Clean", "calls lines receipt")


def box_options(t):
    """As many ways through set-up as one request can take."""
    if not os.path.exists(t.folder + "/data"):
        t.write("data", "hello\n")
        with open(t.results + "/kept-input", "w") as f:
            f.write("hello\n")
    return ["--processes", "8", "--memory", "32M", "--wall-time", "6", "--file", "data",
            "--stdin", t.results + "/kept-input", "--copy-out", "made=%s/kept-made" % t.results,
            "--audit", t.results + "/kept-audit", "--dir", "/shown=%s" % t.folder]


WORKLOADS = {   # name: (program, options, verdict when nothing fails)
    "probe": (["@probe"], box_options, "OK"),
    "loopback": (["@probe"], lambda t: ["--net", "loopback", "--wall-time", "6", "--processes", "8"], "OK"),
    "memory": (["@probe", "memory", "100"], lambda t: ["--memory", "32M", "--wall-time", "6"], "MLE"),
    "spin": (["@probe", "spin"], lambda t: ["--time", "0.05", "--wall-time", "6"], "TLE"),
}


def traced(t, workload, *how):
    program, options, _ = WORKLOADS[workload]
    report = t.results + "/kept-report"
    if os.path.exists(report):
        os.unlink(report)
    run = t.start(program, *options(t), wrap=[t.tool("inject"), report, *how])
    try:
        t.finish(run, HANG)
    except Failure:
        run.process.kill()
        run.process.wait()
        raise
    if not os.path.exists(report):
        raise Failure("the tracer's report", run.story())
    return run, open(report, errors="replace").read().splitlines()


def facts_of(text):
    """The probe's lines with what differs from box to box taken out: which CPU, uid, namespace."""
    text = re.sub(r"(Cpus_allowed:\s*)(\S+)", lambda m: m[1] + str(bin(int(m[2].replace(",", ""), 16)).count("1")), text)
    text = re.sub(r"(uid|gid)=\d+", r"\1=N", text)
    text = re.sub(r"judge-case-\w+", "judge-case-N", text)
    return text.splitlines()


def foreign(lines):
    """Namespaces of the host's that the program is in."""
    own = ["ns-%s %s" % (kind, os.readlink("/proc/self/ns/" + kind)) for kind in
           ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time") if os.path.exists("/proc/self/ns/" + kind)]
    return [line for line in own if line in lines]


def same_box(lines, clean):
    return [line for line in lines if not line.startswith("ns-")], [line for line in clean if not line.startswith("ns-")]


def numbers():
    found = subprocess.run(["gcc", "-dM", "-E", "-x", "c", "-include", "asm/unistd.h", "/dev/null"],
                           capture_output=True, text=True, check=True).stdout
    return {int(m[2]): m[1] for m in re.finditer(r"#define __NR_(\w+) (\d+)\n", found)}


def clean_run(t, workload):
    """The calls of a run in which nothing fails, as (role, name, number, nth, text), and what its program saw."""
    if workload in CLEAN:
        return CLEAN[workload]
    run, report = traced(t, workload, "list")
    t.verdict(run, WORKLOADS[workload][2])
    names, seen, found = numbers(), {}, []
    for line in report:
        word, *rest = line.split(" ", 4)
        if word != "call":
            continue
        role, number, _result, text = rest
        nth = seen[role, number] = seen.get((role, number), -1) + 1
        found.append((role, names.get(int(number), number), number, nth, text))
    lines = facts_of(run.text())
    t.that(WORKLOADS[workload][2] != "OK" or lines[-1] == "end ." and not foreign(lines),
           "a whole box in own namespaces without a fault", foreign(lines) or run.story())
    t.that({"judge", "init", "program"} <= {role for role, *_ in found}, "calls of each role", sorted(seen))
    CLEAN[workload] = Clean(found, lines, receipt(run.meta))
    return CLEAN[workload]


def faults_of(t, workload, role, group):
    """(name, number, nth, errno's name) to try: all of them, or one place for each call and errno."""
    by_call = {}
    for who, name, number, nth, text in clean_run(t, workload).calls:
        if who == role and calls.plan_of(name)[0] == group:
            by_call.setdefault((name, number), []).append((nth, text))
    for (name, number), places in by_call.items():
        for error in calls.plan_of(name)[1]:
            chosen = places
            if not soak.SOAK:   # another place for each errno, the same in every run
                chosen = [places[zlib.crc32(("%s %s %s %s" % (workload, role, name, error)).encode()) % len(places)]]
            for nth, text in chosen:
                if text.startswith("0x") and error in ("ENOENT", "EACCES") and "stat" in name:
                    continue    # of a descriptor: it cannot be missing or closed to us
                yield name, number, nth, error, text


# What came of a fault.

def fewer_entries(name, error, text, missing, added):
    """A host without that file or folder, as the judge sees it, gives a box without it: only then may one be missing."""
    lookups = calls.BY_NAME["stat"][0] == calls.plan_of(name)[0] or name in ("open", "openat")
    if error not in ("ENOENT", "EACCES") or not lookups or not text.startswith("/"):
        return missing, added
    count = lambda lines: {re.sub(r"nr_inodes=\d+", "nr_inodes=N", line) for line in lines}
    added = [a for a in added if not re.fullmatch(r"create-\S+ 2", a)]
    return [m for m in count(missing) - count(added) if not re.match("mount-|entry-|create-", m)], count(added) - count(missing)


def receipt(meta):
    return {key: value for key, value in meta.items() if key.startswith("enforced-")}


def explained(run, clean, fault, missing, added):
    """Takes out what a documented fallback changes in the box."""
    name, error, text = fault
    missing, added = fewer_entries(name, error, text, missing, added)
    allowed = []
    if name == "mount" and error == "EINVAL":   # subset=pid is not known: all of proc
        allowed.append(r"(entry|open|create)-/proc|open-/proc")
    if name in ("sched_setaffinity", "sched_getaffinity") or receipt(run.meta) != clean.receipt:
        allowed.append(r"status-Cpus_allowed|rlimit-[26] |processes ")
    return [line for line in [*missing, *added] if not any(re.match(a, line) for a in allowed)]


def contained(run, clean, fault, besides=()):
    """Nothing the program printed tells of another box than the clean one."""
    lines = facts_of(run.text())
    if not lines:
        return None
    inside = foreign(lines)
    if inside and not (inside[0].startswith("ns-time") and fault[0] in ("unshare", "access", "faccessat", "faccessat2")):
        return "ran in the host's %s" % inside
    got, wanted = same_box(lines, clean.lines)
    if run.verdict != "OK" and got[-1:] != wanted[-1:]:
        got = got[:-1]                          # cut off: the last line may be half of one
        wanted = wanted[:len(got)]
    extra = explained(run, clean, fault, [w for w in wanted if w not in got], [g for g in got if g not in wanted])
    extra = [line for line in extra if not line.startswith(tuple(besides))]
    return "saw another box: %s" % [line[:90] for line in extra][:3] if extra else None


def sentence_of(run):
    """What the judge says went wrong."""
    message = run.meta.get("message") or ""
    return (run.said + " " + ("" if message == "the judge did not finish" else message)).strip()


def verdict_trouble(run, workload, role, fault):
    name, error, text = fault
    expected = WORKLOADS[workload][2]
    said = sentence_of(run)
    if run.rc == {"OK": 0}.get(expected, 1) and run.verdict == expected:
        if expected == "OK" and run.text().splitlines()[-1:] != ["end ."]:
            return "verdict OK, but the program's output is not whole"
        return None
    of_program = name in ("execve", "execveat") or (error in ("ENOENT", "EACCES") and text.endswith("/probe"))
    if of_program and run.rc == 1 and run.verdict in ("RTE", "MLE"):
        return None if run.out == b"" and said else "a verdict without a reason"   # the program's own
    if run.rc == 2:
        return None if said and run.out == b"" else "a usage error without a sentence, or with output"
    if run.rc != 3:
        return "exit status %s, verdict %s" % (run.rc, run.verdict)
    if run.verdict == expected and name == "write" and text == expected and run.said == "":
        return None     # the line for people could not be written: the exit status is all that can tell
    if run.verdict not in ("IE", None):
        if not re.search("meta|audit", run.said):
            return "exit status 3 with verdict %s" % run.verdict
    if run.verdict is None and not re.search("kept-meta|/meta-", run.said):
        return "exit status 3 and no meta file, which may hold the verdict of an earlier run"
    if not re.search(r"[a-z]{3,} [a-z]", said):
        return "IE without a sentence"
    # What failed is named with its errno; but a wire into the box that is down can tell nothing, and a file that
    # is not there has a meaning of its own.
    if role == "judge" and error != "ENOENT" and os.strerror(getattr(errno, error)) not in said:
        return "IE that does not name the errno %s" % error
    return None


def leftovers_trouble(t, name):
    """What is left; only where removing it was what failed may the next judge do it."""
    left = t.leftovers()
    if left and name in ("unlinkat", "rmdir", "openat", "kill", "flock") and all(l.startswith("cgroups:") for l in left):
        after = t.run(["@probe"], *box_options(t))
        left = t.leftovers() if after.verdict == "OK" else [after.story()]
        left = ["not swept by the next judge either: %s" % l for l in left]
    return "left behind: %s" % "; ".join(left) if left else None


def attempt(t, workload, role, fault):
    """One fault: None, or what is wrong with what came of it. The second value: whether the call was made."""
    name, number, nth, error, text = fault
    clean = clean_run(t, workload)
    when = "after" if name in calls.AFTER else "before"
    try:
        run, report = traced(t, workload, role, number, str(nth), str(getattr(errno, error)), when)
    except Failure as e:
        return "%s; got %s" % (e.expected, e.got[:300]), True
    trouble = []
    end = report[-1].split()[0] if report else "nothing"
    if end != "exit":
        trouble.append("the judge ended by %s" % (report[-1:] or "nothing"))
    if "left 0" not in report:
        trouble.append("processes outlived the judge")
    looked = (name, error, text if role == "judge" else "")
    trouble += filter(None, [contained(run, clean, looked) if WORKLOADS[workload][2] == "OK" else None,
                             verdict_trouble(run, workload, role, (name, error, text)), leftovers_trouble(t, name)])
    hit = any(line.startswith("hit ") for line in report)
    told = "; ".join(trouble)
    if told:
        told += " (rc %s, verdict %s, said %r)" % (run.rc, run.verdict, run.said[:150])
    return told or None, hit


def all_of(t, workload, role, group):
    troubles, tried, hits = [], 0, 0
    for fault in faults_of(t, workload, role, group):
        trouble, hit = attempt(t, workload, role, fault)
        tried, hits = tried + 1, hits + hit
        if trouble:
            troubles.append("%s %s #%d (%s) %s: %s" % (role, fault[0], fault[2], fault[4], fault[3], trouble))
            wait_until(lambda: not descendants(os.getpid()), 3)
    soak.count(tried, hits)
    # How often the judge looks at a program that computes is not the same twice.
    least = tried // (2 if workload in ("probe", "loopback") else 10)
    t.that(hits >= least, "%d of the recorded calls are made again" % least, "%d of %d" % (hits, tried))
    t.that(not troubles, "each of %d faults gives the same box or IE with a sentence, nothing left" % tried,
           "%d do not:\n%s" % (len(troubles), "\n".join(troubles)))


def chosen_rows():
    """The whole of it; for `make check` the probe, and whether limits hold when writing them or their figures fails."""
    found = []
    for workload in WORKLOADS:
        for role in ROLES if workload in ("probe", "loopback") else ["judge"]:
            for group in calls.GROUPS:
                if soak.SOAK or workload == "probe" or (workload, group) == ("memory", "transfers"):
                    found.append(("%s, %s: each call about %s fails once" % (workload, ROLES[role], group),
                                  workload, role, group))
    return found


rows(chosen_rows())(all_of)


@case("no call of the judge's is outside the groups that are tried")
def covered(t):
    for role, name, *_ in clean_run(t, "probe").calls:
        t.that(role in ROLES, "a role that is tried", "%s makes %s" % (role, name))
        t.that(calls.plan_of(name)[0] in calls.GROUPS, "a group that is tried", name)


@case("a fault in the program's own process is seen by the probe, where it is one: the probe is no rubber stamp")
def probe_sees(t):
    clean = clean_run(t, "probe")
    run = t.run(["@probe"], *box_options(t), "--policy", "none")
    t.that(contained(run, clean, ("none", "none", "")), "a box without a filter is told apart", run.story())
    run = t.run(["@probe"], *box_options(t), "--net", "loopback")
    t.that(contained(run, clean, ("none", "none", "")), "a box with another network is told apart", run.story())
    run = t.run(["@probe"], *box_options(t), "--open-files", "77")
    t.that(contained(run, clean, ("none", "none", "")), "a box with another limit is told apart", run.story())
