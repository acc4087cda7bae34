#!/usr/bin/env python3
"""The suite of languages: `judge exec` and `judge compile`, with programs of every language.

    python3 tests/languages/run.py                        as root: a user with the best cgroup; else what this user can
    python3 tests/languages/run.py --uid 0 --cgroup none  another element
    python3 tests/languages/run.py -k 'rust'              one language
    JUDGE_SOAK=1 python3 tests/languages/run.py           all of it: the whole matrix, every level of each, the traps

A language that is not on this machine is skipped by name; in CI it fails."""
import os, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
sys.path.insert(0, os.path.join(FOLDER, "../box"))
import workers

whole_matrix = workers.matrix


def matrix(options):
    """Compilers take their time: `make check` has the first element only."""
    found = whole_matrix(options)
    return found if workers.SOAK or options.uid is not None or options.cgroup is not None else found[:1]


def build(tools):
    os.mkdir(tools + "/caches")
    os.chmod(tools + "/caches", 0o1777)


if __name__ == "__main__":
    workers.matrix = matrix
    sys.exit(workers.suite_main("languages", __file__, build))
