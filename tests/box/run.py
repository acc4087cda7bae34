#!/usr/bin/env python3
"""The box suite: what INTERFACE promises of `judge run`, seen from outside the binary.

    python3 tests/box/run.py                              as root: the whole matrix; else what this user can
    python3 tests/box/run.py --uid 54321 --cgroup v1      one element of it
    python3 tests/box/run.py -k 'exit(137)'               one case

Prints PASS, FAIL or SKIP lines and a last line with their numbers."""
import os, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
import workers

STATIC = ("-static", "-pthread")
PROGRAMS = [
    ("facts.c", "facts", *STATIC), ("use.c", "use", *STATIC), ("act.c", "act", *STATIC),
    ("hello.c", "hello"), ("hello.c", "hello-noloader", "-Wl,--dynamic-linker=/missing/ld-none.so.9"),
    ("big_array.c", "big_array", "-static"),
    ("hello32.c", "hello32", "-m32", "-nostdlib", "-static", "-fno-pie", "-no-pie", "-fno-stack-protector"),
]


def build(tools):
    for source, name, *flags in PROGRAMS:
        try:
            workers.compile_program(tools, "%s/programs/%s" % (FOLDER, source), name, *flags)
        except RuntimeError:
            if "-m32" not in flags:
                raise                   # its case is skipped where the compiler makes no 32-bit program


if __name__ == "__main__":
    sys.exit(workers.suite_main("box", __file__, build))
