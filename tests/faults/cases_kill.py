"""The judge is killed, told to stop, or stopped and continued, at random moments."""
import os, random, signal, time
import soak
from cases_inject import box_options
from harness import case, descendants, parse_meta, wait_until

LONGEST = 0.03      # a whole run takes less, so that each moment of it is met


def struck(t, number, seed, i):
    """A judge that gets the signal at a random moment, and the text of its meta file (None: there is none)."""
    chance = random.Random("%s %d" % (seed, i))
    program = chance.choice([["@probe"], ["@probe", "sleep"], ["@probe", "memory", "8"]])
    run = t.start(program, *box_options(t))
    time.sleep(chance.random() ** 2 * t.seconds(LONGEST) if program[1:] != ["sleep"] else chance.random() * 0.05)
    run.process.send_signal(number)
    t.finish(run, 10, parse=False)
    t.that(wait_until(lambda: not descendants(os.getpid()), 5), "no process of the box is left (seed %s, %d)" % (seed, i),
           descendants(os.getpid()))
    return run, open(run.meta_path).read() if os.path.exists(run.meta_path) else None


def swept(t):
    """The next judge removes what a dead one could not."""
    t.verdict(t.run(["@probe"], *box_options(t)), "OK")
    left = t.leftovers()
    t.that(not left, "nothing left after the next judge ran", left)


@case("SIGKILL of the judge at random moments: the meta file says IE, nothing is left")
def killed(t):
    t.killed_judge, seed, killed, unfinished = True, os.urandom(4).hex(), 0, 0
    enough, i = soak.times(100, 250), 0
    while killed < enough and i < 5 * enough:
        i += 1
        run, text = struck(t, signal.SIGKILL, seed, i)
        killed += run.rc == -signal.SIGKILL
        if run.rc == -signal.SIGKILL and text:
            meta = parse_meta(text)
            unfinished += meta["verdict"] == "IE"
            t.that(meta["verdict"] == "IE" or "exitcode" in meta and meta["verdict"] == "OK",
                   "IE, or the whole report of a judge that was done (seed %s, %d)" % (seed, i), text)
        if run.rc != -signal.SIGKILL:
            t.parse(run)
            t.that(run.verdict in ("OK", "IE"), "the verdict of a judge that was quicker (seed %s, %d)" % (seed, i), run.story())
        if i % 10 == 9:
            swept(t)
    soak.count(0, 0, killed)
    swept(t)
    t.that(killed == enough and unfinished > enough // 4, "%d killed, a quarter of them while the box was there" % enough,
           "%d killed, %d then" % (killed, unfinished))


@case("SIGTERM of the judge at random moments: the meta file is whole, nothing is left")
def told_to_stop(t):
    seed, stopped = os.urandom(4).hex(), 0
    for i in range(soak.times(40, 250)):
        run, text = struck(t, signal.SIGTERM, seed, i)
        moment = "(seed %s, %d)" % (seed, i)
        if run.rc == -signal.SIGTERM:       # before there was a box, whose end it would be
            t.that(not text or parse_meta(text)["verdict"] == "IE", "no meta file or IE " + moment, text)
            continue
        meta = parse_meta(text or "")
        stopped += meta["verdict"] == "IE"
        t.that(run.rc in (0, 3) and meta["verdict"] == {0: "OK", 3: "IE"}[run.rc], "OK or IE " + moment, run.story() + repr(text))
        t.that(run.rc == 0 or "did not finish" not in text, "a sentence in the meta file " + moment, text)
        left = t.leftovers()
        t.that(not left, "nothing left " + moment, left)
    soak.count(0, 0, stopped)
    t.that(stopped > 3, "more than 3 were told while the box was there", stopped)


def start(t, *arguments):
    """Returns when the program runs."""
    run = t.start(*arguments)
    t.that(wait_until(lambda: "probe" in descendants(run.process.pid).values(), 5), "the program starts", run.argv)
    return run


def pause(t, run, seconds):
    os.kill(run.process.pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(run.process.pid, signal.SIGCONT)
    return t.finish(run, 10)


@case("a judge that is stopped and continued ends a program that computed past its limit meanwhile")
def stopped_cpu(t):
    run = pause(t, start(t, ["@probe", "spin"], "--time", "0.2", "--wall-time", "20"), 0.6)
    t.verdict(run, "TLE")
    t.within("CPU time", 0.2, run.number("time"), t.seconds(2))


@case("a judge that is stopped and continued ends a program that waited past its limit meanwhile")
def stopped_wall(t):
    run = pause(t, start(t, ["@probe", "sleep"], "--wall-time", "0.3"), 0.6)
    t.verdict(run, "WTL")


@case("a judge that is stopped while a program uses too much memory finds it out")
def stopped_memory(t):
    run = pause(t, start(t, ["@probe", "nap", "100", "memory", "100"], "--memory", "32M", "--wall-time", "20"), 0.5)
    t.that(run.verdict == "MLE", "verdict MLE", run.story())


@case("a program that ends well while the judge is stopped is not blamed for the pause")
def stopped_ok(t):
    run = pause(t, start(t, ["@probe", "nap", "100", "print", "10"], "--wall-time", "0.6"), 0.8)
    t.verdict(run, "OK")
    t.within("wall time", 0.1, run.number("time-wall"), 0.6)
    t.same("bytes of output", 10240, len(run.out))
