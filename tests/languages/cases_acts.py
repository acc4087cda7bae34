"""What programs of each language do, and the verdict of it: at contest, the level that is the default."""
import socket as sockets
from languages import ALL, FULL, PROGRAMS, act, each, judge, need, ran, soak_each, sum_program

# Where the stack has an end of its own that the language reports.
NAMED_STACK = {"python", "pypy", "java", "javascript", "rust", "go"}
# Where the language has no fork: it starts a program instead. Nothing but itself may be executed.
FORKS = {"c", "cpp", "python", "pypy"}


@each("hello")
def hello(t, language):
    run = ran(t, act(t, language, "hello"), "hello, world\n")
    t.same("meta language", language, run.meta.get("language"))
    t.that(run.meta.get("policy") in ("native", "runtime"), "the policy's name", run.meta)


@each("a recursion of a hundred thousand calls ends well")
def deep(t, language):
    options = ["--memory", "512M"] if language in ("python", "pypy") else []
    ran(t, act(t, language, "deep", *options), "100000\n")


@each("an endless recursion is RTE, named a stack overflow where the language says so")
def endless(t, language):
    options = ["--stack", "64M", "--time", "10", "--wall-time", "20"]
    run = t.verdict(act(t, language, "endless", *(options if language != "go" else options[2:] + ["--memory", "3G"])),
                    "RTE")
    if language in NAMED_STACK:
        t.says(run, "stack overflow")


@each("taking all memory of 256 MiB is MLE")
def all_memory(t, language):
    t.verdict(act(t, language, "memory", "--memory", "256M", "--time", "10"), "MLE", limit="memory")


@each("taking all memory of 64 MiB is MLE")
def all_of_little_memory(t, language):
    t.verdict(act(t, language, "memory", "--memory", "64M", "--time", "10"), "MLE")


@each("taking all memory of 256 MiB without a cgroup is MLE")
def all_memory_uncounted(t, language):
    t.verdict(act(t, language, "memory", "--memory", "256M", "--time", "10", cgroup="none"), "MLE")


@soak_each("taking all memory of 64 MiB without a cgroup is MLE")
def all_of_little_memory_uncounted(t, language):
    t.verdict(act(t, language, "memory", "--memory", "64M", "--time", "10", cgroup="none"), "MLE")


@each("buffers outside of the heap that take all memory are MLE", ["javascript"])
def buffers(t, language):
    t.verdict(act(t, language, "buffers", "--memory", "64M", "--time", "10"), "MLE")


@each("an endless loop is TLE")
def loop(t, language):
    run = t.verdict(act(t, language, "loop", "--time", "0.5"), "TLE", limit="time")
    t.within("CPU time", 0.45, run.number("time"), t.seconds(1.2))


@each("an uncaught error is RTE")
def error(t, language):
    run = t.verdict(act(t, language, "error"), "RTE")
    if language != "c":
        t.that(b"uncaught" in run.err, "the error on standard error", run.story())
    t.that("overflow" not in run.message, "no stack overflow said", run.message)


@each("exit status 3 is RTE, and reported")
def exit3(t, language):
    t.verdict(act(t, language, "exit3"), "RTE", exitcode="3")


@each("--exit-code=program passes on exit status 3")
def exit_code(t, language):
    run = act(t, language, "exit3", "--exit-code", "program")
    t.verdict(run, "RTE", rc=3)


@each("threads")
def threads(t, language):
    ran(t, act(t, language, "threads"), "2002000\n")


@each("a file that is missing is missing")
def missing(t, language):
    ran(t, act(t, language, "missing"), "missing\n")


@each("a file of its own in /tmp is written and read")
def tmp(t, language):
    ran(t, act(t, language, "tmp"), "kept\n")


def listener():
    """One outside of the box, that a program with the host's network would reach."""
    s = sockets.create_server(("127.0.0.1", 0))
    s.settimeout(0.05)
    return s


def arrived(s):
    try:
        s.accept()[0].close()
        return True
    except TimeoutError:
        return False


@each("with the host's network and no rules the same connection arrives", ["c", "cpp", "python", "java", "javascript", "rust"])
def socket_control(t, language):
    with listener() as s:
        run = act(t, language, "socket", "--net", "host", "--level", "off", "--policy", "none", args=[str(s.getsockname()[1])])
        ran(t, run, "connected\n")
        t.that(arrived(s), "a connection at the listener outside", run.story())


@each("a connection is refused and the program lives on or dies of it", [l for l in ALL if l != "go"])
def socket(t, language):
    with listener() as s:
        run = act(t, language, "socket", args=[str(s.getsockname()[1])])
        t.that(not arrived(s), "nobody at the listener outside", run.story())
    t.that(run.verdict in ("OK", "SV"), "OK or SV", run.story())
    t.that(b"connected" not in run.out, "no connection", run.story())
    t.same("stdout", {"OK": b"refused\n", "SV": b""}[run.verdict], run.out)


@each("a child process is within the limits, or refused", [l for l in ALL if l != "go"])
def fork(t, language):
    run = act(t, language, "fork")
    if language in FORKS:
        ran(t, run, run.text() if run.text() in ("child 7\n", "refused\n") else "child 7\n")
    else:
        t.that(run.verdict in ("OK", "SV"), "OK or SV", run.story())
        t.same("stdout", {"OK": "refused\n", "SV": ""}[run.verdict], run.text())


@each("text beyond ASCII in the source, in and out")
def unicode(t, language):
    ran(t, act(t, language, "unicode", input="Zoë 日本\nž\n".encode()), "ä€😀 Zoë 日本\nä€😀 ž\n")


def sums(count):
    numbers = [(i * 7919) % 1000 for i in range(count)]
    total, lines = 0, []
    for x in numbers:
        total += x
        lines.append("%d\n" % total)
    return ("%d\n%s\n" % (count, " ".join(map(str, numbers)))).encode(), "".join(lines)


@each("a million integers in and out, as contestants write it")
def million(t, language):
    need(FULL[language][1])
    given, expected = sums(1000000)
    run = judge(t, [PROGRAMS + sum_program(language)], "--time", "10", "--memory", "512M", language=language, input=given)
    t.verdict(run, "OK")
    t.that(run.text() == expected, "a million sums", "%d bytes: %s" % (len(run.out), run.text()[:100]))


def level(t, language, name, guarded):
    need(FULL[language][1])
    given, expected = sums(100)
    run = judge(t, [PROGRAMS + sum_program(language)], "--level", name, language=language, input=given)
    ran(t, run, expected)
    t.that(bool(run.meta.get("guard")) or not guarded, "the receipt names the guard", run.meta)


@each("an ordinary program at level off")
def level_off(t, language):
    level(t, language, "off", False)


@each("an ordinary program at level strict, with the guard in the receipt")
def level_strict(t, language):
    level(t, language, "strict", True)
