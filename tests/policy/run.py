#!/usr/bin/env python3
"""The policy suite: programs of each language, with threads, files, much memory, garbage collection, exceptions
and children, must go through under the policy that is theirs; what it refuses must end a program.

    python3 tests/policy/run.py                           as root: the whole matrix; else what this user can
    python3 tests/policy/run.py --uid 54321 -k Java       one element, one language

A language that is not on this machine is skipped by name."""
import os, shutil, subprocess, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../box"))
import workers

PROGRAMS = FOLDER + "/programs/"
# Name of the tool, compiler, its arguments.
COMPILED = [
    ("c-static", "gcc", ["-O2", "-static", "-pthread", "life.c"]),
    ("c-static-pie", "gcc", ["-O2", "-static-pie", "-pthread", "life.c"]),
    ("c-dynamic", "gcc", ["-O2", "-pthread", "life.c"]),
    ("c-refused", "gcc", ["-O2", "-static", "refused.c"]),
    ("c++-static", "g++", ["-O2", "-std=gnu++17", "-static", "-pthread", "life.cpp"]),
    ("c++-dynamic", "g++", ["-O2", "-std=gnu++17", "-pthread", "life.cpp"]),
    ("fortran-static", "gfortran", ["-O2", "-static", "life.f90"]),
    ("fortran-dynamic", "gfortran", ["-O2", "life.f90"]),
    ("rust-static", "rustc", ["-O", "-C", "target-feature=+crt-static", "life.rs"]),
    ("go-static", "go", ["build", "life.go"]),
    ("pascal-static", "fpc", ["-O2", "life.pas"]),
]


def compile_one(tools, name, compiler, arguments):
    """Leaves the tool out where the compiler is missing or cannot link like that: its case is skipped."""
    if not shutil.which(compiler):
        return
    scratch = os.path.join(tools, "scratch-" + name)
    os.mkdir(scratch)
    shutil.copy(PROGRAMS + arguments[-1], scratch)
    out = ["-o" + os.path.join(scratch, name)] if compiler == "fpc" else ["-o", os.path.join(scratch, name)]
    arguments = [*arguments[:1], *out, *arguments[1:]]
    env = dict(os.environ, CGO_ENABLED="0", GO111MODULE="off", GOFLAGS="", GOCACHE=scratch + "/cache")
    done = subprocess.run([compiler, *arguments], cwd=scratch, env=env, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    if done.returncode == 0:
        shutil.move(os.path.join(scratch, name), os.path.join(tools, name))
    shutil.rmtree(scratch)


def build(tools):
    for name, compiler, arguments in COMPILED:
        compile_one(tools, name, compiler, arguments)
    if shutil.which("javac"):
        subprocess.run(["javac", "-d", tools, PROGRAMS + "Life.java"], check=True)
    for source in os.listdir(PROGRAMS):
        shutil.copy(PROGRAMS + source, tools)
        os.chmod(os.path.join(tools, source), 0o644)


if __name__ == "__main__":
    sys.exit(workers.suite_main("policy", __file__, build))
