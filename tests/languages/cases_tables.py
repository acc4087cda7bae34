"""The languages that are an entry of the table: hello, an exit status, an error, a source that does not compile."""
from languages import SOAK, judge, need, ran, refused_source, rows

# Language: extension, what it needs, hello, exit with 3, an error, what its stderr says, what does not compile.
TABLE = {
    "pascal": (".pas", "fpc", "begin\n  writeln('hello');\nend.\n", "begin\n  halt(3);\nend.\n",
               "var a: array of integer;\n  i: integer;\nbegin\n  i := 0;\n  writeln(1 div i);\nend.\n", "Runtime error 200",
               "begin\n  writeln(missing);\nend.\n"),
    "perl": (".pl", "perl", 'print "hello\\n";\n', "exit 3;\n", 'die "uncaught";\n', "uncaught", "print 1 +;\n}\n"),
    "lua": (".lua", "lua5.4", 'print("hello")\n', "os.exit(3)\n", 'error("uncaught")\n', "uncaught", "print(1 +)\n"),
    "ruby": (".rb", "ruby", 'puts "hello"\n', "exit 3\n", 'raise "uncaught"\n', "uncaught", "def f(\nend end\n"),
    "php": (".php", "php", '<?php\necho "hello\\n";\n', "<?php\nexit(3);\n", '<?php\nthrow new Exception("uncaught");\n',
            "uncaught", "<?php\necho 1 +;\n"),
    "ocaml": (".ml", "ocamlopt", 'let () = print_endline "hello"\n', "let () = exit 3\n", 'let () = failwith "uncaught"\n',
              "uncaught", "let () = print_int missing\n"),
    "fortran": (".f90", "gfortran", 'program main\n  print "(a)", "hello"\nend program\n',
                "program main\n  call exit(3)\nend program\n",
                'program main\n  integer :: i\n  read(*,*) i\nend program\n', "End of file",
                "program main\n  implicit none\n  x = 1\nend program\n"),
    "lisp": (".lisp", "sbcl", '(write-line "hello")\n', "(exit :code 3)\n", '(error "uncaught")\n', "uncaught", None),
    "awk": (".awk", "gawk", 'BEGIN { print "hello" }\n', "BEGIN { exit 3 }\n", 'BEGIN { getline x < "" ; f(1) }\nfunction f(a)'
            ' { a[1] = 2 }\n', "fatal", "BEGIN { print ( }\n"),
}
if SOAK:
    TABLE["haskell"] = (".hs", "ghc", 'main = putStrLn "hello"\n', "import System.Exit\nmain = exitWith (ExitFailure 3)\n",
                        'main = error "uncaught" :: IO ()\n', "uncaught", "main = missing\n")
    TABLE["csharp"] = (".cs", "mono", 'class M { static void Main() { System.Console.WriteLine("hello"); } }\n',
                       "class M { static int Main() { return 3; } }\n",
                       'class M { static void Main() { throw new System.Exception("uncaught"); } }\n', "uncaught",
                       "class M { static void Main() { missing(); } }\n")
NAMES = sorted(TABLE)


def table(sentence, names=NAMES):
    return rows([("%s: %s" % (name, sentence), name, *TABLE[name]) for name in names])


@table("table entry, hello")
def hello(t, name, extension, tool, text, *_):
    need(tool)
    run = ran(t, judge(t, [t.write("main" + extension, text)]), "hello\n")
    t.same("meta language", name, run.meta.get("language"))


@table("table entry, hello at level strict")
def hello_strict(t, name, extension, tool, text, *_):
    need(tool)
    ran(t, judge(t, [t.write("main" + extension, text)], "--level", "strict"), "hello\n")


@table("table entry, a source with the line ends of Windows", [n for n in NAMES if n != "awk"])
def windows(t, name, extension, tool, text, *_):
    need(tool)
    ran(t, judge(t, [t.write("main" + extension, text.replace("\n", "\r\n"))]), "hello\n")


@table("table entry, exit status 3 is RTE")
def exit3(t, name, extension, tool, _hello, text, *_):
    need(tool)
    t.verdict(judge(t, [t.write("main" + extension, text)]), "RTE", exitcode="3")


@table("table entry, an error of the program is RTE")
def error(t, name, extension, tool, _hello, _exit, text, said, _broken):
    need(tool)
    run = t.verdict(judge(t, [t.write("main" + extension, text)]), "RTE")
    t.that(said.encode() in run.err, "%s on standard error" % said, run.story())


@table("table entry, what does not compile is CE", [n for n in NAMES if TABLE[n][-1]])
def broken(t, name, extension, tool, *texts):
    need(tool)
    refused_source(t, judge(t, [t.write("main" + extension, texts[-1])]))
