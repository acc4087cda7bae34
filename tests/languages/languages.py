"""What the cases of languages share: the table of languages, and a run of `judge exec` or `judge compile`.

Cases of one worker, and of the others beside it, share a cache of compiled programs in the suite's tools, as
judges on one machine do; a case about the cache has its own."""
import os, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../box"))
import harness
from harness import Skip, case, rows
from workers import SOAK

PROGRAMS = FOLDER + "/programs/"
CI = bool(os.environ.get("CI"))
harness.META.setdefault("guard", "[a-z,.-]+")
SLOW = 60           # seconds that a judge may take here: its compiler, on a machine that has other work
LOG_MOST = 64 << 10
# Language: its programs' extension, what it needs, and the file that has its acts.
FULL = {
    "c": (".c", "gcc", "acts.c"),
    "cpp": (".cpp", "g++", "acts.cpp"),
    "python": (".py", "python3", "acts.py"),
    "pypy": (".py", "pypy3", "acts.py"),
    "java": (".java", "javac", "Acts.java"),
    "javascript": (".js", "node", "acts.js"),
    "rust": (".rs", "rustc", "acts.rs"),
    "go": (".go", "go", "acts.go"),
}
COMPILED = ["c", "cpp", "java", "rust", "go"]
ALL = sorted(FULL)


def each(sentence, languages=ALL, alone=False):
    """A case for each of the languages: function(t, language)."""
    return rows([("%s: %s" % (name, sentence), name) for name in languages], alone)


def soak_each(sentence, languages=ALL, alone=False):
    """One that `make check` has no time for."""
    return each(sentence, languages if SOAK else [], alone)


def need(program):
    """A toolchain that is missing is a skip; in CI, which installs them all, the case goes on and fails."""
    if not CI and not os.path.exists("/usr/bin/" + program):
        raise Skip("the toolchain of " + program)


def program(name):
    """The text of a program of this folder."""
    return open(PROGRAMS + name, "rb").read()


def sum_program(language):
    return "Sum.java" if language == "java" else "sum" + FULL[language][0]


def shared_cache(t):
    folder = "%s/caches/%d" % (t.tools, os.getuid())
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def language_option(text):
    """None where the source's name says what language it is."""
    return ["--language", text] if text else []


def judge(t, words, *options, command="exec", language=None, cache="shared", cgroup=None, args=(), input=None,
          timeout=SLOW, stdin=None, **how):
    """One `judge exec` or `judge compile` of the sources `words`. `cache`: shared, none (--no-cache), default
    (no option at all), or a folder."""
    cache = {"shared": ["--cache", shared_cache(t)], "none": ["--no-cache"], "default": []}.get(cache, ["--cache", cache])
    cgroup = cgroup or t.place.cgroup

    def argv(_words, _options, _json, meta, errors):
        meta = meta or "%s/meta-%d" % (t.results, len(t.runs))
        found = [t.judge, command, *cache, *language_option(language), "--meta", meta]
        found += ["--cgroup", cgroup] if cgroup else []
        found += ["--stderr", errors] if errors and command == "exec" else []
        found += [*options, *words]
        return [*found, "--", *args], meta
    t.command = argv
    if stdin is not None:
        how["stdin"] = stdin
    return t.run([], input=input, timeout=timeout * t.place.slowness, **how)


def act(t, language, name, *options, **how):
    """One act of the language's program."""
    extension, tool, file = FULL[language]
    need(tool)
    how["args"] = [name, *how.get("args", ())]
    return judge(t, [PROGRAMS + file], *options, language=language, **how)


def ran(t, run, out):
    """The program ended well and printed that."""
    t.verdict(run, "OK")
    t.same("stdout", out, run.text().replace("\r\n", "\n"))
    return run


def refused_source(t, run, verdict="CE"):
    """A compile error as it must be: exit status 1, no output of a program, a bounded log that names no
    folder of the host."""
    t.verdict(run, *([verdict] if isinstance(verdict, str) else [run.verdict if run.verdict in verdict else "CE"]))
    t.same("stdout", b"", run.out)
    t.that(len(run.said) <= LOG_MOST + 2048, "at most 64 KiB of diagnostics", len(run.said))
    for path in (t.base, PROGRAMS, t.tools, "judge-build-", "root:x:0"):
        t.that(path not in run.said, "no %s in the diagnostics" % path, run.said[:2000])
    return run


def single(t, language, text, name=None):
    """A source of the case's own, in the caller's folder."""
    need(FULL[language][1])
    return t.write(name or "main" + FULL[language][0], text)
