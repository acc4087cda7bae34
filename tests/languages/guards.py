#!/usr/bin/env python3
"""The guards of lang/guards and the scan of class files, on the programs of tests/languages/guards.

A program's head says what each level gives: `# contest: OK TEXT` (its last line of output), `RTE TEXT` (in its
standard error or the verdict's line), `CE TEXT` (in what the check step says); `# stdin:`; `# also: FILE TEXT`, a
second file; `# without: TEXT`, which no message may contain. java_refused.tsv: what the scan must name, and a statement. JUDGE_NODES: more node
binaries to try, separated by colons."""
import os, re, shutil, subprocess, sys, tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
JUDGE = os.environ.get("JUDGE", TOP + "/judge")
GUARDS = TOP + "/lang/guards"
PROGRAMS = os.path.dirname(os.path.abspath(__file__)) + "/guards"
PYTHON = "/usr/bin/python3"
failed = 0


def report(sentence, problem=None, *details):
	global failed
	failed += problem is not None
	print("%s guards: %s" % ("FAIL" if problem else "PASS", sentence), flush=True)
	for line in [problem, *details] if problem else ():
		print("\t" + str(line).replace("\n", "\n\t"), flush=True)


def skip(sentence, reason):
	print("SKIP guards: %s: %s" % (sentence, reason), flush=True)


def read_head(path):
	head = {}
	with open(path, encoding="utf-8-sig") as file:
		for line in file:
			match = re.match(r"(?:#|//) ([a-z]+): (.*)", line)
			if not match:
				return head
			if match[1] == "also":
				head.setdefault("also", []).append(match[2].split(" ", 1))
			else:
				head[match[1]] = match[2]
	return head


def box(options, command, text=""):
	"""Its output, and all that was said on standard error: the program's, then judge's line."""
	return subprocess.run([JUDGE, "run", "--policy", "runtime", "--memory", "512M", "--dir", "/judge=" + GUARDS, *options, "--",
		*command], input=text, capture_output=True, text=True, errors="replace", timeout=60)


def verdict_of(run, expected, without):
	"""None if it is as expected."""
	kind, _, text = expected.partition(" ")
	said = run.stderr.rpartition("\n")[0] + "\n" + run.stderr.rstrip("\n").rpartition("\n")[2]
	if without and without in run.stderr + run.stdout:
		return "says " + without
	if kind == "OK" and (run.returncode or (run.stdout.splitlines() or [""])[-1] != text):
		return "expected the last line %r and OK" % text
	if kind != "OK" and (run.returncode != 1 or text not in said + run.stdout):
		return "expected %r in what it says" % text
	return None


def tell(sentence, run, expected, without):
	problem = verdict_of(run, expected, without)
	report(sentence, problem, "stdout: " + run.stdout[-800:], "stderr: " + run.stderr[-1500:], "again: " + " ".join(run.args))


def try_python(path, head, level, folder):
	files, names = ["--file", path + "=main.py"], ["main.py"]
	for name, text in head.get("also", ()):
		with open(os.path.join(folder, name), "w") as file:
			file.write(text + "\n")
		files += ["--file", os.path.join(folder, name)]
		names.append(name)
	start = [PYTHON, "-I", "-S", "-B"]
	run = box(files, [*start, "/judge/check.py", level, *names])
	if run.returncode == 0:
		if head[level].startswith("CE"):
			run.returncode = -1
		else:
			run = box(files, [*start, "/judge/boot.py", level + ":256", "/box/main.py"], head.get("stdin", "") + "\n")
	tell("%s: %s" % (level, head["what"]), run, head[level], head.get("without"))


def try_node(node, version, path, head, level):
	name = "main" + os.path.splitext(path)[1]
	options = ["--file", "%s=%s" % (path, name), "--env", "JUDGE_LEVEL=" + level, "--exec-allow", node]
	if not node.startswith("/usr/"):
		options += ["--dir", "%s=%s" % ((os.path.dirname(node),) * 2)]
	flags = ["--no-warnings", "--require=/judge/guard.js", "--stack-size=58000"]
	if level == "strict":
		start = ["/bin/sh", "/judge/node.sh", node, "--disallow-code-generation-from-strings", *flags]
	else:
		start = [node, *flags]
	run = box(options, [*start, "/box/" + name], head.get("stdin", "") + "\n")
	tell("%s: node %s: %s" % (level, version, head["what"]), run, head[level], head.get("without"))


def build_scanner(folder):
	program = folder + "/scan_files"
	subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE", "-I" + TOP, "-o", program,
		PROGRAMS + "/scan_files.c", TOP + "/lang/scan_java.c"], check=True)
	return program


def compile_java(javac, folder, name, text):
	out = "%s/%s.classes" % (folder, name)
	source = "%s/%s.java" % (folder, name)
	with open(source, "w") as file:
		file.write(text)
	run = subprocess.run([javac, "-nowarn", "-proc:none", "-d", out, source], capture_output=True, text=True)
	if run.returncode:
		return None, run.stderr
	return [os.path.join(out, each) for each in sorted(os.listdir(out))], ""


def try_java(javac, version, folder):
	scanner = build_scanner(folder)
	path = PROGRAMS + "/java_ordinary.java"
	with open(path) as file:
		classes, said = compile_java(javac, folder, "java_ordinary", file.read())
	found = subprocess.run([scanner, *classes], capture_output=True, text=True).stdout if classes else said
	report("strict: javac %s: %s" % (version, read_head(path)["what"]), found or None)
	with open(PROGRAMS + "/java_refused.tsv") as file:
		rows = [line.rstrip("\n").split("\t") for line in file]
	texts = {"T%d" % i: "class T%d { void f() throws Throwable { %s } }\n" % (i, row[1]) for i, row in enumerate(rows)}
	for (name, text), (rule, statement) in zip(texts.items(), rows):
		classes, said = compile_java(javac, folder, name, text)
		sentence = "strict: javac %s: refused: %s" % (version, statement)
		if not classes:
			skip(sentence, "this JDK has no such thing")
			continue
		found = subprocess.run([scanner, *classes], capture_output=True, text=True).stdout
		report(sentence, None if rule in found else "expected %r, got %r" % (rule, found))


def first_line(command):
	run = subprocess.run(command, capture_output=True, text=True)
	return (run.stdout + run.stderr).split("\n")[0].removeprefix("javac ")


def main():
	programs = sorted(os.path.join(PROGRAMS, name) for name in os.listdir(PROGRAMS))
	nodes = [each for each in ["/usr/bin/node", *os.environ.get("JUDGE_NODES", "").split(":")] if each and os.path.exists(each)]
	nodes = [(node, first_line([node, "--version"])) for node in nodes]
	for path in programs:
		head = read_head(path) if path.endswith((".py", ".js", ".mjs")) else {}
		for level in ("off", "contest", "strict"):
			if level not in head:
				continue
			if not path.endswith(".py"):
				for node, version in nodes:
					try_node(node, version, path, head, level)
			elif os.path.exists(PYTHON):
				with tempfile.TemporaryDirectory() as folder:
					try_python(path, head, level, folder)
	for name, there in (("node", nodes), ("python3", os.path.exists(PYTHON)), ("javac", shutil.which("javac"))):
		if not there:
			skip(name, "is not installed")
	for javac in {os.path.realpath(each) for each in [shutil.which("javac")] if each} | {
			each for each in os.environ.get("JUDGE_JAVACS", "").split(":") if each}:
		with tempfile.TemporaryDirectory() as folder:
			try_java(javac, first_line([javac, "-version"]), folder)
	return 1 if failed else 0


sys.exit(main())
