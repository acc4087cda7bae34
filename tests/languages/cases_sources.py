"""Sources as they come: line ends, marks, several files, entry points, standard input, standards."""
import os
from languages import FULL, PROGRAMS, case, each, judge, need, program, ran, refused_source, rows, single, soak_each

HELLO = {
    "c": '#include <stdio.h>\n\nint main(void)\n{\n\tputs("one" \\\n\t     "two");\n\treturn 0;\n}\n',
    "cpp": '#include <cstdio>\n\nint main()\n{\n\tputs("one" \\\n\t     "two");\n}\n',
    "python": 'def main():\n    print("one" \\\n          "two")\n\n\nmain()\n',
    "pypy": 'def main():\n    print("one" \\\n          "two")\n\n\nmain()\n',
    "java": 'public class Main {\n\tpublic static void main(String[] args) {\n\t\tSystem.out.println("one" +\n'
            '\t\t\t"two");\n\t}\n}\n',
    "javascript": 'const say = () => {\n\tconsole.log("one" +\n\t\t"two");\n};\nsay();\n',
    "rust": 'fn main() {\n    println!("one\\\n        two");\n}\n',
    "go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("one" +\n\t\t"two")\n}\n',
}
BROKEN = {
    "c": "int main(void) { return missing_name; }\n",
    "cpp": "int main() { return missing_name; }\n",
    "python": "def main(:\n    pass\n",
    "pypy": "def main(:\n    pass\n",
    "java": "public class Main { int f() { return missing_name; } }\n",
    "javascript": "const = 3;\n",
    "rust": "fn main() { missing_name(); }\n",
    "go": "package main\n\nfunc main() { missing_name() }\n",
}


@each("a source with the line ends of Windows")
def windows(t, language):
    ran(t, judge(t, [single(t, language, HELLO[language].replace("\n", "\r\n"))], language=language), "onetwo\n")


@each("a source that begins with a byte order mark")
def mark(t, language):
    ran(t, judge(t, [single(t, language, "\ufeff" + HELLO[language])], language=language), "onetwo\n")


@each("a source without a last newline")
def last_newline(t, language):
    ran(t, judge(t, [single(t, language, HELLO[language].rstrip("\n"))], language=language), "onetwo\n")


@each("a source from standard input, whose program has an empty input")
def typed(t, language):
    need(FULL[language][1])
    text = program("typed" + FULL[language][0]) if language != "java" else program("Typed.java")
    ran(t, judge(t, ["-"], language=language, input=text), "0\n")


@each("a source whose name has blanks, a quote and what a shell would read")
def odd_name(t, language):
    path = single(t, language, HELLO[language], "it's a  $(x);@" + FULL[language][0])
    ran(t, judge(t, [path], language=language), "onetwo\n")


@each("a source whose name begins with a dash is no option of the compiler")
def dash(t, language):
    path = single(t, language, HELLO[language], "-o x" + FULL[language][0])
    ran(t, judge(t, [path], language=language), "onetwo\n")


@rows([("several files, one whose name begins with a dash: %s" % language, language, names)
       for language, names in [("c", ["main.c", "-part.c", "part.h"]), ("go", ["main.go", "-part.go"])]])
def dash_among_several(t, language, names):
    need(FULL[language][1])
    paths = [t.write(name, program("many/many-%s/%s" % (language, name.lstrip("-")))) for name in names]
    run = judge(t, paths, language=language)
    if run.rc == 2:
        t.refused(run, "-part")                 # what a compiler would take for an option
    else:
        ran(t, run, "42 of a part\n")


@each("an empty source does not end in an internal error")
def empty(t, language):
    run = judge(t, [single(t, language, "")], language=language)
    t.that(run.verdict in ("OK", "CE", "RTE") or run.rc == 2, "OK, CE, RTE or a usage error", run.story())


@each("a compile error is CE, with bounded diagnostics that name no folder of the host")
def broken(t, language):
    run = refused_source(t, judge(t, [single(t, language, BROKEN[language])], language=language))
    t.that("main" in run.said.lower(), "the source's name in the diagnostics", run.said)


@each("judge compile says the same of a compile error")
def broken_compile(t, language):
    refused_source(t, judge(t, [single(t, language, BROKEN[language])], command="compile", language=language))


@each("judge compile --output-dir leaves what was made")
def output(t, language):
    path = single(t, language, HELLO[language])
    t.changes |= {"out", "out/a.out", "out/Main.class", "out/classes", "out/classes/Main.class"} | {"out/main" + FULL[language][0]}
    t.verdict(judge(t, [path], "--output-dir", t.folder + "/out", command="compile", language=language), "OK")
    made = [name for _, _, names in os.walk(t.folder + "/out") for name in names]
    t.that(made, "files in the folder", made)
    if language in ("c", "cpp", "rust", "go"):
        t.that(os.access(t.folder + "/out/a.out", os.X_OK), "an executable a.out", made)


@rows([("several files: %s" % what, language, folder, files, options) for what, language, folder, files, options in [
    ("C, two sources and a header", "c", "many-c", ["main.c", "part.c", "part.h"], []),
    ("C++, two sources and a header", "cpp", "many-cpp", ["main.cpp", "part.cpp", "part.h"], []),
    ("Python, a module beside it", "python", "many-python", ["main.py", "part.py"], []),
    ("Python, a package in a folder", "python", "many-package", ["."], []),
    ("PyPy, a module beside it", "pypy", "many-python", ["main.py", "part.py"], []),
    ("JavaScript, a module beside it", "javascript", "many-javascript", ["main.js", "part.js"], []),
    ("Java, two classes", "java", "many-java", ["Main.java", "Part.java"], []),
    ("Java, packages in a folder", "java", "many-packages", ["."], ["--main", "app.Start"]),
    ("Rust, a module beside it", "rust", "many-rust", ["main.rs", "part.rs"], []),
    ("Go, two files of a package", "go", "many-go", ["main.go", "part.go"], []),
]])
def several(t, language, folder, files, options):
    need(FULL[language][1])
    words = [os.path.normpath("%smany/%s/%s" % (PROGRAMS, folder, name)) for name in files]
    ran(t, judge(t, words, *options, language=language), "42 of a part\n")


@rows([("several files, the entry point named: %s" % language, language, folder, files, main)
       for language, folder, files, main in [
    ("python", "many-python", ["part.py", "main.py"], "main.py"),
    ("javascript", "many-javascript", ["part.js", "main.js"], "main.js"),
    ("java", "many-java", ["Part.java", "Main.java"], "Main"),
]])
def named_main(t, language, folder, files, main):
    need(FULL[language][1])
    words = ["%smany/%s/%s" % (PROGRAMS, folder, name) for name in files]
    ran(t, judge(t, words, "--main", main, language=language), "42 of a part\n")


@rows([("Java: %s" % what, name, text) for what, name, text in [
    ("a public class of another name than the file's", "solution.java",
     'import java.util.*;\n// public class Wrong {}\n/* public class Wrong2 */ public class Räuber42 {\n  public static void '
     'main(String[] a) { System.out.println("yes"); }\n}\n'),
    ("a class that is not public", "x.java",
     'class Other { }\nclass Here { public static void main(String... a) { System.out.println("yes"); } }\n'),
    ("a class in a package", "Main.java",
     'package a.b;\npublic class Main { public static void main(String[] a) { System.out.println("yes"); } }\n'),
    ("the method main of another class than the public one", "A.java",
     'public class A { }\nclass Z { public static void main(String[] a) { System.out.println("yes"); } }\n'),
    ("a nested class, a lambda, a record and an enumeration", "R.java",
     'import java.util.function.*;\npublic class R { record P(int x) { } enum E { A }\n static class N { }\n public static void '
     'main(String[] a) { Supplier<String> s = () -> new P(1).x() == 1 && E.A.ordinal() == 0 ? "yes" : "no"; '
     'System.out.println(s.get()); } }\n'),
]])
def java_class(t, name, text):
    ran(t, judge(t, [single(t, "java", text, name)]), "yes\n")


@rows([("--standard %s of %s" % (standard, language), language, standard, text, out)
       for language, standard, text, out in [
    ("cpp", "gnu++17", '#include <cstdio>\nint main() { printf("%ld\\n", __cplusplus); }', "201703\n"),
    ("cpp", "gnu++20", '#include <cstdio>\nint main() { printf("%ld\\n", __cplusplus); }', "202002\n"),
    ("c", "gnu99", '#include <stdio.h>\nint main() { printf("%ld\\n", __STDC_VERSION__); }', "199901\n"),
    ("c", "c17", '#include <stdio.h>\nint main() { printf("%ld\\n", __STDC_VERSION__); }', "201710\n"),
    ("rust", "2018", 'fn main() { let dyn_ = 1; println!("{}", dyn_); }', "1\n"),
    ("rust", "2015", 'fn main() { let async = 1; println!("{}", async); }', "1\n"),
]])
def standard(t, language, name, text, out):
    ran(t, judge(t, [single(t, language, text)], "--standard", name), out)


@case("a standard that the language does not have is a usage error that names them")
def no_standard(t):
    t.refused(judge(t, [single(t, "cpp", HELLO["cpp"])], "--standard", "c++98x"), "gnu\\+\\+17")


@case("a language that is not known is a usage error")
def no_language(t):
    t.refused(judge(t, [single(t, "cpp", HELLO["cpp"])], language="befunge"), "befunge")


@case("a file name of no language is a usage error")
def no_extension(t):
    t.refused(judge(t, [t.write("main.xyz", "x")]), "main\\.xyz")


@case("a source that is missing is a usage error")
def no_source(t):
    t.refused(judge(t, [t.folder + "/none.c"]), "none\\.c")


@case("a source that cannot be read is a usage error, or one's own fault with exit status 2")
def unreadable(t):
    path = t.write("main.c", HELLO["c"], 0)
    if os.access(path, os.R_OK):
        return
    t.refused(judge(t, [path]), "main\\.c")


@case("contest refuses no inline assembly header, pragma or attribute of ordinary programs")
def ordinary_cpp(t):
    need("g++")
    ran(t, judge(t, [PROGRAMS + "ordinary.cpp"]), "36 4\n")


@case("contest refuses nothing that ordinary Python uses")
def ordinary_python(t):
    need("python3")
    ran(t, judge(t, [PROGRAMS + "ordinary.py"], input=b"3 4\n5 6\n"), "3 4\n11\n1 2\n")


@soak_each("a source with the line ends of Windows at level strict")
def windows_strict(t, language):
    ran(t, judge(t, [single(t, language, HELLO[language].replace("\n", "\r\n"))], "--level", "strict", language=language),
        "onetwo\n")


@soak_each("a source that begins with a byte order mark at level strict")
def mark_strict(t, language):
    ran(t, judge(t, [single(t, language, "\ufeff" + HELLO[language])], "--level", "strict", language=language), "onetwo\n")
