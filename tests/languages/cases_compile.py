"""What a source may make its compiler do: take for ever, say too much, make too much, read the host's files."""
import os
from harness import MIB
from languages import FULL, case, each, judge, need, ran, refused_source, rows, single, soak_each
from cases_sources import HELLO

SECRET = "judge-test-secret-of-the-host"
ENDLESS = {
    "c": '#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(x))\nint a[] = { C(1 +) 1 };\nint main(void) { }\n',
    "cpp": "template <int N, int M> struct F { static constexpr long v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };\n"
           "template <int M> struct F<0, M> { static constexpr long v = M; };\nint main() { return F<26, 1>::v; }\n",
    "rust": "macro_rules! double { ($($t:tt)*) => { double!($($t)* $($t)*); } }\nfn main() { double!(1 2 3 4); }\n",
}
# A source that wants a host's file, and the words of the run that would show it.
READS = [
    ("c", "#include of a path", '#include "%s"\nint main(void) { return 0; }\n'),
    ("c", "#include of /proc/self/environ and", '#include "/proc/self/environ"\n#include "%s"\nint main(void) { return 0; }\n'),
    ("c", ".incbin", '#include <stdio.h>\n__asm__("a: .incbin \\"%s\\"\\n.byte 0");\nextern char a[];\nint main(void) { puts(a); }\n'),
    ("c", "a linker option in a pragma", '#pragma comment(linker, "-T%s")\n#include "%s"\nint main(void) { return 0; }\n'),
    ("cpp", "#include of a path", '#include "%s"\nint main() { }\n'),
    ("cpp", "__has_include", '#if __has_include("%s")\n#error judge-test-breach\n#else\n#error not there\n#endif\n'),
    ("rust", "include_str!", 'fn main() { println!("{}", include_str!("%s")); }\n'),
    ("rust", "include!", 'fn main() { include!("%s"); }\n'),
    ("rust", "#[path]", '#[path = "%s"]\nmod x;\nfn main() { }\n'),
    ("rust", "env! of the judge's environment", 'fn main() { println!("{}", env!("HARNESS_SECRET")); }\n'),
    ("go", "//go:embed", 'package main\n\nimport _ "embed"\n\n//go:embed %s\nvar a string\n\nfunc main() { println(a) }\n'),
    ("go", "cgo", 'package main\n\n// #include "%s"\nimport "C"\n\nfunc main() { }\n'),
    ("go", "an import by a path", 'package main\n\nimport "%s"\n\nfunc main() { }\n'),
]


@rows([("%s: %s of a host file is CE, and reveals nothing" % (language, what), language, text)
       for language, what, text in READS])
def host_file(t, language, text):
    secret = t.write("secret.h", SECRET + "\n")
    path = single(t, language, text.replace("%s", secret))
    run = judge(t, [path], language=language, cache="none")
    t.verdict(run, "CE")
    said = run.said.replace(path, "")
    for word in (SECRET, "harness-secret", "judge-test-breach", "HOME=", "root:x:0"):
        t.that(word not in said + run.text(), "no %s" % word, run.story())


@each("a compile step that takes for ever is CTL", sorted(ENDLESS))
def endless(t, language):
    path = single(t, language, ENDLESS[language])
    run = judge(t, [path], "--time", "0.5", "--wall-time", "10", language=language, command="compile", cache="none")
    refused_source(t, run, "CTL")


@case("a compile step that takes too much memory is CTL")
def memory(t):
    run = judge(t, [single(t, "cpp", HELLO["cpp"].replace("cstdio", "bits/stdc++.h"))], "--memory", "48M", command="compile",
                cache="none")
    refused_source(t, run, "CTL")
    t.says(run, "memory")


@case("an endless device is no source")
def device(t):
    need("gcc")
    run = judge(t, [t.write("main.c", '#include "/dev/zero"\nint main(void) { }\n')], cache="none")
    refused_source(t, run, "CE")
    t.that(run.number("time-wall") < t.seconds(5), "soon", run.story())


@case("diagnostics without end are cut at 64 KiB")
def flood(t):
    need("gcc")
    text = "".join("int f%d(void) { return missing_%d; /* %s */ }\n" % (i, i, "x" * 4000) for i in range(200))
    run = refused_source(t, judge(t, [t.write("main.c", text)], cache="none", command="compile"))
    t.that(len(run.said) > 20000, "the diagnostics up to there", len(run.said))


@rows([("a program of %d MiB is %s" % (size, "refused" if over else "run"), size, over) for size, over in [
    (48, False), (96, True)]])
def big(t, size, over):
    need("gcc")
    path = t.write("main.c", "char a[%d] = { 1 };\nint main(void) { return a[0] - 1; }\n" % (size * MIB))
    run = judge(t, [path], "--memory", "512M", cache="none")
    if over:
        t.that(run.verdict in ("CE", "CTL") and run.rc == 1, "CE or CTL", run.story())
    else:
        t.verdict(run, "OK")


@each("variables of the caller's environment change nothing")
def environment(t, language):
    from languages import shared_cache
    env = {"CPATH": "/nonexistent", "GCC_EXEC_PREFIX": "/nonexistent/", "COMPILER_PATH": "/nonexistent", "LD_PRELOAD": "",
           "RUSTFLAGS": "--bad", "RUST_BACKTRACE": "full", "PYTHONPATH": "/nonexistent", "PYTHONSTARTUP": "/nonexistent",
           "PYTHONVERBOSE": "1", "NODE_OPTIONS": "--bad-option", "NODE_PATH": "/nonexistent", "JAVA_TOOL_OPTIONS": "-Dx=1",
           "_JAVA_OPTIONS": "-Xmx1m", "CLASSPATH": "/nonexistent", "GOFLAGS": "-bad", "GOROOT": "/nonexistent",
           "JDK_JAVA_OPTIONS": "-bad", "LANG": "tr_TR.UTF-8", "LC_ALL": "C"}
    run = judge(t, [single(t, language, HELLO[language])], language=language, cache="none", env=env)
    ran(t, run, "onetwo\n")
    t.same("stderr", b"", run.err)


@case("an annotation processor in the sources does not run while Java compiles")
def processor(t):
    need("javac")
    files = {"Main.java": 'public class Main { public static void main(String[] a) { System.out.println("ran"); } }\n',
             "P.java": "import javax.annotation.processing.*;\nimport java.util.*;\n@SupportedAnnotationTypes(\"*\")\npublic class P "
                       "extends AbstractProcessor {\n public boolean process(Set<? extends javax.lang.model.element.TypeElement> s, "
                       "RoundEnvironment r) { throw new RuntimeException(\"processed\"); }\n}\n"}
    words = [t.write(name, text) for name, text in files.items()]
    os.makedirs(t.folder + "/META-INF/services", exist_ok=True)
    t.changes |= {"META-INF", "META-INF/services"}
    run = judge(t, words, cache="none", language="java")
    t.that("processed" not in run.said, "no processor ran", run.story())
    ran(t, run, "ran\n")


@rows([("a program that says %r and ends well is OK" % word, word, 0, "OK") for word in ("MemoryError", "RecursionError")]
      + [("a program that says MemoryError and fails only hurts itself", "MemoryError", 1, "MLE"),
         ("a program that says RecursionError and fails is RTE", "RecursionError", 1, "RTE")])
def words(t, word, status, verdict):
    need("python3")
    path = t.write("main.py", "import sys\nsys.stderr.write('%s\\n')\nsys.exit(%d)\n" % (word, status))
    run = t.verdict(judge(t, [path]), verdict)
    if word == "RecursionError" and status:
        t.says(run, "stack overflow")


@case("a language of one's own by --lang-dir, and judge lang has it")
def own_language(t):
    need("gawk")
    t.write("upper.lang", "name upper\ntitle Upper case\nextension .upper\nneeds /usr/bin/gawk\npackage apt:gawk dnf:gawk apk:gawk\n"
            "version /usr/bin/gawk --version\nrun /usr/bin/gawk -f /box/{main}\npolicy run runtime\n")
    path = t.write("a.upper", "{ print toupper($0) }\n")
    ran(t, judge(t, [path], "--lang-dir", t.folder, input=b"x\n"), "X\n")


@rows([("a language file that is wrong is a usage error: %s" % what, text, said) for what, text, said in [
    ("an unknown key", "name upper\nbogus x\n", "bogus"),
    ("no run line", "name upper\ntitle Upper case\nextension .upper\nneeds /usr/bin/gawk\npackage apt:gawk\n"
     "version /usr/bin/gawk --version\n", "run"),
    ("an unknown placeholder", "name upper\nextension .upper\nrun /bin/cat {bogus}\n", "bogus"),
]])
def wrong_language(t, text, said):
    t.write("upper.lang", text)
    t.refused(judge(t, [t.write("a.upper", "x\n")], "--lang-dir", t.folder), said)


@soak_each("hello compiles and runs without a cgroup")
def no_cgroup(t, language):
    ran(t, judge(t, [single(t, language, HELLO[language])], language=language, cache="none", cgroup="none"), "onetwo\n")


@soak_each("hello of each level, compiled anew")
def levels(t, language):
    for level in ("off", "contest", "strict"):
        ran(t, judge(t, [single(t, language, HELLO[language])], "--level", level, language=language, cache="none"), "onetwo\n")
