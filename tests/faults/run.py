#!/usr/bin/env python3
"""The faults suite: what the box does when the kernel refuses, the judge is killed, or something runs out.

    python3 tests/faults/run.py                           a sample, for `make check`
    JUDGE_SOAK=1 python3 tests/faults/run.py              all of it, for `make soak`
    python3 tests/faults/run.py -k 'init: each call'      the cases with this in their line

The cases of cgroup v2 run where its hierarchy has controllers."""
import os, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../box"))
sys.path.insert(0, FOLDER)
import harness, soak, workers

PROGRAMS = [("programs/inject.c", "inject"), ("programs/probe.c", "probe", "-static"), ("../vm/mask.c", "mask", "-static"),
            ("../box/programs/act.c", "act", "-static", "-pthread"), ("../box/programs/use.c", "use", "-static", "-pthread")]
matrix_of_all = workers.matrix


def build(tools):
    for source, name, *flags in PROGRAMS:
        workers.compile_program(tools, "%s/%s" % (FOLDER, source), name, *flags)


def matrix(options):
    v2 = workers.cgroup_mounts()["v2"]
    path = "%s/cgroup.controllers" % v2
    useful = v2 and os.path.exists(path) and "memory" in open(path).read()
    return [(uid, mode) for uid, mode in matrix_of_all(options) if mode != "v2" or useful or options.cgroup]


def main():
    workers.matrix = matrix
    harness.CASE_TIMEOUT = soak.times(harness.CASE_TIMEOUT, 3600)
    soak.keep_figures()
    status = workers.suite_main("faults", __file__, build)
    print("faults: %d injected, %d of them where the call came, %d judges killed or told to stop" % tuple(soak.figures()))
    return status


if __name__ == "__main__":
    sys.exit(main())
