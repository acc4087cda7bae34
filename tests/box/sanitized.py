#!/usr/bin/env python3
"""The box suite once more, through a judge that `make SANITIZE=1` built: what AddressSanitizer, LeakSanitizer and
UndefinedBehaviorSanitizer find in the judge, in the box's init and up to execve is a failure of the case at hand.

    python3 tests/box/sanitized.py                      with $JUDGE_SANITIZED, or build/sanitize/judge; every eighth case
    JUDGE_SOAK=1 python3 tests/box/sanitized.py         all cases, as `make soak` does

What is found inside the box cannot be written down there; it ends init or the program by its exit status, and
the case fails by that."""
import glob, os, sys

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
environment, leftovers, finish = harness.Trial.environment, harness.Trial.leftovers, harness.Trial.finish


def sanitized_environment(t, more=None):
    options = "exitcode=%d:log_path=%s/kept-sanitizer" % (EXIT, t.results)
    return {**environment(t, more), "ASAN_OPTIONS": options, "UBSAN_OPTIONS": options + ":print_stacktrace=1",
            "LSAN_OPTIONS": options}


def reports(t):
    return [open(path, errors="replace").read() for path in glob.glob(t.results + "/kept-sanitizer.*")]


def sanitized_finish(t, *arguments, **how):
    run = finish(t, *arguments, **how)
    if reports(t) or run.rc == EXIT:
        raise harness.Failure("nothing for a sanitizer to find", "\n".join(reports(t) or [run.story()])[:6000])
    return run


def sanitized_leftovers(t):
    return leftovers(t) + reports(t)


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
    harness.Trial.environment = sanitized_environment
    harness.Trial.leftovers, harness.Trial.finish = sanitized_leftovers, sanitized_finish
    workers.load_cases = load
    workers.matrix = lambda options: [(UID if os.getuid() == 0 else os.getuid(), options.cgroup or "none")]
    os.environ["JUDGE"] = JUDGE
    return workers.suite_main("sanitized", __file__, run.build)


if __name__ == "__main__":
    sys.exit(main())
