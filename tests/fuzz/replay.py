#!/usr/bin/env python3
"""Feeds each fuzz target its checked-in corpus: tests/fuzz/NAME for fuzz_NAME. A suite of tests/run; seconds.

    python3 tests/fuzz/replay.py            with $JUDGE_FUZZ, or what `make SANITIZE=1 fuzzers` built

The targets were built with a main of their own (replay.c), by any compiler. `make fuzz` looks for new inputs."""
import glob, os, subprocess, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(FOLDER))
BUILT = os.environ.get("JUDGE_FUZZ") or PROJECT + "/build/sanitize/tests/fuzz"
SECONDS = 120
MORE = {"policy": [PROJECT + "/seccomp"]}       # the shipped policies
# What a sanitizer finds must not look like a target's own exit.
OPTIONS = {"ASAN_OPTIONS": "detect_leaks=1:abort_on_error=1", "UBSAN_OPTIONS": "print_stacktrace=1:abort_on_error=1"}


def targets():
    return [os.path.basename(path)[len("fuzz_"):-len(".c")] for path in sorted(glob.glob(FOLDER + "/fuzz_*.c"))]


def replay(name):
    """The sentence of a line PASS, or raises RuntimeError with what went wrong."""
    program, folders = "%s/fuzz_%s" % (BUILT, name), ["%s/%s" % (FOLDER, name), *MORE.get(name, [])]
    if not os.access(program, os.X_OK):
        raise RuntimeError("%s: no such program; build it with make SANITIZE=1 fuzzers" % program)
    there = sum(os.path.isfile(path) for folder in folders for path in glob.glob(folder + "/*"))
    try:
        done = subprocess.run([program, *folders], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                              env={**os.environ, **OPTIONS})
    except subprocess.TimeoutExpired as e:
        raise RuntimeError("more than %d s, at the input %s" % (SECONDS, last_input(e.stderr or b"", folders)))
    if done.returncode:
        raise RuntimeError("exit status %d, at the input %s\n%s" % (
            done.returncode, last_input(done.stderr, folders), done.stderr.decode(errors="replace")[-3000:]))
    fed = int(done.stdout or b"0")
    if not there or fed != there:
        raise RuntimeError("%d inputs in %s, and %d were read" % (there, " ".join(folders), fed))
    return "%d inputs" % fed


def last_input(errors, folders):
    """The last file that was named, among what a target and a sanitizer say."""
    names = {name for folder in folders for name in os.listdir(folder)}
    told = [line for line in errors.decode(errors="replace").splitlines() if line in names]
    return told[-1] if told else "none"


def main():
    failed = 0
    for name in targets():
        try:
            print("PASS fuzz: %s: %s" % (name, replay(name)), flush=True)
        except RuntimeError as e:
            failed += 1
            print("FAIL fuzz: %s" % name)
            print("    expected: every input of the corpus keeps what %s.c promises" % ("fuzz_" + name))
            print("    got: " + str(e).replace("\n", "\n    "))
            print("    again: %s/fuzz_%s %s/%s" % (BUILT, name, FOLDER, name), flush=True)
    return 1 if failed or not targets() else 0


if __name__ == "__main__":
    sys.exit(main())
