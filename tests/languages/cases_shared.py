"""The compile cases and the attacks on compilers beside the project, where these folders are present.

compile-cases/INDEX.tsv says for each file what it must give at strict and at contest; the attacks say it in their
expect: lines, whose evaluator is the hostile suite's."""
import csv, os, re, sys
from harness import MIB, Failure
from languages import FOLDER, FULL, LOG_MOST, SLOW, SOAK, judge, need, refused_source

sys.path.insert(0, os.path.join(FOLDER, "../hostile"))
import attacks, harness

CASES = os.path.join(os.path.dirname(attacks.PROJECT), "shared/compile-cases")
LANGUAGE = {".c": "c", ".cpp": "cpp", ".go": "go", ".rs": "rust", ".py": "python", ".java": "java", ".js": "javascript"}
# Quick ones, so that `make check` has some of each kind.
IN_CHECK = {"asm-a2.cpp", "asm-a4.cpp", "asm-a6.cpp", "asm-a10.cpp", "asm-b2.cpp", "asm-b5.cpp", "bomb-errbomb.cpp", "bomb-zero.c"}
ATTACKS_IN_CHECK = {"cc_include_host_file.c", "cc_custom_interp.c", "cc_has_include_oracle.c", "cc_self_include.c",
                    "cc_ldscript.ld"}
# A line of them is enough to know that the host's file was read.
HOST_FILES = ["/etc/passwd", "/etc/hostname", "/etc/hosts", "/etc/shadow"]
TRAP = ["--time", "10", "--wall-time", "20"]


def host_texts():
    """Lines of the host's own files that no program or compiler says."""
    found = ["root:x:0", "SBXSECRET"]
    for path in HOST_FILES:
        if os.access(path, os.R_OK):
            found += [line for line in open(path, errors="replace").read().splitlines() if len(line) > 12]
    return found


def reveals_nothing(t, run, *made):
    texts = [run.said, run.text(), run.err.decode(errors="replace")] + [open(f, errors="replace").read() for f in made]
    for secret in host_texts():
        t.that(not any(secret in text for text in texts), "no byte of a host file", "%r: %s" % (secret, run.story()))


def meets(t, run, expected):
    """Whether it went as a column of the index says."""
    if expected in ("refused", "CE", "CE, does not hang"):
        t.verdict(run, "CE")
        if expected == "refused":
            t.says(run, "refused")
    elif expected.startswith("CE or CTL"):
        refused_source(t, run, ("CE", "CTL"))
        t.that(len(run.said) <= LOG_MOST + 2048, "a log of at most 64 KiB", len(run.said))
    elif expected == "OK":
        t.verdict(run, "OK")
    elif expected.startswith(("any", "no byte of the host file", "CE (does not compile)")):
        # Whether an alias of main compiles is up to the compiler's version.
        t.that(run.rc in (0, 1) and run.verdict != "IE", "a verdict", run.story())
    else:
        raise Failure("an expectation of INDEX.tsv that is known", expected)


def compile_case(t, name, level, expected):
    language = LANGUAGE["." + name.rsplit(".", 1)[1]]
    need(FULL[language][1])
    out = t.results + "/kept-out"
    options = ["--level", level, "--output-dir", out] + (TRAP if name.startswith("bomb") else [])
    run = judge(t, [os.path.join(CASES, name)], *options, command="compile", cache="none")
    meets(t, run, expected)
    reveals_nothing(t, run, *[os.path.join(f, n) for f, _, names in os.walk(out) for n in names])
    if run.verdict == "OK":
        run = judge(t, [os.path.join(CASES, name)], "--level", level, "--time", "1", "--wall-time", "5", cache="none")
        t.that(run.verdict not in (None, "IE"), "a verdict of the run", run.story())
        reveals_nothing(t, run)


def compile_cases():
    if not os.path.exists(CASES + "/INDEX.tsv"):
        return
    with open(CASES + "/INDEX.tsv", newline="") as f:
        for row in csv.DictReader(f, delimiter="\t"):
            for level in ("strict", "contest"):
                if SOAK or row["file"] in IN_CHECK and not (row[level] == "OK" and level == "contest"):
                    yield row["file"], level, row[level], row["what"]


def attack_options(head):
    """The README's limits of a compile step: thirty seconds of wall time, a gigabyte."""
    return ["--wall-time", "30", "--time", "20", "--memory", "1G"] if "compile" == head["stage"] else []


def attack(t, name, head):
    attacks.plant(t)
    extension = "." + name.rsplit(".", 1)[1]
    language = LANGUAGE.get(extension, "c")
    need(FULL[language][1])
    command = "compile" if head["stage"] == "compile" else "exec"
    where = os.path.join(attacks.FOLDER, name)
    words, options = [where], ["--env", "SBX_CASE=1"] if command == "exec" else attack_options(head)
    run = judge(t, words, *options, command=command, language=language, cache="none", env={"SBX_SECRET": "SBXSECRET"})
    run.err += run.said.encode()                # the compiler's log is the judge's standard error
    t.that(run.verdict not in (None, "IE") and b"BREACH" not in run.out + run.err and b"SBXSECRET" not in run.out + run.err,
           "no internal error, no BREACH", run.story())
    for clause in filter(None, map(str.strip, head["expect"].split(";"))):
        if match := re.fullmatch(r"log<=(\d+)MB", clause):
            t.that(len(run.said) <= int(match[1]) * MIB, clause, len(run.said))
        elif clause != "contained" or run.verdict in ("OK", "RTE"):
            t.that(attacks.check_clause(t, head, run, clause), clause, run.story())


def attack_cases():
    if not os.path.isdir(attacks.FOLDER):
        return
    for name in sorted(os.listdir(attacks.FOLDER)):
        head = attacks.header(os.path.join(attacks.FOLDER, name)) if name.startswith("cc_") else {}
        if head.get("stage", "").startswith("compile") and (SOAK or name in ATTACKS_IN_CHECK):
            yield name, head


def register():
    for name, level, expected, what in compile_cases():
        sentence = "compile case %s at %s: %s: %s" % (name, level, what[:70], expected)
        harness.CASES.append((sentence, lambda t, a=(name, level, expected): compile_case(t, *a), False))
    for name, head in attack_cases():
        sentence = "compile attack %s: %s" % (name, head.get("technique", "").split(",")[0][:90])
        harness.CASES.append((sentence, lambda t, a=(name, head): attack(t, *a), False))


register()
