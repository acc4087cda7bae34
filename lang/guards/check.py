"""The compile step of Python. Runs in a box of its own, and never runs what it reads:

	python3 -I -S -B /judge/check.py LEVEL FILE...

A file that does not compile: what python3 prints of it, exit status 1. One that the level's rules refuse: a line
"FILE:LINE: refused (LEVEL): RULE" for each finding, exit status 1. Files that do not end in .py are data.
"""
import sys

FOLDER = __file__.rpartition("/")[0]
ONLY_TREE = 0x400	# ast.PyCF_ONLY_AST, without the time that importing ast takes
MOST = 50		# findings shown


def load(name):
	path, names = "%s/%s.py" % (FOLDER, name), {"__name__": name}
	with open(path, "rb") as file:
		exec(compile(file.read(), path, "exec"), names)
	return names


def own_modules(paths):
	"""foo of foo.py, and pkg of pkg/foo.py."""
	names = set()
	for path in paths:
		parts = path[2:].split("/") if path[:2] == "./" else path.rpartition("/box/")[2].split("/")
		names.add(parts[0].removesuffix(".py"))
	return names


def show(error):
	"""An error of the compiler alone, as python3 shows it: no frame of this file."""
	error.__traceback__ = error.__cause__ = error.__context__ = None
	sys.__excepthook__(type(error), error, None)


def check(path, level, own, findings):
	"""True if the file may run."""
	with open(path, "rb") as file:
		text = file.read()
	try:
		compile(text, path, "exec", dont_inherit=True)
		tree = level != "off" and compile(text, path, "exec", ONLY_TREE, dont_inherit=True)
	except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
		show(error)
		return False
	found = findings(tree, level, own) if tree else []
	for line, rule in found[:MOST]:
		sys.stderr.write("%s:%d: refused (%s): %s\n" % (path, line, level, rule))
	if len(found) > MOST:
		sys.stderr.write("%s: and %d more\n" % (path, len(found) - MOST))
	return not found


def main():
	level, paths = sys.argv[1], sys.argv[2:]
	if level not in ("off", "contest", "strict"):
		raise ValueError("no such level: " + level)
	findings = load("rules")["findings"]
	own = own_modules(paths)
	sources = [path for path in paths if path.endswith(".py")] or paths[:1]
	try:
		good = [check(path, level, own, findings) for path in sources]
	except OSError as error:
		sys.stderr.write("python3: can't open file %r: %s\n" % (error.filename, error))
		sys.exit(2)
	sys.exit(0 if all(good) else 1)


main()
