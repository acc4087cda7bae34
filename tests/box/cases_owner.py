"""Whose the processes and files of a box are, seen from outside while it runs."""
import os, subprocess
from harness import case, descendants


def outside_ids(t, *options):
    """Uid and Gid lines of /proc/PID/status of all processes of a waiting box, and those of the judge."""
    run = t.start(["@act", "until-eof"], *options, stdin=subprocess.PIPE)
    t.until_written(run, "waiting\n")
    found = {}
    for pid in descendants(run.process.pid):
        lines = open("/proc/%d/status" % pid).read().splitlines()
        found[pid] = {line.split(":")[0]: line.split()[1:] for line in lines if line.startswith(("Uid:", "Gid:", "Groups:"))}
    run.process.stdin.close()
    t.verdict(t.finish(run), "OK")
    return found


@case("the processes of the box have the host uid and gid they should: the caller's, or for root one of the range")
def host_ids(t):
    options, allowed = (), {os.getuid()}
    if t.place.root:
        options, allowed = ("--limits", t.write("limits", "uids 70000-70009\n")), set(range(70000, 70010))
    found = outside_ids(t, *options)
    t.that(len(found) >= 2, "init and the program", found)
    for pid, ids in found.items():
        uids, gids = {int(u) for u in ids["Uid"]}, {int(g) for g in ids["Gid"]}
        t.that(uids <= allowed and gids <= (allowed if t.place.root else {os.getgid()}),
               "uid and gid of %s" % sorted(allowed), (pid, ids))
        t.that("0" not in ids.get("Groups", []), "no group of root", (pid, ids))


@case("started by root: without a configured range the uid is not 0 either")
def never_zero(t):
    if not t.place.root:
        return host_ids(t)
    for pid, ids in outside_ids(t).items():
        t.that("0" not in ids["Uid"] + ids["Gid"], "no uid or gid 0", (pid, ids))


@case("started by root: two boxes at once have two uids")
def two_uids(t):
    if not t.place.root:
        return
    runs = [t.start(["@act", "until-eof"], stdin=subprocess.PIPE) for _ in range(2)]
    seen = []
    for run in runs:
        t.until_written(run, "waiting\n")
        seen.append({open("/proc/%d/status" % p).read().split("Uid:")[1].split()[0] for p in descendants(run.process.pid)})
    for run in runs:
        run.process.stdin.close()
        t.verdict(t.finish(run), "OK")
    t.that(seen[0] and seen[1] and not seen[0] & seen[1], "no uid in common", seen)


@case("a uids range with 0, one that is reversed, and one that is no range are refused")
def bad_range(t):
    for bad in ("0-10", "100-50", "x", "1000-", "70000-99999999999"):
        t.refused(t.run(["/bin/true"], "--limits", t.write("limits", "uids %s\n" % bad)), "limits:1", "uids")


@case("started by root: a file only root may read stays unreadable to the box unless it is given")
def root_files(t):
    secret = t.write("secret", "for root\n", 0o600)
    shared = t.run(["/bin/cat", "/data/secret"], "--dir", "/data=" + t.folder)
    if t.place.root:
        t.that(shared.verdict == "RTE" and not shared.out, "a bound file is still root's alone", shared.story())
    t.same("what --file gives", b"for root\n", t.run(["/bin/cat", "secret"], "--file", secret).out)


@case("files from --copy-out, --stdout, --stderr and --meta belong to the caller")
def result_owner(t):
    t.changes |= {"result", "out", "err"}
    run = t.run(["@act", "leave", "regular", "result"], "--copy-out", "result", "--stdout", "out", "--stderr", "err", stderr=None)
    t.verdict(run, "OK")
    for path in (t.folder + "/result", t.folder + "/out", t.folder + "/err", run.meta_path):
        st = os.stat(path)
        t.same("owner of " + os.path.basename(path), (os.getuid(), os.getgid()), (st.st_uid, st.st_gid))
