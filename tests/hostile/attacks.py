"""Evaluates the cases of a folder shared/attacks beside the project, by their header lines.

Its README says what the clauses mean. A case here is one file of a category of `judge run`; those of
compile steps, checkers and packages belong to other suites. Clauses that cannot hold without a cgroup
that counts memory are skipped there, by name."""
import os, re, shutil, subprocess
from harness import MIB, Failure, Skip

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(os.path.dirname(PROJECT), "shared/attacks")
CATEGORIES = {"cpu", "memory", "process", "filesystem", "output", "network", "kernel", "leak", "ipc", "cross-box",
              "side-channel"}
# What takes kernel memory or shared pages that no rlimit counts.
NEEDS_COUNTING = {"mem_posix_shm", "mem_pipe_hoard", "mem_sysv_msg", "mem_tmpfs_fill"}
RUNNERS = {"py": ["/usr/bin/python3"], "sh": ["/bin/sh"]}


def header(path):
    found = {}
    for line in open(path, errors="replace"):
        match = re.match(r"(?://|#)\s*([a-z+]+):\s*(.*\S)", line)
        if match:
            found.setdefault(match[1], match[2])
    return found


def all_cases():
    """{file name: header} of those that are ours."""
    if not os.path.isdir(FOLDER):
        return {}
    found = {}
    for name in sorted(os.listdir(FOLDER)):
        if name.rsplit(".", 1)[-1] not in ("c", "cpp", "py", "sh"):
            continue
        head = header(os.path.join(FOLDER, name))
        stage = head.get("stage", "run")
        if head.get("category") in CATEGORIES and not stage.startswith(("compile", "host")):
            found[name] = head
    return found


def build(tools):
    """Compiles them, or copies what is interpreted, to TOOLS/attack-NAME."""
    for name, head in all_cases().items():
        source, stem = os.path.join(FOLDER, name), name.rsplit(".", 1)[0]
        if name.endswith((".c", ".cpp")):
            compiler = "gcc" if name.endswith(".c") else "g++"
            subprocess.run([compiler, "-O1", "-w", "-o", "%s/attack-%s" % (tools, stem), source,
                            *head.get("build", "").split(), "-lrt", "-lpthread"], check=True)
        else:
            shutil.copy(source, "%s/attack-%s" % (tools, name))
            os.chmod("%s/attack-%s" % (tools, name), 0o644)


def number(head, run, what):
    if what in ("cpu", "wall"):
        return run.number({"cpu": "time", "wall": "time-wall"}[what])
    if what == "mem":
        return run.number("mem-peak") / MIB
    if what == "out":
        return max(len(run.out), len(run.err)) / MIB
    return float(run.meta.get({"exit": "exitcode", "signal": "exitsig"}[what], -1))


def collected(t, name):
    path = os.path.join(t.folder, name)
    return open(path, "rb").read() if os.path.isfile(path) and not os.path.islink(path) else None


def check_collect(t, run, name, wanted):
    content = collected(t, name)
    if wanted.startswith("!~"):
        return content is None or wanted[2:].strip().encode() not in content
    kinds = set(wanted.split("|"))
    if content is None:
        said = re.search(re.escape(name), run.message) is not None
        return bool(kinds & {"refused", "absent"}) and (said or "absent" in kinds)
    return bool(kinds & {"file", "truncated"})


def check_clause(t, head, run, clause):
    """Whether one clause of expect: holds."""
    text = (run.out + run.err).decode("utf-8", "replace")
    if match := re.fullmatch(r"verdict in (\S+)", clause):
        allowed = set(match[1].replace("WA", "OK").split("|"))
        return run.verdict in allowed | ({"SV"} if "RTE" in allowed else set())
    if clause == "contained":
        return run.verdict not in ("OK", "RTE") or "CONTAINED" in text or "SKIP:" in text
    if match := re.fullmatch(r"(cpu|wall|mem|out|exit|signal)(>=|<=|=)([\d.]+)", clause):
        value, limit = number(head, run, match[1]), float(match[3])
        limit = t.seconds(limit) if match[1] == "wall" and match[2] == "<=" else limit
        return {">=": value >= limit, "<=": value <= limit, "=": value == limit}[match[2]]
    if match := re.fullmatch(r"(stdout|log) (!?~) (.*)", clause):
        return (match[3] in text) == (match[2] == "~")
    if match := re.fullmatch(r"collect (\S+): (.*)", clause):
        return check_collect(t, run, match[1], match[2])
    if clause.startswith("host-absent "):
        return not any(os.path.exists(p) for p in clause.split()[1:])
    if clause in ("survivors=0", "clean"):
        return True                     # what the harness looks for after every case
    raise Failure("a clause of the README", clause)


def plant(t):
    """What the README wants in place: canaries in the caller's folder, its parent and HOME."""
    for folder in (t.folder, t.base):
        with open(folder + "/SBX_CANARY_answer.txt", "w") as f:
            f.write("SBXSECRET")
    with open(t.results + "/kept-SBX_CANARY_answer.txt", "w") as f:
        f.write("SBXSECRET")


def options_of(t, head):
    """Those that only sleep need not take half a minute; the others get more in a slow guest."""
    wall = 8 if "WTL" in head.get("expect", "") else 8 * t.place.slowness
    names = [m for m in re.findall(r"collect (\S+):", head.get("expect", ""))]
    found = ["--env", "SBX_CASE=1", "--wall-time", str(wall)]
    if re.search("cpu[<>]=", head.get("expect", "")):
        found += ["--time", "2"]        # the default, named: nothing makes it longer
    for name in dict.fromkeys(names):
        found += ["--copy-out", name]
    if match := re.search(r"processes=(\d+)", head.get("limits", "")):
        found += ["--processes", match[1]]
    return found, names


def command(t, name):
    kind = name.rsplit(".", 1)[-1]
    if kind in RUNNERS:
        return [*RUNNERS[kind], name], ["--file", "%s=%s" % (t.tool("attack-" + name), name)]
    return ["@attack-" + name.rsplit(".", 1)[0]], []


def run_once(t, name, head):
    options, collects = options_of(t, head)
    t.changes |= set(collects)
    program, files = command(t, name)
    size = re.match(r"(\d+)\s*MB", head.get("stdin", ""))
    data = b"7" * (int(size[1]) * MIB) if size else b"1 2\n"
    fds = [os.open(t.base, os.O_RDONLY) for _ in range(3)]
    try:
        return t.run(program, *options, *files, input=data, timeout=60 * t.place.slowness, pass_fds=fds, env={"SBX_SECRET": "SBXSECRET"})
    finally:
        for fd in fds:
            os.close(fd)


def perform(t, name, head):
    if head.get("profile", "").startswith(("no writable", "strict")):
        raise Skip("a profile that `judge run` does not have yet: " + head["profile"])
    if head.get("arch") and head["arch"] != os.uname().machine:
        raise Skip("the architecture " + head["arch"])
    plant(t)
    partner = None
    if "pair" in head:
        program, files = command(t, head["pair"])
        partner = t.start(program, "--env", "SBX_CASE=1", *files)
    for _ in range(int(head.get("runs", "1"))):
        run = run_once(t, name, head)
    if partner:
        t.finish(partner, 60)
    if name.rsplit(".", 1)[0] in NEEDS_COUNTING and not run.meta.get("enforced-memory", "").startswith("cgroup"):
        raise Skip("a memory cgroup (the receipt says %s)" % run.meta.get("enforced-memory"))
    t.that(run.verdict not in (None, "IE") and b"BREACH" not in run.out + run.err and b"SBXSECRET" not in run.out + run.err,
           "no internal error, no BREACH", run.story())
    for clause in filter(None, map(str.strip, head["expect"].split(";"))):
        t.that(check_clause(t, head, run, clause), clause, run.story())
