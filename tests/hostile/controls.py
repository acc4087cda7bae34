#!/usr/bin/env python3
"""Controls of the hostile suite: a case that cannot fail proves nothing, so each layer of the box is left out once.

    python3 tests/hostile/controls.py                     with $JUDGE_WEAK, or what `make weak` built
    python3 tests/hostile/controls.py -k 'seccomp'        the cases with this in their line

The judge of `make weak` leaves out the layers that $JUDGE_WEAKEN names (sandbox/weaken.h). With none left out a
case must hold; with its layers left out it must report the breach that they prevent; and where two layers stop
the same thing, each must do so alone."""
import os, re, shutil, socket, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../box"))
import workers
from harness import Skip, case, rows

WEAK = os.environ.get("JUDGE_WEAK", os.path.join(FOLDER, "../../build/weak/judge"))
LAYERS = {"seccomp", "caps", "nnp", "userns-nesting", "ro-root", "net", "pidns", "dumpable", "landlock", "fds"}

# Layers left out, program and technique, the breach that must be told then.
BREACHES = [
    ("seccomp", "kernel io-uring", "io_uring_setup succeeded"),
    ("seccomp", "kernel keys", "add_key succeeded"),
    ("seccomp", "kernel watchers", "(perf_event_open|userfaultfd for user mode) succeeded"),
    ("seccomp", "kernel administration", "was let in|modify_ldt succeeded"),
    ("seccomp", "kernel abi-i386", "a 32-bit getpid answered"),
    ("seccomp", "network netlink", r"netlink protocol \d"),
    ("caps", "network interfaces", "bringing the loopback up succeeded"),
    ("caps", "kernel weaken", "raising an ambient capability succeeded"),
    ("caps seccomp", "kernel administration", "sethostname succeeded"),
    ("caps seccomp", "filesystem mount-calls", "chroot succeeded"),
    ("nnp seccomp landlock", "kernel weaken", "no_new_privs is not set"),
    ("userns-nesting seccomp", "kernel namespaces", "user succeeded"),
    ("ro-root", "filesystem write-outside", "/etc/passwd succeeded"),
    ("ro-root landlock", "filesystem write-outside", "/etc/new made"),
    ("net seccomp", "network connect-host", "a (route|connection) to 127.0.0.1"),
    ("pidns", "process foreign", r"\d+ processes may be seen"),
    ("dumpable", "process inspect", "of init opened"),
    ("dumpable landlock", "process inspect", "environ of init opened"),
    ("fds", "filesystem above", r"descriptor \d+ is open"),
]
# The layer left out, program and technique, the other that stops this breach all the same ("": any).
HELD = [
    ("seccomp", "filesystem mount-calls", "capabilities", ""), ("caps", "filesystem mount-calls", "seccomp", ""),
    ("seccomp", "kernel namespaces", "the nesting limit", ""), ("userns-nesting", "kernel namespaces", "seccomp", ""),
    ("seccomp", "network connect-host", "the network namespace", ""), ("net", "network connect-host", "seccomp", ""),
    ("landlock", "filesystem write-outside", "the read-only root", ""), ("ro-root", "filesystem write-outside", "landlock",
     "/new made"),
    ("dumpable", "process inspect", "landlock", "environ of init opened"),
]


def build(tools):
    if not os.access(WEAK, os.X_OK):
        sys.exit("%s: no such program; build it with make weak" % WEAK)
    for name in sorted({row[1].split()[0] for row in BREACHES}):
        workers.compile_program(tools, "%s/%s.c" % (FOLDER, name), name, "-static", "-pthread", "-lrt")
    shutil.copy(WEAK, tools + "/judge-weak")
    os.chmod(tools + "/judge-weak", 0o755)


def attack(t, layers, technique):
    """One run with the layers left out, beside a listener of the caller and with open descriptors of his."""
    program, word = technique.split()
    t.judge = t.tool("judge-weak")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        arguments = [str(s.getsockname()[1])] if word == "connect-host" else []
        return t.run(["@" + program, word, *arguments], "--time", "5", "--env", "HOSTILE_IN_BOX=1", pass_fds=[s.fileno()],
                     env={"JUDGE_WEAKEN": layers})


def holds(t, run, breach=""):
    """It ran, to its end or a refused call, and told no such breach."""
    ran = run.verdict == "SV" or re.search(b"^(HELD|BREACH)", run.out, re.M)
    t.that(run.verdict in ("OK", "SV", "RTE") and ran, "the case runs", run.story())
    t.that(not re.search("BREACH: .*" + breach, run.text()), "no breach /%s/" % breach, run.story())


def need_landlock(t, run, layers):
    if "landlock" in layers and run.meta.get("landlock") == "none":
        raise Skip("Landlock")


@rows([("without %s: %s tells a breach" % (" and ".join(row[0].split()), row[1]), *row) for row in BREACHES])
def breaks(t, layers, technique, breach):
    whole = attack(t, "", technique)
    holds(t, whole)
    need_landlock(t, whole, layers)
    run = attack(t, layers, technique)
    t.verdict(run, "RTE", exitcode="42")
    t.that(re.search("BREACH: .*(%s)" % breach, run.text()), "BREACH: %s" % breach, run.story())


@rows([("without %s: %s stops %s of %s all the same" % (row[0], row[2], "'%s'" % row[3] if row[3] else "all", row[1]), *row)
       for row in HELD])
def held(t, layer, technique, other, breach):
    run = attack(t, layer, technique)
    need_landlock(t, run, other)
    holds(t, run, breach)


@rows([("without %s nothing runs: the next step fails" % layers, layers) for layers in ("nnp", "nnp landlock")])
def refused(t, layers):
    run = t.verdict(attack(t, layers, "kernel weaken"), "IE")
    t.that(not run.out, "no output", run.story())
    t.says(run, "Landlock|filter" if layers == "nnp" else "filter")


@case("every layer that can be left out has a case that tells its breach")
def every_layer(t):
    t.same("layers", LAYERS, {layer for row in BREACHES for layer in row[0].split()})


@case("the shipped judge does not know $JUDGE_WEAKEN, by its bytes and by what it does")
def shipped(t):
    with open(t.judge, "rb") as f:
        t.that(b"JUDGE_WEAKEN" not in f.read(), "no such word in the binary", t.judge)
    run = t.run(["@kernel", "keys"], "--env", "HOSTILE_IN_BOX=1", env={"JUDGE_WEAKEN": " ".join(LAYERS)})
    holds(t, t.verdict(run, "OK"))
    with open(t.tool("judge-weak"), "rb") as f:
        t.that(b"JUDGE_WEAKEN" in f.read(), "the word in the weak one", "none")


if __name__ == "__main__":
    sys.exit(workers.suite_main("controls", __file__, build, None))
