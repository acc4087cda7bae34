"""How much is tried, and a count of it: a sample in `make check`, all with JUDGE_SOAK=1 (`make soak`)."""
import os

SOAK = bool(os.environ.get("JUDGE_SOAK"))
FIGURES = {}    # the descriptor that the workers count in


def times(few, many):
    return many if SOAK else few


def count(injected, hit, kills=0):
    if "fd" in FIGURES:
        os.write(FIGURES["fd"], b"%d %d %d\n" % (injected, hit, kills))


def keep_figures():
    FIGURES["fd"] = os.memfd_create("figures", os.MFD_CLOEXEC)


def figures():
    """Sums of what was counted: faults injected, those whose call came, judges killed."""
    lines = os.pread(FIGURES["fd"], 1 << 24, 0).decode().splitlines()
    return [sum(column) for column in zip([0, 0, 0], *(map(int, line.split()) for line in lines))]
