"""The cache of compiled programs: what is compiled again and what is not, and who may share it."""
import os, stat, time
from languages import COMPILED, case, each, judge, need, ran, single

TEXT = '#include <cstdio>\n#include <string>\n#include <iostream>\nint main() { puts("%s"); }\n'


def own_cache(t, name="kept-cache"):
    return "%s/%s" % (t.results, name)


def entries(folder):
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def compiled(t, path, *options, cache):
    return judge(t, [path], *options, command="compile", cache=cache)


@each("the second judge takes the program from the cache", COMPILED)
def second(t, language):
    from cases_sources import HELLO
    path, cache = single(t, language, HELLO[language]), own_cache(t)
    ran(t, judge(t, [path], language=language, cache=cache), "onetwo\n")
    kept = entries(cache)
    t.same("entries of the cache", 1, len(kept))
    ran(t, judge(t, [path], language=language, cache=cache), "onetwo\n")
    t.same("entries of the cache", kept, entries(cache))
    t.says(judge(t, [path], language=language, cache=cache, command="compile"), "from the cache")


@case("with a warm cache no compiler runs", alone=True)
def warm(t):
    need("g++")
    path, cache = t.write("main.cpp", TEXT % "warm"), own_cache(t)
    cold = ran(t, judge(t, [path], cache=cache), "warm\n")
    runs = [ran(t, judge(t, [path], cache=cache), "warm\n").seconds for _ in range(5)]
    t.that(min(runs) < cold.seconds / 4, "less than a fourth of %.3f s" % cold.seconds, runs)
    t.within("seconds of a warm judge", 0, min(runs), t.seconds(0.15))


@case("a changed source, another level and another standard are compiled; the first is still there")
def changed(t):
    need("g++")
    cache = own_cache(t)
    path = t.write("main.cpp", TEXT % "one")
    ran(t, judge(t, [path], cache=cache), "one\n")
    t.write("main.cpp", TEXT % "two")
    ran(t, judge(t, [path], cache=cache), "two\n")
    t.same("entries of the cache", 2, len(entries(cache)))
    for options in (["--level", "off"], ["--standard", "gnu++20"]):
        run = compiled(t, path, *options, cache=cache)
        t.verdict(run, "OK")
        t.that("from the cache" not in run.message, "it is compiled", run.story())
    t.write("main.cpp", TEXT % "one")
    t.says(compiled(t, path, cache=cache), "from the cache")


@case("a changed header is compiled")
def changed_header(t):
    need("gcc")
    cache, main = own_cache(t), t.write("main.c", '#include <stdio.h>\n#include "a.h"\nint main(void) { puts(A); }\n')
    for text in ("one", "two", "one"):
        header = t.write("a.h", '#define A "%s"\n' % text)
        ran(t, judge(t, [main, header], cache=cache), text + "\n")
    t.same("entries of the cache", 2, len(entries(cache)))


@case("--no-cache compiles again and keeps nothing")
def no_cache(t):
    need("gcc")
    path = t.write("main.c", "int main(void) { return 0; }\n")
    for _ in range(2):
        run = judge(t, [path], cache="none", command="compile")
        t.verdict(run, "OK")
        t.that("from the cache" not in run.message, "it is compiled", run.story())
    t.same("files in HOME", [], [n for n in os.listdir(t.results) if n.startswith(".")])


@case("without an option the cache is in HOME, for its owner alone")
def home(t):
    need("gcc")
    os.mkdir(own_cache(t, "kept-home"))
    path, env = t.write("main.c", "int main(void) { return 0; }\n"), {"HOME": own_cache(t, "kept-home")}
    t.verdict(judge(t, [path], cache="default", env=env), "OK")
    folder = own_cache(t, "kept-home") + "/.cache/judge"
    t.same("entries", 1, len(entries(folder)))
    t.same("its mode", 0o700, stat.S_IMODE(os.stat(folder).st_mode))


@case("JUDGE_CACHE and XDG_CACHE_HOME say where it is")
def variables(t):
    need("gcc")
    path = t.write("main.c", "int main(void) { return 0; }\n")
    t.verdict(judge(t, [path], cache="default", env={"JUDGE_CACHE": own_cache(t, "kept-a")}), "OK")
    t.verdict(judge(t, [path], cache="default", env={"XDG_CACHE_HOME": own_cache(t, "kept-b")}), "OK")
    t.same("entries", [1, 1], [len(entries(own_cache(t, n))) for n in ("kept-a", "kept-b/judge")])


@case("a HOME that cannot be written, or is none, is no obstacle")
def no_home(t):
    need("gcc")
    path = t.write("main.c", "int main(void) { return 0; }\n")
    os.mkdir(own_cache(t, "kept-closed"), 0o500)
    for folder in (own_cache(t, "kept-closed"), "/nonexistent", "", "/dev/null"):
        t.verdict(judge(t, [path], cache="default", env={"HOME": folder}), "OK")


@case("a .cache in HOME that cannot be written is no obstacle")
def no_dot_cache(t):
    need("gcc")
    os.makedirs(own_cache(t, "kept-home"))
    os.mkdir(own_cache(t, "kept-home") + "/.cache", 0o500)
    if os.access(own_cache(t, "kept-home") + "/.cache", os.W_OK):
        open(own_cache(t, "kept-home") + "/.cache/judge", "w").close()      # root may write anywhere, but not there
    path = t.write("main.c", "int main(void) { return 0; }\n")
    t.verdict(judge(t, [path], cache="default", env={"HOME": own_cache(t, "kept-home")}), "OK")


@case("what a killed judge left in the cache folder is removed when it is a week old")
def swept(t):
    need("gcc")
    cache = own_cache(t)
    os.makedirs(cache + "/judge-build-abcdef/entry", 0o700)
    os.makedirs(cache + "/judge-build-fedcba/entry", 0o700)
    for name in ("judge-build-abcdef/entry", "judge-build-abcdef"):
        os.utime("%s/%s" % (cache, name), (1, time.time() - 7 * 86400))
    os.chmod(cache, 0o700)
    t.verdict(judge(t, [t.write("main.c", "int main(void) { return 0; }\n")], cache=cache), "OK")
    left = [name for name in entries(cache) if name.startswith("judge-build")]
    t.same("build folders", ["judge-build-fedcba"], left)


@case("a cache folder that others may write is refused, and nothing in it is run")
def writable(t):
    need("gcc")
    path, cache = t.write("main.c", "int main(void) { return 0; }\n"), own_cache(t)
    t.verdict(judge(t, [path], cache=cache), "OK")
    for mode in (0o777, 0o770, 0o702, 0o1777):
        os.chmod(cache, mode)
        t.refused(judge(t, [path], cache=cache), "cache", "others")
    os.chmod(cache, 0o700)


@case("a cache folder that others may write is refused when what is asked for is in it")
def writable_planted(t):
    need("gcc")
    cache, path = own_cache(t), t.write("main.c", '#include <stdio.h>\nint main(void) { puts("true"); }\n')
    ran(t, judge(t, [path], cache=cache), "true\n")
    os.chmod(cache, 0o777)
    run = judge(t, [path], cache=cache)
    t.that(run.rc == 2 and run.out == b"", "exit status 2: what is there may be another's", run.story())
    os.chmod(cache, 0o700)


@case("a cache folder that is a link of one's own to a folder of one's own serves")
def link(t):
    need("gcc")
    path = t.write("main.c", "int main(void) { return 0; }\n")
    os.mkdir(own_cache(t, "kept-real"), 0o700)
    os.symlink("kept-real", own_cache(t))
    t.verdict(judge(t, [path], cache=own_cache(t)), "OK")
    t.same("entries", 1, len(entries(own_cache(t, "kept-real"))))


@case("an entry of the cache that is damaged does not end in an internal error")
def damaged(t):
    need("gcc")
    cache, path = own_cache(t), t.write("main.c", '#include <stdio.h>\nint main(void) { puts("true"); }\n')
    ran(t, judge(t, [path], cache=cache), "true\n")
    entry = "%s/%s" % (cache, entries(cache)[0])
    for folder, _, names in os.walk(entry):
        for name in names:
            os.unlink(os.path.join(folder, name))
    ran(t, judge(t, [path], cache=cache), "true\n")


@case("a judge that is killed while it compiles leaves no half entry that the next one takes")
def killed(t):
    need("g++")
    cache = own_cache(t)
    path = t.write("main.cpp", "#include <bits/stdc++.h>\n" + TEXT % "whole")
    process_of = t.start
    started = []

    def start(*words, **how):
        run = process_of(*words, **how)
        started.append(run)
        time.sleep(0.4)
        run.process.kill()
        return run
    t.start, t.killed_judge = start, True
    judge(t, [path], cache=cache)
    t.start = process_of
    t.that(started and started[0].process.returncode == -9, "the judge was killed", started[0].process.returncode)
    ran(t, judge(t, [path], cache=cache), "whole\n")


@case("eight judges at once with one cache folder give eight right answers and one entry")
def parallel(t):
    need("gcc")
    cache, path = own_cache(t), t.write("main.c", '#include <stdio.h>\nint main(void) { puts("eight"); }\n')
    finish, running = t.finish, []
    t.finish = lambda run, timeout=0, parse=True: running.append(run) or run
    for _ in range(8):
        judge(t, [path], cache=cache)
    t.finish = finish
    for run in running:
        ran(t, t.finish(run, 60), "eight\n")
    t.same("entries", 1, len(entries(cache)))


@case("a cache has 512 entries at most, and those used last are kept")
def bounded(t):
    need("gcc")
    cache, path = own_cache(t), t.write("main.c", '#include <stdio.h>\nint main(void) { puts("first"); }\n')
    ran(t, judge(t, [path], cache=cache), "first\n")
    first = entries(cache)[0]
    for i in range(511):
        os.makedirs("%s/%064x/inside" % (cache, i))
        os.utime("%s/%064x" % (cache, i), (1, time.time() - 3600 + i))
    os.utime("%s/%s" % (cache, first), (1, time.time() - 86400))
    ran(t, judge(t, [path], cache=cache), "first\n")                          # used: no longer the oldest
    ran(t, judge(t, [t.write("b.c", '#include <stdio.h>\nint main(void) { puts("b"); }\n')], cache=cache), "b\n")
    kept = entries(cache)
    t.same("entries", 512, len(kept))
    t.that(first in kept, "the one that was used is there", "it is not")
    t.that("%064x" % 0 not in kept, "the oldest is gone", "it is there")
