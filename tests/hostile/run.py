#!/usr/bin/env python3
"""The hostile suite: programs that attack the box, and what must come of each.

    python3 tests/hostile/run.py                          as root: the whole matrix; else what this user can
    python3 tests/hostile/run.py -k 'relay'               the cases with this in their line

The project's own programs are in this folder (hostile.h says how they speak). Where a folder
shared/attacks stands beside the project, its cases run too, by their `expect:` lines (attacks.py)."""
import os, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../box"))
sys.path.insert(0, FOLDER)
import attacks, workers

OWN = [f for f in sorted(os.listdir(FOLDER)) if f.endswith(".c")]


def build(tools):
    for source in OWN:
        workers.compile_program(tools, "%s/%s" % (FOLDER, source), source[:-2], "-static", "-pthread", "-lrt")
    workers.compile_program(tools, FOLDER + "/../box/programs/act.c", "act", "-static")
    attacks.build(tools)


if __name__ == "__main__":
    sys.exit(workers.suite_main("hostile", __file__, build))
