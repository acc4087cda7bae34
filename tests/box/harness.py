"""What the black-box suites share: cases, one case's trial, and what must be gone after it.

A suite is a list of cases; a case is a short function that is given a Trial. It runs the judge through
`Trial.run`, which parses the meta file strictly, and states what it expects through `Trial.same` and
`Trial.that`. After each case nothing of it may be left: no process, cgroup, mount, IPC object, temporary
file, and no change in the caller's folder. Cases run in worker processes (workers.py)."""
import hashlib, json, os, re, shutil, signal, stat, subprocess, tempfile, time

CASES = []
CASE_TIMEOUT = 60
MIB = 1 << 20
LIMITS = ["time", "wall-time", "memory", "processes", "open-files", "disk", "output", "cpus", "stack", "file-size"]
VERDICTS = {"OK", "TLE", "WTL", "MLE", "OLE", "RTE", "SV", "IE", "CE", "CTL"}
SECONDS = r"\d+\.\d{3}(\d{3})?"
META = {
    "time": SECONDS, "time-wall": SECONDS, "max-rss": r"\d+", "csw-voluntary": r"\d+", "csw-forced": r"\d+",
    "cg-mem": r"\d+", "cg-oom-killed": "1", "exitcode": r"\d{1,3}", "exitsig": r"\d{1,2}", "killed": "1",
    "status": "RE|SG|TO|XX", "message": ".+", "verdict": "|".join(sorted(VERDICTS)), "limit": "[a-z-]+",
    "time-user": SECONDS, "time-sys": SECONDS, "mem-peak": r"\d+", "stdout-bytes": r"\d+", "stderr-bytes": r"\d+",
    "refused": ".+", "setup": SECONDS, "teardown": SECONDS, "language": ".+", "policy": ".+", "root": ".+",
    "cgroup": "v2|v1|none", "landlock": r"\d+|none", "processes-peak": r"\d+", "processes-refused": r"\d+",
    "disk-bytes": r"\d+", "notice": ".+",
}
META_FAMILIES = {"enforced": r"enforced-[a-z-]+", "measured": r"measured-[a-z-]+"}


class Failure(Exception):
    def __init__(self, expected, got):
        super().__init__(expected)
        self.expected, self.got = str(expected), str(got)


class Skip(Exception):
    """The host lacks a feature of the kernel: its name is the message."""


def case(sentence, alone=False):
    """Registers a case. `alone`: it is sensitive to time and runs beside no other case."""
    def keep(function):
        CASES.append((sentence, function, alone))
        return function
    return keep


def rows(table, alone=False):
    """A case for each row (sentence, arguments…)."""
    def keep(function):
        for sentence, *arguments in table:
            CASES.append((sentence, lambda t, a=arguments: function(t, *a), alone))
        return function
    return keep


def parse_meta(text):
    """The meta file as a dictionary; whatever is not as INTERFACE promises is a Failure."""
    found = {}
    if not text.endswith("\n"):
        raise Failure("a meta file that ends in a newline", repr(text[-80:]))
    for line in text[:-1].split("\n"):
        key, colon, value = line.partition(":")
        family = next((f for f, pattern in META_FAMILIES.items() if re.fullmatch(pattern, key)), None)
        if not colon or key in found or not (family or key in META):
            raise Failure("lines of known keys, each once", repr(line))
        if not re.fullmatch("[a-z0-9-]+" if family else META[key], value) or re.search(r"[\x00-\x1f\x7f]", value):
            raise Failure("a well-formed value of " + key, repr(line))
        found[key] = value
    return found


def parse_json(text):
    def once(pairs):
        if len({k for k, _ in pairs}) != len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    def constant(name):
        raise ValueError("the constant " + name)
    try:
        found = json.loads(text, object_pairs_hook=once, parse_constant=constant)
    except ValueError as e:
        raise Failure("one strict JSON object", "%s in %r" % (e, text[:300]))
    if not isinstance(found, dict) or not text.endswith("}\n") or text.count("\n") != 1:
        raise Failure("one JSON object on one line", repr(text[:300]))
    return found


def tree_state(folder):
    """Name, mode, owner, time and content of all below a folder."""
    found = {}
    for path, folders, files in os.walk(folder):
        for name in folders + files:
            full = os.path.join(path, name)
            st = os.lstat(full)
            content = ""
            if stat.S_ISREG(st.st_mode) and os.access(full, os.R_OK):
                content = hashlib.sha256(open(full, "rb").read()).hexdigest()
            when = None if stat.S_ISDIR(st.st_mode) else st.st_mtime_ns
            found[os.path.relpath(full, folder)] = (oct(st.st_mode), st.st_uid, st.st_gid, when, content)
    return found


def processes():
    """{pid: (parent, state, name)} of all that can be seen."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = open("/proc/%s/stat" % pid, errors="replace").read()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:].rsplit(")", 1)
        found[int(pid)] = (int(rest.split()[1]), rest.split()[0], name)
    return found


def descendants(root, alive_only=True):
    """Processes below `root`, as {pid: name}."""
    table, found = processes(), {}
    todo = [root]
    while todo:
        parent = todo.pop()
        for pid, (of, state, name) in table.items():
            if of == parent:
                todo.append(pid)
                if not alive_only or state not in "ZX":
                    found[pid] = name
    return found


def wait_until(true, seconds=5.0, step=0.01):
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(step)
    return True


class Run:
    """One run of the judge and what it left: rc, out, err (the program's), said (the judge's), meta, json."""
    def __init__(self, argv):
        self.argv, self.rc, self.out, self.err, self.said = argv, None, b"", b"", ""
        self.meta, self.json, self.seconds = {}, {}, 0.0

    @property
    def verdict(self):
        return self.meta.get("verdict")

    @property
    def message(self):
        """All that was said about it: the line for people and the meta file's message."""
        return "\n".join([self.said, self.meta.get("message", ""), self.meta.get("notice", "")])

    def text(self):
        return self.out.decode("utf-8", "replace")

    def facts(self):
        """Lines `NAME VALUE` of the program as a dictionary."""
        return dict(line.split(" ", 1) for line in self.text().splitlines() if " " in line)

    def number(self, key):
        if key not in self.meta:
            raise Failure("the meta key " + key, self.story())
        return float(self.meta[key])

    def story(self):
        return "rc %s, verdict %s, message %r, the judge said %r, stdout %r, stderr %r" % (
            self.rc, self.verdict, self.meta.get("message"), self.said[-300:], self.out[-200:], self.err[-200:])


class Trial:
    """One case while it runs; the state of the outside is remembered when its first judge starts. `folder` is the caller's folder and must stay as it is, except for the
    names in `changes`; `results` is where meta files and the like go; `tools` has the compiled programs."""
    def __init__(self, place, sentence):
        self.place, self.sentence = place, sentence
        self.judge, self.tools = place.judge, place.tools
        self.changes, self.killed_judge, self.runs, self.children = set(), False, [], []
        self.seen = None
        self.base = tempfile.mkdtemp(prefix="judge-case-")
        os.chmod(self.base, 0o755)
        self.folder, self.results = self.base + "/caller", self.base + "/results"
        for path in (self.folder, self.results):
            os.mkdir(path)
            os.chmod(path, 0o755)

    # What a case states.

    def that(self, truth, expected, got):
        if not truth:
            raise Failure(expected, got)

    def same(self, what, expected, got):
        self.that(expected == got, "%s: %r" % (what, expected), repr(got))

    def verdict(self, run, verdict, rc=None, **meta):
        """The verdict, the exit status that goes with it, and values of the meta file."""
        rc = {"OK": 0, "IE": 3}.get(verdict, 1) if rc is None else rc
        if run.verdict != verdict or run.rc != rc:
            raise Failure("verdict %s and exit status %s" % (verdict, rc), run.story())
        for key, value in meta.items():
            self.same("meta " + key.replace("_", "-"), value, run.meta.get(key.replace("_", "-")))
        return run

    def says(self, run, *patterns):
        """The judge's message contains each pattern."""
        for pattern in patterns:
            if not re.search(pattern, run.message, re.I):
                raise Failure("a message that has /%s/" % pattern, run.story())

    def refused(self, run, *patterns):
        """A usage error: exit status 2, nothing ran, and the message names what it is about."""
        self.that(run.rc == 2 and run.out == b"", "exit status 2 and no output", run.story())
        self.says(run, *patterns)

    def seconds(self, bound):
        """An upper bound of wall time: longer on a slow kernel, and on a machine that has other work."""
        return bound * self.place.slowness * max(1.0, 2 * os.getloadavg()[0] / (os.cpu_count() or 1))

    def within(self, what, low, value, high):
        self.that(low <= value <= high, "%s between %s and %s" % (what, low, high), value)

    # What a case does.

    def tool(self, name):
        return os.path.join(self.tools, name)

    def write(self, name, content, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        os.chmod(path, mode)
        if self.seen:
            self.seen[1].update(tree_state(self.folder))
        return path

    def read(self, name):
        if not os.path.exists(os.path.join(self.folder, name)):
            raise Failure("a file " + name, self.runs[-1].story() if self.runs else "none")
        return open(os.path.join(self.folder, name), "rb").read()

    def command(self, program, options, json_meta=False, meta=None, stderr=None):
        argv = [self.judge, "run"]
        if self.place.cgroup and "--cgroup" not in options:
            argv += ["--cgroup", self.place.cgroup]
        meta = meta or "%s/meta-%d" % (self.results, len(self.runs))
        argv += ["--meta", meta] if meta != "none" else []
        argv += ["--json"] if json_meta else []
        argv += ["--stderr", stderr] if stderr else []
        if self.place.slowness > 1 and not {"--time", "--limits", "--problem"} & set(options):
            argv += ["--time", "%d" % (2 * self.place.slowness)]       # the default, in this kernel's seconds
        program = list(program)
        if program and program[0].startswith("@"):
            program[0] = self.tool(program[0][1:])
        return argv + list(options) + ["--"] + program, meta

    def start(self, program, *options, json_meta=False, meta=None, stderr="file", stdin=subprocess.DEVNULL,
              stdout=None, said=None, env=None, cwd=None, preexec=None, pass_fds=(), wrap=None):
        """Starts a judge. program[0] "@act" is a compiled tool. Ends with `finish`."""
        if self.seen is None:
            self.seen = self.place.outside_state(), tree_state(self.folder)
        errors = "%s/stderr-%d" % (self.results, len(self.runs)) if stderr == "file" else None
        argv, meta = self.command(program, options, json_meta, meta, errors)
        run = Run(argv)
        run.meta_path, run.stderr_path = meta, errors
        run.out_path = "%s/stdout-%d" % (self.results, len(self.runs))
        run.said_path = "%s/said-%d" % (self.results, len(self.runs))
        self.runs.append(run)
        out = open(run.out_path, "wb") if stdout is None else stdout
        judge_says = open(run.said_path, "wb") if said is None else said
        run.began = time.monotonic()
        run.process = subprocess.Popen((wrap or []) + argv, stdin=stdin, stdout=out, stderr=judge_says,
                                       env=self.environment(env), cwd=cwd or self.folder, preexec_fn=preexec,
                                       pass_fds=pass_fds)
        self.children.append(run.process)
        for f, given in ((out, stdout), (judge_says, said)):
            if given is None:
                f.close()
        return run

    def environment(self, more=None):
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.results, "LANG": "C.UTF-8",
               "HARNESS_SECRET": "harness-secret", "TMPDIR": tempfile.gettempdir()}
        env.update(more or {})
        return env

    def finish(self, run, timeout=30.0, parse=True):
        try:
            run.rc = run.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Failure("the judge returns within %s s" % timeout, "it still runs: " + " ".join(run.argv))
        run.seconds = time.monotonic() - run.began
        run.out = open(run.out_path, "rb").read() if os.path.exists(run.out_path) else b""
        run.said = open(run.said_path, errors="replace").read() if os.path.exists(run.said_path) else ""
        if run.stderr_path and os.path.exists(run.stderr_path):
            run.err = open(run.stderr_path, "rb").read()
        if parse and os.path.isfile(run.meta_path):
            self.parse(run)
        return run

    def parse(self, run):
        text = open(run.meta_path, errors="surrogateescape").read()
        if run.rc == 2 and not text:
            return
        if "--json" in run.argv[:run.argv.index("--")]:
            run.json = parse_json(text)
            run.meta = {k: str(v) for k, v in run.json.items() if v is not None}
        else:
            run.meta = parse_meta(text)

    def until_written(self, run, text, seconds=10):
        """Waits until the program has written that much; a judge that ends before is a Failure."""
        def there():
            return run.process.poll() is not None or open(run.out_path).read() == text
        if not wait_until(there, seconds) or open(run.out_path).read() != text:
            run.process.kill()
            raise Failure("the program starts and writes %r" % text, self.finish(run, 5).story())

    def run(self, program, *options, input=None, timeout=30.0, **how):
        """One judge from start to end; `input` (bytes) reaches it through a pipe."""
        if input is not None:
            how["stdin"] = subprocess.PIPE
        run = self.start(program, *options, **how)
        if input is not None:
            try:
                run.process.stdin.write(input)
                run.process.stdin.close()
            except BrokenPipeError:
                pass
        return self.finish(run, timeout)

    # What must be gone.

    def leftovers(self):
        """Sentences about what the case left behind."""
        if not self.seen:
            return []
        before, left = self.seen, []
        grace = 3.0 if self.killed_judge else 0.0
        if not wait_until(lambda: not descendants(os.getpid()), grace):
            left.append("processes: %s" % descendants(os.getpid()))
        if not wait_until(lambda: not self.place.cgroups_left(), grace):
            left.append("cgroups: %s" % self.place.cgroups_left())
        after = self.place.outside_state()
        for what in before[0]:
            new = sorted(set(after[what]) - set(before[0][what]))
            if new:
                left.append("%s: %s" % (what, new[:5]))
        state = tree_state(self.folder)
        changed = {n for n in set(state) | set(before[1]) if state.get(n) != before[1].get(n)} - self.changes
        if changed:
            left.append("changed in the caller's folder: %s" % sorted(changed))
        known = r"(meta|said|stdout|stderr)-\d+|kept.*"
        stray = [n for n in os.listdir(self.results) if not re.fullmatch(known, n)]
        if stray:
            left.append("stray files beside the meta file: %s" % stray)
        return left

    def close(self):
        for process in self.children:
            if process.poll() is None:
                process.kill()
                process.wait()
        end = time.monotonic() + 3
        while (rest := descendants(os.getpid(), alive_only=False)) and time.monotonic() < end:
            for pid in rest:
                try:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, os.WNOHANG)
                except OSError:
                    pass
            time.sleep(0.01)
        for path, folders, _ in os.walk(self.base):
            for name in folders:
                os.chmod(os.path.join(path, name), 0o700)
        shutil.rmtree(self.base, ignore_errors=True)


def perform(place, sentence, function):
    """One case: ("PASS" | "FAIL" | "SKIP", details as a list of lines)."""
    def late(_number, _frame):
        raise Failure("the case ends within %d s" % CASE_TIMEOUT, "it does not")
    trial = Trial(place, sentence)
    signal.signal(signal.SIGALRM, late)
    signal.alarm(CASE_TIMEOUT * place.slowness)
    try:
        function(trial)
        left = trial.leftovers()
        if left:
            raise Failure("nothing left behind", "; ".join(left))
        return "PASS", []
    except Skip as e:
        return "SKIP", [str(e)]
    except Failure as e:
        ran = trial.runs[-1].argv if trial.runs else []
        return "FAIL", ["expected: " + e.expected, "got: " + e.got] + (["ran: " + " ".join(ran)[:600]] if ran else [])
    except Exception as e:
        where = "line %d of %s" % (e.__traceback__.tb_next.tb_lineno, function.__code__.co_filename) \
            if e.__traceback__.tb_next else ""
        story = [trial.runs[-1].story()] if trial.runs else []
        return "FAIL", ["expected: the case runs to its end", "got: %s: %s, %s" % (type(e).__name__, e, where)] + story
    finally:
        signal.alarm(0)
        trial.close()
