/*
 * The scans of lang/: what each refuses, at which line and by which words, and what it must let pass. A row is a source
 * and a sentence; the last tests feed each scan millions of bytes of what would take a careless one for ever.
 */
#include "base/array.h"
#include "lang/embedded.h"
#include "lang/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HOSTILE_BYTES 4000000
#define HOSTILE_SECONDS 60

struct row {
	const char *name;
	scan_function *scan;
	const char *file, *text;
	int line;		/* 0: not refused */
	const char *rule;	/* what the finding must contain */
};

#define C(sentence, text, line, rule) { "C: " sentence, scan_c_tokens, "main.c", text, line, rule }
#define CPP(sentence, text, line, rule) { "C++: " sentence, scan_c_tokens, "main.cpp", text, line, rule }
#define ASM(sentence, text, line, rule) { "assembly: " sentence, scan_c_assembly, "main.s", text, line, rule }
#define RUST(sentence, text, line, rule) { "Rust: " sentence, scan_rust_tokens, "main.rs", text, line, rule }
#define GO(sentence, text, line, rule) { "Go: " sentence, scan_go_imports, "main.go", text, line, rule }
#define MAIN "int main(){}\n"

static const struct row rows[] = {
	C("nothing at all", "", 0, ""),
	C("a plain asm", "int main(void){asm(\"nop\");}", 1, "inline assembly (asm)"),
	C("__asm__ on the third line", "\n\nvoid f(void){__asm__(\"\");}", 3, "(__asm__)"),
	C("__asm", "__asm(\"\");", 1, "(__asm)"),
	C("asm behind a byte order mark", "\xef\xbb\xbf" "asm(\"\");", 1, "asm"),
	C("asm as a macro's body", "#define X __asm__\n", 1, "__asm__"),
	C("asm cut by a line splice", "int a;\nas\\\nm(\"\");", 2, "(asm)"),
	C("asm cut by a splice with blanks behind it", "as\\ \t\r\nm(\"\");", 1, "(asm)"),
	C("asm cut by a trigraph's splice", "as?\?/\nm(\"\");", 1, "(asm)"),
	C("a comment that a trigraph would lengthen", "// what?\?/\nasm(\"\");", 2, "(asm)"),
	C("asm behind a block comment", "/* * / */ asm(\"\");", 1, "(asm)"),
	C("asm behind a quote in a comment", "// don't\nasm(\"\");", 2, "(asm)"),
	C("asm behind an unfinished quote", "#if 0\ndon't\n#endif\nasm(\"\");", 4, "(asm)"),
	C("asm behind an escaped quote", "char *s = \"\\\"\"; asm(\"\");", 1, "(asm)"),
	C("asm behind a backslash in quotes", "char *s = \"\\\\\"; asm(\"\");", 1, "(asm)"),
	C("asm behind a character", "char c = '\"'; asm(\"\");", 1, "(asm)"),
	C("asm that only a lone carriage return shows", "// a\rasm(\"\");", 1, "(asm)"),
	C("asm where C has no separators", "x = 1'a\"' asm(\"\"); '\"'", 1, "(asm)"),
	C("asm where clang's C has no raw strings", "R\"(\" asm(\"\"); \")\"", 1, "(asm)"),
	C("asm by a universal character name", "\\u0061sm(\"\");", 1, "asm"),
	C("a letter by its long universal name", "int x\\U00000061;", 1, "universal"),
	C("a letter by its name", "int \\N{LATIN SMALL LETTER A}sm;", 1, "universal"),
	C("asm pasted in an argument list", "#define CAT(a,b) a##b\nCAT(a,sm)(\"\");", 2, "pasted"),
	C("asm pasted the other way round", "#define CAT(a,b) b##a\nCAT(sm,a)(\"\");", 2, "pasted"),
	C("asm pasted of three", "#define C3(a,b,c) a##b##c\nC3(a,s,m)(\"\");", 2, "pasted"),
	C("asm pasted of its own letters", "#define X a##sm\n", 1, "pasted"),
	C("asm pasted by digraphs", "%:define X __as%:%:m__\n", 1, "pasted"),
	C("#line", MAIN "#line 3\n", 2, "line marker"),
	C("a line marker", "# 1 \"/usr/include/stdio.h\" 1 3\n", 1, "line marker"),
	C("a line marker by a digraph", "%: 1 \"x\"\n", 1, "line marker"),
	C("a line marker behind a comment", "/* */ # /* */ 1 \"x\"\n", 1, "line marker"),
	C("an absolute include", "#include \"/etc/passwd\"\n", 1, "include /etc/passwd"),
	C("an absolute include in angle brackets", "#include </etc/passwd>\n", 1, "absolute"),
	C("a device", "#include \"/dev/stdin\"\n", 1, "/dev/stdin"),
	C("an include upwards", "#include \"../x.h\"\n", 1, "outside"),
	C("an include upwards on its way", "#include \"a/../../x.h\"\n", 1, "outside"),
	C("an include of a folder above", "#include \"a/..\"\n", 1, "outside"),
	C("a computed include", "#define F \"x\"\n#include F\n", 2, "by a macro"),
	C("itself, by a macro", "#include __FILE__\n", 1, "by a macro"),
	C("#include_next, #import", "#import \"/x\"\n", 1, "absolute"),
	C("#embed", "#embed \"/etc/shadow\"\n", 1, "embed /etc/shadow"),
	C("an oracle", "#if __has_include(\"/etc/shadow\")\n#endif\n", 1, "__has_include"),
	C("an oracle by a macro", "#if __has_include(X)\n#endif\n", 1, "by a macro"),
	C("#pragma GCC dependency", "#pragma GCC dependency \"/etc/hostname\"\n", 1, "dependency"),
	C("#ident", "#ident \"x\"\n", 1, "(ident)"),
	C("a section", "__attribute__((section(\".text\"))) int x;", 1, "attribute (section)"),
	C("a section, underscored", "__attribute((__section__(\".text\"))) int x;", 1, "__section__"),
	C("a section, the string by a macro", "__attribute__((used, section(S))) int x;", 1, "section"),
	C("a section by two macros", "#define A(x) __attribute__((x))\nA(section(\".x\")) int x;", 2, "section"),
	C("an alias", "void g(void) __attribute__((alias(\"f\")));", 1, "alias"),
	C("symver", "int y __attribute__((symver(\"a@b\")));", 1, "symver"),
	C("ifunc", "void f(void) __attribute__((ifunc(\"r\")));", 1, "ifunc"),
	C("a constructor", "__attribute__((constructor)) void f(void) {}", 1, "constructor"),
	C("redefine_extname", "#pragma redefine_extname a b\n", 1, "redefine_extname"),
	C("redefine_extname in _Pragma", "_Pragma(\"redefine_extname a b\")\n", 1, "redefine_extname"),
	C("a section by clang's pragma", "#pragma clang section text=\"x\"\n", 1, "section"),
	C("a precompiled header by _Pragma", "_Pragma(\"GCC pch_preprocess \\\"x\\\"\")\n", 1, "pch_preprocess"),
	C("the C library's own label", "__REDIRECT(f, (void), g);", 1, "__REDIRECT"),
	CPP("a section in C++'s brackets", "[[gnu::section(\".x\")]] int q;", 1, "section"),
	CPP("a section behind using", "[[using gnu: used, section(\".x\")]] int q;", 1, "section"),
	CPP("brackets by digraphs", "<:<:gnu::section(\".x\"):>:> int q;", 1, "section"),
	CPP("a raw string without an end", "auto s = R\"x(abc)\";", 1, "raw string"),
	CPP("asm behind a raw string", "auto s = R\"x( )\" )x\"; asm(\"\");", 1, "(asm)"),
	CPP("asm behind a raw string of two lines", "auto s = R\"(\n\\)\"; asm(\"\");", 2, "(asm)"),

	CPP("intrinsics and pragmas in any order",
	    "#pragma GCC optimize(\"O3\")\n#include <immintrin.h>\n#pragma GCC target(\"avx2\")\n" MAIN, 0, ""),
	CPP("asm in comments, strings and longer names",
	    "// asm\n/* __asm__(\"\") */\nconst char *a = \"asm(\\\"x\\\")\", *b = R\"(asm(\"nop\"))\";\n"
	    "int basm, asmx, asm_, __asmx;\n", 0, ""),
	CPP("a raw string with quotes of its own", "auto s = R\"--(\" asm )-\" )--\", t = u8R\"(asm)\";\n", 0, ""),
	CPP("separators", "int a = 1'000'000, b = 0x1'F; const char *s = \"it's asm\";\n", 0, ""),
	CPP("a lambda in an index, a section of its own",
	    "int section(const char *); int main(){int a[3][3], alias = a[1][2]; section(\"asm\");}\n", 0, ""),
	CPP("attributes of every day",
	    "[[nodiscard]] int f(); __attribute__((always_inline, target(\"avx2\"))) inline void g() {}\n"
	    "#define INLINE __attribute__((noinline))\nint section;\n", 0, ""),
	CPP("pasting for unique names", "#define CAT(a,b) a##b\nint CAT(tmp_,3), a, s, m; int f(int a, int m);\n", 0, ""),
	CPP("three letters where nothing pastes three", "#define CAT(x,y) x##y\nint r = f(a, s, m);\n", 0, ""),
	C("includes of its own", "#include \"lib/tree.h\"\n#include <sys/mman.h>\n#include <asm/unistd.h>\n", 0, ""),
	C("__has_include that is asked for and defined",
	  "#ifndef __has_include\n#define __has_include(x) 0\n#endif\n#if defined(__has_include) && "
	  "__has_include(<threads.h>)\n#endif\n", 0, ""),
	C("an include with a comment's signs", "#include <a//b.h>\nint x; /* asm */\n", 0, ""),
	C("Windows line ends", "#include <stdio.h>\r\n// asm\\\r\nasm\r\nint main(void){}\r\n", 0, ""),
	C("_Pragma of every day", "_Pragma(\"GCC optimize(\\\"O3\\\")\") _Pragma(\"omp parallel\")\n", 0, ""),
	C("_Pragma by a macro", "#define P(x) _Pragma(#x)\nP(GCC unroll 4)\n", 0, ""),
	C("umlauts in names", "int gr\xc3\xb6\xc3\x9f" "e, \\u00e4;\n", 0, ""),

	ASM("nothing", "", 0, ""),
	ASM("what gcc writes",
	    "\t.file\t\"a.c\"\n\t.text\n\t.section\t.rodata.str1.1,\"aMS\",@progbits,1\n.LC0:\n"
	    "\t.string\t\"; .incbin \\\"x\\\" /* # \"\n\t.section\t.text.startup,\"ax\",@progbits\n\t.p2align 4,,10\n"
	    "\t.globl\tmain\n\t.type\tmain, @function\nmain:\n.LFB1:\n\t.cfi_startproc\n\tcall\tsyscall@PLT\n"
	    "\tmovq\t%fs:x@tpoff, %rax\n\tlock addl\t$1, (%rdi,%rax,4)\n\tnotrack jmp\t*.L4(,%rax,8)\n"
	    "\tvaddps\t%zmm1, %zmm2, %zmm3{%k1}{z}\n\tret\n\t.cfi_endproc\n\t.size\tmain, .-main\n\t.set\tf,g\n"
	    "\t.comm\tbig,400,32\n\t.ident\t\"GCC: (x) 12\"\n\t.section\t.note.GNU-stack,\"\",@progbits\n", 0, ""),
	ASM("what clang writes",
	    "main:                                   # @main\n# %bb.0:\n\tmovl\t$1, %eax           # imm = 0x1\n"
	    "\t.addrsig\n\t.section\t\".note.GNU-stack\",\"\",@progbits\n\"_Z\xc3\xb6\":\n", 0, ""),
	ASM("what they write for aarch64",
	    "\t.arch armv8-a\n\t.text\nf:\n\tstp\tx29, x30, [sp, -16]!\n\tadd\tx0, x0, :lo12:.L0 // =16\n"
	    "\tmov\tw0, #1\n\t.section\t.rodata\n\t.byte\t(.L1 - .L2) / 4\n\t.xword\t.L3\n", 0, ""),
	ASM("a call for a thread's variable", "\t.text\n\t.byte\t0x66\n\tleaq\tx@tlsgd(%rip), %rdi\n\t.value\t0x6666\n", 0, ""),
	ASM("a system header's block",
	    "#APP\n# 284 \"/usr/lib/gcc/x86_64-linux-gnu/12/include/cpuid.h\" 1\n\tcpuid; xchg %ebx, %eax\n\t\n"
	    "# 0 \"\" 2\n.LVL1:\n\t.loc 9 2 3 view .LVU1\n#NO_APP\n", 0, ""),
	ASM("a system header by way of its folder above",
	    "#APP\n# 1 \"/usr/bin/../lib/x.h\" 1\n\tnop\n# 0 \"\" 2\n#NO_APP\n", 0, ""),
	ASM("a block of the source's", "\tnop\n#APP\n# 1 \"main.cpp\" 1\n\tnop\n", 3, "main.cpp"),
	ASM("a block of the box's", "#APP\n# 1 \"/box/main.cpp\" 1\n\tnop\n", 2, "inline assembly"),
	ASM("a block whose header is none", "#APP\n# 1 \"/usr/../box/x.h\" 1\n\tnop\n", 2, "inline assembly"),
	ASM("a block of nobody's", "#APP\n\tnop\n#NO_APP\n", 2, "inline assembly (nop)"),
	ASM("a second block behind a header's", "#APP\n# 1 \"/usr/x.h\" 1\n\tnop\n# 0 \"\" 2\n\tnop\n", 5, "inline"),
	ASM("a block with .incbin that names a header", "#APP\n# 1 \"/usr/x.h\" 1\n\tnop; .incbin \"x\"\n", 3, ".incbin"),
	ASM("a block with a system call that names a header", "#APP\n# 1 \"/usr/x.h\" 1\n\trep syscall\n", 3, "syscall"),
	ASM(".incbin", "\t.text\n\t.incbin \"/etc/hostname\"\n", 2, ".incbin"),
	ASM(".include", "\t.include \"x\"\n", 1, ".include"),
	ASM(".macro", "\t.macro a\n", 1, ".macro"),
	ASM(".rept", "\t.rept 3\n", 1, ".rept"),
	ASM(".irp", "\t.irp x,1\n", 1, ".irp"),
	ASM(".irpc", "\t.irpc x,1\n", 1, ".irpc"),
	ASM(".altmacro", "\t.altmacro\n", 1, ".altmacro"),
	ASM(".equ", "\t.equ a,1\n", 1, ".equ"),
	ASM(".symver", "\t.symver a,b@c\n", 1, ".symver"),
	ASM(".code32", "\t.code32\n", 1, ".code32"),
	ASM("behind a label", "a: b: .incbin \"x\"\n", 1, ".incbin"),
	ASM("behind a semicolon", "\tnop; .incbin \"x\"\n", 1, "operand"),
	ASM("behind what is a comment on the other machine", "\tnop // a; .incbin \"x\"\n", 1, "comment"),
	ASM("a comment of many lines", "\tnop /* \n", 1, "operand"),
	ASM("a string without an end", "\t.data\n\t.string \"abc\n", 2, "without an end"),
	ASM("an assignment", "a = 1\n", 1, "operand"),
	ASM("a carriage return", "\tnop\r.incbin \"x\"\n", 1, "operand"),
	ASM("a section of another kind", "\t.section .interp,\"a\"\n", 1, ".interp"),
	ASM("a section that is almost one", "\t.section .textual,\"ax\"\n", 1, ".textual"),
	ASM("writable instructions", "\t.section .text.f,\"awx\",@progbits\n", 1, "odd flags"),
	ASM("executable data", "\t.section .data.f,\"awx\",@progbits\n", 1, "odd flags"),
	ASM("data among instructions", "\t.text\n\t.byte\t0x0f,0x05\n", 2, "data among"),
	ASM("a string among instructions", "\t.section\t.text.f,\"ax\"\n\t.ascii\t\"\\017\\005\"\n", 2, "data among"),
	ASM("a system call", "\tsyscall\n", 1, "syscall"),
	ASM("an old system call", "\tint $0x80\n", 1, "(int)"),
	ASM("a system call of aarch64", "\tsvc #0\n", 1, "svc"),

	RUST("nothing", "", 0, ""),
	RUST("global_asm!", "\ncore::arch::global_asm!(\"nop\");", 2, "global_asm"),
	RUST("global_asm under another name", "use std::arch::global_asm as g;", 1, "global_asm"),
	RUST("global_asm as a raw name", "core::arch::r#global_asm!(\"\");", 1, "global_asm"),
	RUST("asm!", "fn f(){asm!(\"nop\")}", 1, "asm!"),
	RUST("unsafe", "fn f(){unsafe{}}", 1, "unsafe"),
	RUST("behind nested comments", "/* /* */ */ unsafe fn f(){}", 1, "unsafe"),
	RUST("behind a raw string", "let s = r#\"\"\"#; unsafe{}", 1, "unsafe"),
	RUST("behind a raw string with backslash", "let s = r\"\\\"; unsafe{}", 1, "unsafe"),
	RUST("behind a lifetime", "fn f<'a>(x: &'a str){unsafe{}} 'b: loop{}", 1, "unsafe"),
	RUST("behind a quote as a character", "let c = '\"'; let d = '\\''; unsafe{}", 1, "unsafe"),
	RUST("behind a lifetime that ends in r", "m!('r\"\\\"\"); unsafe{} // \"", 1, "unsafe"),
	RUST("an absolute include_bytes!", "let b = include_bytes!(\"/dev/zero\");", 1, "/dev/zero"),
	RUST("an include_str! upwards", "include_str!(\"../x\")", 1, "outside"),
	RUST("an include! by a macro", "include!(concat!(\"/\", \"x\"));", 1, "by a macro"),
	RUST("include_str under another name", "use std::include_str as i;", 1, "include_str"),
	RUST("env!", "let p = env!(\"PATH\");", 1, "env"),
	RUST("option_env!", "option_env!(\"PATH\")", 1, "option_env"),
	RUST("a feature", "#![feature(asm)]", 1, "feature"),
	RUST("no_mangle", "#[no_mangle] pub fn f(){}", 1, "no_mangle"),
	RUST("no_mangle in brackets", "#[cfg_attr(all(), no_mangle)] fn f(){}", 1, "no_mangle"),
	RUST("link", "#[link(name = \"c\")] fn f(){}", 1, "link"),
	RUST("link_section", "#[link_section = \".text\"] static X: u8 = 1;", 1, "link_section"),
	RUST("a module elsewhere", "#[path = \"/etc/passwd\"] mod x;", 1, "/etc/passwd"),
	RUST("foreign functions", "extern \"C\" { fn abs(x: i32) -> i32; }", 1, "foreign"),
	RUST("a crate", "extern crate libc;", 1, "libc"),
	RUST("what is ordinary",
	     "#![allow(dead_code)]\nuse std::env; // unsafe\n/* asm! /* unsafe */ */\n#[derive(Debug)] struct S<'a>(&'a str);\n"
	     "#[cfg(feature = \"x\")] mod m {}\nextern \"C\" fn f() {}\nextern crate std;\nfn main() { let link = '\\u{41}';\n"
	     "println!(\"unsafe {} {:?}\", r##\"global_asm!(\"#)\"##, b\"asm!\\\"\"); let include = !true; env::args();\n"
	     "let t = include_str!(\"t.txt\"); if include != (1 > 0) {} }", 0, ""),

	GO("nothing", "", 0, ""),
	GO("unsafe", "package main\nimport \"unsafe\"\n", 2, "unsafe"),
	GO("in a list", "package main\nimport (\n\t\"fmt\"\n\tx \"os/exec\"\n)\n", 4, "os/exec"),
	GO("in a raw string", "import `syscall`\n", 1, "syscall"),
	GO("below net", "import \"net/http\"\n", 1, "net/http"),
	GO("cgo", "// #include \"x\"\nimport \"C\"\n", 2, "(C)"),
	GO("a second import", "import \"fmt\"; import . \"plugin\"\n", 1, "plugin"),
	GO("spelt with escapes", "import \"un\\x73afe\"\n", 1, "outside the standard"),
	GO("from a host", "import \"github.com/x/y\"\n", 1, "github.com"),
	GO("from a folder", "import \"./x\"\n", 1, "./x"),
	GO("behind a rune", "var c = '\"'\nimport \"unsafe\"\n", 2, "unsafe"),
	GO("linkname", "package main\n//go:linkname a b\n", 2, "go:linkname"),
	GO("embed", "//go:embed x\nvar s string\n", 1, "go:embed"),
	GO("a build constraint", "//go:build ignore\n", 1, "build constraint"),
	GO("an old build constraint", "// +build ignore\n", 1, "build constraint"),
	GO("cgo's own directive", "//go:cgo_ldflag \"x\"\n", 1, "go:cgo_ldflag"),
	GO("a line marker", "//line x.go:3\n", 1, "line marker"),
	GO("what is ordinary",
	   "// go:embed, import \"unsafe\"\npackage main\n\nimport (\n\t\"bufio\"\n\tm \"math/rand\"; . \"container/heap\"\n\t_ \"os\"\n)\n"
	   "/* import \"C\" */\n//go:noinline\nfunc f() { s := `import \"net\"`; t := \"import \\\"C\\\"\"; _, _ = s, t; x := '\\'' }\n",
	   0, ""),
};

static void test_row(void **state)
{
	const struct row *row = *state;
	struct scan_finding f = { .line = -1 };

	assert_int_equal(row->scan(row->file, row->text, strlen(row->text), &f), row->line > 0);
	if (row->line == 0)
		return;
	assert_int_equal(f.line, row->line);
	if (!strstr(f.rule, row->rule))
		fail_msg("\"%s\" does not contain \"%s\"", f.rule, row->rule);
}

static void test_nul(void **state)
{
	static const char text[] = "import \"fmt\" \0 as";
	struct scan_finding f;

	(void)state;
	assert_true(scan_c_tokens("a.c", text, sizeof(text) - 1, &f));
	assert_true(scan_go_imports("a.go", text, sizeof(text) - 1, &f));
	assert_non_null(strstr(f.rule, "NUL"));
}

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(scan_find(SCAN_SOURCE, "c")->scan, scan_c_tokens);
	assert_ptr_equal(scan_find(SCAN_ASSEMBLY, "c")->scan, scan_c_assembly);
	assert_ptr_equal(scan_find(SCAN_SOURCE, "rust")->scan, scan_rust_tokens);
	assert_ptr_equal(scan_find(SCAN_SOURCE, "go")->scan, scan_go_imports);
	assert_null(scan_find(SCAN_CLASSES, "c"));
	assert_null(scan_find(SCAN_SOURCE, "cc"));
}

/* What the guard keeps from the compiler, the scan has a sentence for. */
static void test_go_list(void **state)
{
	const struct embedded *guard = embedded_find("go-build.sh");
	const char *at, *end;
	int count = 0;

	(void)state;
	assert_non_null(guard);
	at = strstr(guard->data, "denied='");
	assert_non_null(at);
	end = strchr(at += strlen("denied='"), '\'');
	assert_non_null(end);
	for (; at < end; count++) {
		const size_t n = strcspn(at, " \t\n'");
		char text[100] = "import \"";
		struct scan_finding f;

		strncat(text, at, n);
		strcat(text, at[n - 1] == '/' ? "x\"" : "\"");
		assert_true(scan_go_imports("main.go", text, strlen(text), &f));
		assert_non_null(strstr(f.rule, "not allowed"));
		at += n + strspn(at + n, " \t\n");
	}
	assert_true(count > 20);
}

static const struct hostile {
	const char *name;
	scan_function *scan;
	const char *head, *body;	/* the head once, the body for ever */
} hostile[] = {
	{ "linear: C, words", scan_c_tokens, "", "a " },
	{ "linear: C, splices", scan_c_tokens, "", "\\\n" },
	{ "linear: C, a backslash and blanks", scan_c_tokens, "\\", " " },
	{ "linear: C, backslashes", scan_c_tokens, "", "\\ " },
	{ "linear: C, trigraphs", scan_c_tokens, "", "?\?/\n" },
	{ "linear: C, _Pragma and its bracket", scan_c_tokens, "", "_Pragma(" },
	{ "linear: C, attributes' names", scan_c_tokens, "", "section(\n" },
	{ "linear: C, quotes", scan_c_tokens, "", "\"\n" },
	{ "linear: C, almost the end of a raw string", scan_c_tokens, "R\"aaaaaaaaaaaaaaaa(", ")aaaaaaaaaaaaaaa" },
	{ "linear: C, quotes in numbers", scan_c_tokens, "", "1'" },
	{ "linear: C, slashes and splices", scan_c_tokens, "", "/\\\n" },
	{ "linear: assembly, labels", scan_c_assembly, "", "a:" },
	{ "linear: assembly, lines", scan_c_assembly, "", "\tnop\n" },
	{ "linear: assembly, prefixes", scan_c_assembly, "", "lock " },
	{ "linear: assembly, a path", scan_c_assembly, "#APP\n# 1 \"/usr", "/a" },
	{ "linear: assembly, a header's instructions", scan_c_assembly, "#APP\n# 1 \"/usr/a\" 1\n", "a;" },
	{ "linear: Rust, nested comments", scan_rust_tokens, "", "/*" },
	{ "linear: Rust, hashes", scan_rust_tokens, "r", "#" },
	{ "linear: Rust, almost the end of a raw string", scan_rust_tokens, "r####\"", "\"###" },
	{ "linear: Rust, exclamation marks", scan_rust_tokens, "", "a!" },
	{ "linear: Rust, quotes", scan_rust_tokens, "", "' " },
	{ "linear: Rust, brackets", scan_rust_tokens, "", "#[" },
	{ "linear: Go, comments", scan_go_imports, "", "/**/" },
	{ "linear: Go, imports", scan_go_imports, "", "import a " },
	{ "linear: Go, slashes", scan_go_imports, "", "/ /" },
};

/* Nothing but the time counts: a square of the size would take hours. */
static void test_linear(void **state)
{
	const struct hostile *h = *state;
	const size_t head = strlen(h->head), body = strlen(h->body);
	char *text = malloc(HOSTILE_BYTES);
	struct scan_finding f;

	assert_non_null(text);
	for (size_t i = 0; i < HOSTILE_BYTES; i++)
		text[i] = i < head ? h->head[i] : h->body[(i - head) % body];
	(void)alarm(HOSTILE_SECONDS);
	(void)h->scan("main.c", text, HOSTILE_BYTES, &f);
	(void)alarm(0);
	free(text);
}

/* One cmocka test per row; a row's first member is its name. */
#define ADD_ROWS(rows, function)                                              \
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                         \
		tests[count++] = (struct CMUnitTest){ .name = (rows)[i].name, \
			.test_func = (function), .initial_state = (void *)(uintptr_t)&(rows)[i] }

int main(void)
{
	static struct CMUnitTest tests[ARRAY_SIZE(rows) + ARRAY_SIZE(hostile) + 3];
	size_t count = 0;

	ADD_ROWS(rows, test_row);
	ADD_ROWS(hostile, test_linear);
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_nul);
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_find);
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_go_list);
	return _cmocka_run_group_tests("scan", tests, count, NULL, NULL);
}
