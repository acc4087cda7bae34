"""Starts a contestant's Python program. Runs in the box, in the program's own process:

	python3 -I -S -B /judge/boot.py LEVEL[:MEMORY_MB] PROGRAM [ARGS]

off	gives back what -I and -S take away: the program's folder in sys.path, exit() and quit(), and
	dist-packages, without the time that `site` takes.
contest	and an audit hook that refuses what leads out of the interpreter: other programs, ctypes, the network,
	other processes' files. It refuses nothing that solutions use.
strict	and what strict.py says: an allow-list of modules, restricted builtins, resource limits.

Policy, not a boundary: CPython says so of audit hooks. Whoever corrupts the interpreter's memory (memmove of
ctypes, a crafted code object, a fault of the interpreter) is past the hook, and meets the kernel: no execve but
this one, no network, a file system of its own. A refusal is a PermissionError, as the kernel's would be, so a
program that tries and goes on does.
"""
import sys
import builtins
import posix

FOLDER = __file__.rpartition("/")[0]

REFUSED = frozenset("""os.system os.exec os.posix_spawn os.spawn os.forkpty pty.spawn subprocess.Popen
ctypes.dlsym ctypes.dlsym/handle ctypes.call_function ctypes.cdata ctypes.string_at ctypes.wstring_at
socket.connect socket.bind socket.sendto socket.getaddrinfo socket.getnameinfo socket.gethostbyname
socket.gethostbyaddr socket.getservbyname socket.getservbyport socket.sethostname
urllib.Request webbrowser.open sys.addaudithook gc.get_objects gc.get_referrers gc.get_referents
os.unshare os.setns""".split())

# These have no audit event of their own (or, as execv, exist for nothing else).
REFUSED_CALLS = """system execv execve posix_spawn posix_spawnp forkpty fexecve chroot mknod setuid seteuid setreuid
setresuid setgid setegid setregid setresgid setgroups initgroups unshare setns memfd_create pidfd_open
sched_setscheduler sched_setparam setpriority""".split()


class Quitter:
	"""exit and quit, which `site` would have made."""

	def __init__(self, name):
		self.name = name

	def __repr__(self):
		return "Use %s() or Ctrl-D (i.e. EOF) to exit" % self.name

	def __call__(self, code=None):
		raise SystemExit(code)


def load(name, **names):
	"""Runs another of judge's own files; what it defined."""
	path = "%s/%s.py" % (FOLDER, name)
	names.update(__name__=name, __file__=path)
	with open(path, "rb") as file:
		exec(compile(file.read(), path, "exec"), names)
	return names


def make_proc_check(getcwd, getpid):
	def foreign(path):
		"""Whether it is another process's in /proc, or memory by its file. Links are not followed."""
		if isinstance(path, bytes):
			path = path.decode("latin-1")
		parts = []
		for part in (path if path[:1] == "/" else getcwd() + "/" + path).split("/"):
			if part == "..":
				del parts[-1:]
			elif part not in ("", "."):
				parts.append(part)
		if parts[:1] != ["proc"] or len(parts) < 3:
			return False
		return parts[-1] == "mem" or parts[1].isdigit() and parts[1] != str(getpid())
	return foreign


def make_hook(level, refused, more):
	"""The audit hook. All it needs is in cells and constants, not in a module that a program could change."""
	def refuse(what):
		raise PermissionError(1, "refused by the judge's rules, level %s" % level, what)

	modules, fspath, foreign = sys.modules, posix.fspath, make_proc_check(posix.getcwd, posix.getpid)

	def hook(event, arguments):
		if event in refused:
			refuse(event)
		if event == "open":
			path = arguments[0]
			if path is None or isinstance(path, int):
				return
			path = fspath(path)
			if (b"proc" if isinstance(path, bytes) else "proc") in path and foreign(path):
				refuse("open " + str(path))
		elif event == "ctypes.dlopen":
			# ctypes opens the program itself once, while it is imported.
			if arguments[0] is not None or hasattr(modules.get("ctypes"), "pythonapi"):
				refuse(event)
		elif event == "socket.__new__":
			if arguments[1] not in (-1, 1):		# AF_UNIX: asyncio wakes itself through a pair of these
				refuse(event)
		elif more:
			more(event, arguments, refuse)
	return hook


def make_refusal(level, name):
	def refused(*_, **__):
		raise PermissionError(1, "refused by the judge's rules, level %s" % level, "os." + name)
	refused.__name__ = refused.__qualname__ = name
	return refused


def guard(level, refused=REFUSED, more=None):
	for name in REFUSED_CALLS:
		if hasattr(posix, name):
			setattr(posix, name, make_refusal(level, name))
	if hasattr(sys, "addaudithook"):
		sys.addaudithook(make_hook(level, refused, more))


def without_ours(traceback):
	"""The traceback without frames of judge's own files."""
	kept = []
	while traceback:
		if traceback.tb_frame.f_code.co_filename.rpartition("/")[0] != FOLDER:
			kept.append(traceback)
		traceback = traceback.tb_next
	rest = None
	for each in reversed(kept):
		rest = type(each)(rest, each.tb_frame, each.tb_lasti, each.tb_lineno)
	return rest


def show(kind, value, traceback):
	"""sys.excepthook: the program's own frames only, in the exceptions behind this one as well."""
	seen, queue = set(), [value]
	while queue:
		each = queue.pop()
		if each is None or id(each) in seen:
			continue
		seen.add(id(each))
		each.__traceback__ = without_ours(each.__traceback__)
		queue += [each.__cause__, each.__context__]
	sys.__excepthook__(kind, value, value.__traceback__)


def add_paths(folder):
	version = "python%d.%d" % sys.version_info[:2]
	sys.path.insert(0, folder)
	sys.path += ["%s/%s/dist-packages" % (top, name) for top, name in (
		("/usr/local/lib", version), ("/usr/lib", "python3"))]
	site = "%s/lib/%s/site-packages" % (sys.prefix, version)
	if site not in sys.path:
		sys.path.append(site)


def read_program(path):
	try:
		with open(path, "rb") as file:
			return file.read()
	except OSError as e:
		sys.stderr.write("python3: can't open file %r: %s\n" % (path, e))
		sys.exit(2)


def prepare():
	level, _, memory = sys.argv[1].partition(":")
	path = sys.argv[2]
	sys.argv = sys.argv[2:]
	if path[:1] != "/":
		path = "%s/%s" % (posix.getcwd(), path)
	add_paths(path.rpartition("/")[0] or "/")
	builtins.exit, builtins.quit = Quitter("exit"), Quitter("quit")
	sys.excepthook = show
	main = type(sys)("__main__")
	main.__file__, main.__builtins__ = path, builtins
	sys.modules["__main__"] = main
	code = compile(read_program(path), path, "exec", dont_inherit=True)
	if level == "contest":
		guard(level)
	elif level == "strict":
		main.__builtins__ = load("strict", load=load)["prepare"](level, memory, path, REFUSED, guard)
	elif level != "off":
		raise ValueError("no such level: " + level)
	return code, main.__dict__


exec(*prepare())
