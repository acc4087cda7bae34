#!/usr/bin/env python3
"""The box suite once more, through a judge that `make SANITIZE=1` built: what AddressSanitizer, LeakSanitizer and
UndefinedBehaviorSanitizer find in the judge, in the box's init and up to execve is a failure of the case at hand.

    python3 tests/box/sanitized.py                      with $JUDGE_SANITIZED, or build/sanitize/judge; every eighth case
    JUDGE_SOAK=1 python3 tests/box/sanitized.py         all cases, as `make soak` does

A sanitizer speaks on standard error, the judge's or, shortly before execve, the program's."""
import os, re, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
import harness, run, workers

JUDGE = os.environ.get("JUDGE_SANITIZED", FOLDER + "/../../build/sanitize/judge")
UID = 54321
# What cannot hold: a process's maxrss outlives execve (setmax_mm_hiwater_rss in fs/exec.c), and with it what the
# sanitizers take before.
NEEDS_SMALL_JUDGE = {
    "max-rss is the program's own and not inherited from the judge or its caller",
    "memory peak of a known load is found within 5 MiB, of a no-op it is small",
}
EXIT = 99       # no exit status of the judge's own
OPTIONS = "exitcode=%d" % EXIT
environment, finish = harness.Trial.environment, harness.Trial.finish


def sanitized_environment(t, more=None):
    return {**environment(t, more), "ASAN_OPTIONS": OPTIONS, "LSAN_OPTIONS": OPTIONS,
            "UBSAN_OPTIONS": OPTIONS + ":print_stacktrace=1"}


def sanitized_finish(t, *arguments, **how):
    run = finish(t, *arguments, **how)
    spoken = run.said + run.err.decode(errors="replace")
    if run.rc == EXIT or re.search("(Address|Leak|UndefinedBehavior)Sanitizer|runtime error: |ASan", spoken):
        raise harness.Failure("nothing for a sanitizer to find", spoken[:6000] or run.story())
    return run


def choose(cases):
    missing = NEEDS_SMALL_JUDGE - {sentence for sentence, *_ in cases}
    if missing:
        sys.exit("no such case any more: %s" % missing)
    left = [c for c in cases if c[0] not in NEEDS_SMALL_JUDGE]
    return left if workers.SOAK else left[::8]


def load(folder, modules, load_cases=workers.load_cases):
    load_cases(folder, modules)
    harness.CASES[:] = choose(harness.CASES)


def main():
    if not os.environ.get("JUDGE_SANITIZED", "unset"):
        print("SKIP sanitized: the whole suite: this compiler has no sanitizers")
        return 0
    harness.Trial.environment, harness.Trial.finish = sanitized_environment, sanitized_finish
    workers.load_cases = load
    workers.matrix = lambda options: [(UID if os.getuid() == 0 else os.getuid(), options.cgroup or "none")]
    os.environ["JUDGE"] = JUDGE
    return workers.suite_main("sanitized", __file__, run.build)


if __name__ == "__main__":
    sys.exit(main())
