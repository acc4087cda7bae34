"""A kernel that lacks a feature: tests/vm/mask.c answers its call with ENOSYS, or as such a kernel would."""
import os, re
import soak
from cases_inject import box_options, clean_run, contained, sentence_of
from harness import rows

# What is masked, what the program must see then: the same box, another clock, or nothing, with these words.
SAME, CLOCK = "same", "clock"
MASKS = [
    ("clone3", SAME), ("openat2", SAME), ("close_range", SAME), ("mount_setattr", SAME), ("pidfd_open", SAME),
    ("pidfd_send_signal", SAME), ("pidfd_getfd", SAME), ("landlock_create_ruleset", SAME),
    ("landlock_create_ruleset,landlock_add_rule,landlock_restrict_self", SAME), ("landlock_create_ruleset=EOPNOTSUPP", SAME),
    ("statx", SAME), ("faccessat2", SAME), ("memfd_create", SAME), ("splice", SAME), 
    ("copy_file_range,tee,vmsplice", SAME), ("open_tree,move_mount,fsopen,fsmount", SAME), ("timerfd_create,eventfd2", SAME),
    ("process_vm_readv,kcmp,execveat,io_uring_setup", SAME), ("unshare-newtime", CLOCK), ("unshare-newtime=EPERM", CLOCK),
    ("clone3,openat2,close_range,mount_setattr,pidfd_open,pidfd_send_signal,statx,faccessat2,landlock_create_ruleset", SAME),
    ("seccomp", "filter|seccomp"), ("mount", "mount"), ("pivot_root", "root"), ("umount2", "leave|mount|root"),
    ("clone-newuser", "namespace"), ("clone-newuser=EUSERS", "namespace"), ("clone-newuser=ENOSPC", "namespace"),
    ("unshare", None), ("prlimit64", None), ("signalfd4", None), ("setgroups", None), ("sendfile", None), ("sched_setaffinity", None),
]


WITH_LIMITS = ("pidfd_send_signal", "unshare-newtime", "prlimit64")     # in `make check`; elsewhere all


def masked(t, mask, program, *options):
    return t.run(program, *options, wrap=[t.tool("mask"), mask])


def whole(t, run, expected):
    trouble = contained(run, clean_run(t, "probe"), ("unshare" if expected in (CLOCK, None) else "none", "none", ""),
                        ["status-Seccomp_filters", *(["status-Cpus_allowed"] if expected is None else [])])
    t.that(not trouble, "the same box as with all features", "%s; %s" % (trouble, run.story()))


@rows([("with %s masked: %s" % (mask, {SAME: "the same box", CLOCK: "the same box with the host's clock"}.get(
    wanted, "a clear refusal" if wanted else "the same box or a clear refusal")), mask, wanted) for mask, wanted in MASKS])
def missing(t, mask, wanted):
    run = masked(t, mask, ["@probe"], *box_options(t))
    whole(t, run, wanted)
    if wanted in (SAME, CLOCK) or (wanted is None and run.rc == 0):
        t.verdict(run, "OK")
        own = "ns-time " + os.readlink("/proc/self/ns/time")
        t.that(wanted is None or (own in run.text()) == (wanted == CLOCK), "its own clock unless that is masked", run.text())
        if soak.SOAK or mask in WITH_LIMITS or mask.count(",") > 4:
            limits_hold(t, mask)
        return
    t.that(run.rc in (2, 3) and run.out == b"", "no run, exit status 2 or 3", run.story())
    t.that(re.search(wanted or "[a-z]{3,} [a-z]", sentence_of(run), re.I), "a sentence with /%s/" % wanted, run.story())


def limits_hold(t, mask):
    t.verdict(masked(t, mask, ["@probe", "memory", "100"], "--memory", "32M", "--wall-time", "9"), "MLE")
    t.verdict(masked(t, mask, ["@probe", "spin"], "--time", "0.1", "--wall-time", "9"), "TLE")
    t.verdict(masked(t, mask, ["@probe", "sleep"], "--wall-time", "0.2"), "WTL")
