"""What boot.py adds at level strict. Runs in the box, in the program's own process, before the program.

The program's modules get a builtins dictionary of their own, the library keeps the real one: an import in the
program gives a copy of an allowed module without its private names and the modules it uses (random._os, …),
and sys is stdio, argv, exit, and constants. getattr and its relatives refuse the names that rules.py refuses
in source; eval, exec and compile apply rules.py to what they are given. Limits are fixed by setrlimit.

What this does not stop is stopped or left over by the audit hook and the kernel: a path from a library object to a
module's dictionary that rules.py does not name, faults of the interpreter.
"""
import sys
import builtins

Module = type(sys)
ONLY_TREE = 0x400
WHERE = "refused by the judge's rules, level strict: "

MORE_REFUSED = """os.fork code.__new__ resource.setrlimit resource.prlimit ctypes.dlopen os.kill os.killpg
socket.__new__ sys.settrace sys.setprofile sys._current_frames sys._current_exceptions os.link os.symlink
os.chmod os.chown os.setxattr os.chroot signal.pthread_kill sqlite3.enable_load_extension""".split()

# Some of these the library tries to import and does without.
REFUSED_IMPORTS = frozenset("""subprocess _posixsubprocess ctypes _ctypes socket _socket ssl multiprocessing
_multiprocessing pty pickletools code codeop pdb runpy ensurepip venv asyncio ftplib smtplib telnetlib http.client
http.server xmlrpc.client socketserver webbrowser mmap fcntl termios""".split())

SYS_NAMES = """stdin stdout stderr __stdin__ __stdout__ __stderr__ argv exit maxsize maxunicode version version_info
hexversion platform implementation byteorder float_info int_info hash_info float_repr_style api_version copyright
setrecursionlimit getrecursionlimit getsizeof intern exc_info getrefcount getdefaultencoding getfilesystemencoding
set_int_max_str_digits get_int_max_str_digits getswitchinterval setswitchinterval thread_info builtin_module_names
is_finalizing""".split()

REMOVED = {
	"io": {"open_code"}, "threading": {"settrace", "setprofile", "settrace_all_threads", "setprofile_all_threads"},
	"timeit": {"Timer", "timeit", "repeat", "main"}, "typing": {"get_type_hints", "ForwardRef"},
	"types": {"FunctionType", "LambdaType", "CodeType", "FrameType", "TracebackType", "CellType", "coroutine",
		"resolve_bases", "prepare_class", "new_class"},
	"traceback": {"walk_stack", "walk_tb", "extract_stack", "StackSummary", "FrameSummary", "TracebackException"},
	"string": {"Formatter"}, "numpy": {"load", "memmap", "fromfile"},
}


def stop(rule):
	raise PermissionError(1, WHERE + rule)


def make_names(refused):
	"""getattr and its relatives, which take a name that the source need not show."""
	real_get, real_set, real_del, real_has, real_vars = getattr, setattr, delattr, hasattr, vars
	frame = sys._getframe

	def check(name):
		if type(name) is not str:
			stop("an attribute's name that is no plain str")
		if name in refused:
			stop("attribute " + name)

	def checked_getattr(object, name, *default):
		check(name)
		return real_get(object, name, *default)

	def checked_setattr(object, name, value):
		check(name)
		real_set(object, name, value)

	def checked_delattr(object, name):
		check(name)
		real_del(object, name)

	def checked_hasattr(object, name):
		return type(name) is str and name not in refused and real_has(object, name)

	def checked_vars(*object):
		if not object:
			return frame(1).f_locals
		if isinstance(object[0], type):		# its descriptors fetch any attribute
			stop("vars() of a class")
		return real_vars(object[0])

	return check, {"vars": checked_vars, "getattr": checked_getattr, "setattr": checked_setattr, "delattr": checked_delattr,
		"hasattr": checked_hasattr}


def make_library(check):
	"""Functions of the library that look up attributes by name: by the real one's id, for modules hand them on."""
	import functools
	import operator

	def attrgetter(*names):
		for name in names:
			for part in name.split(".") if type(name) is str else [name]:
				check(part)
		return operator.attrgetter(*names)

	def methodcaller(name, *arguments, **named):
		check(name)
		return operator.methodcaller(name, *arguments, **named)

	def update_wrapper(wrapper, wrapped, assigned=functools.WRAPPER_ASSIGNMENTS, updated=("__dict__",)):
		assigned, updated = tuple(assigned), tuple(updated)
		for name in assigned + updated:
			if name != "__dict__":
				check(name)
		return functools.update_wrapper(wrapper, wrapped, assigned, updated)

	def wraps(wrapped, assigned=functools.WRAPPER_ASSIGNMENTS, updated=("__dict__",)):
		return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)
	return {id(operator.attrgetter): attrgetter, id(operator.methodcaller): methodcaller,
		id(functools.update_wrapper): update_wrapper, id(functools.wraps): wraps}


def make_eval(findings, get_builtins):
	"""eval, exec and compile: the rules first, and never other builtins than the program's."""
	real_eval, real_exec, real_compile, code_type = eval, exec, compile, type(make_names.__code__)
	frame = sys._getframe

	def checked_compile(source, filename="<string>", mode="exec", flags=0, dont_inherit=True, optimize=-1):
		if type(source) not in (str, bytes):
			stop("compile() of something else than text")
		for line, rule in findings(real_compile(source, filename, mode, ONLY_TREE, True), "strict"):
			stop("%s in line %d of %s" % (rule, line, filename))
		return real_compile(source, filename, mode, flags, True, optimize)

	def run(real, source, mode, names, local, caller):
		if names is None:
			names = caller.f_globals
			local = caller.f_locals if local is None else local
		if type(names) is not dict:
			raise TypeError("globals must be a dict")
		names["__builtins__"] = get_builtins()
		if type(source) is not code_type:
			source = checked_compile(source.lstrip(" \t") if mode == "eval" else source, "<string>", mode)
		return real(source, names) if local is None else real(source, names, local)

	def checked_eval(source, globals=None, locals=None):
		return run(real_eval, source, "eval", globals, locals, frame(1))

	def checked_exec(source, globals=None, locals=None):
		run(real_exec, source, "exec", globals, locals, frame(1))
	return {"eval": checked_eval, "exec": checked_exec, "compile": checked_compile}


def make_sys():
	"""sys as the program sees it. Setting stdin, stdout, stderr reaches input() and print()."""
	real = sys

	class Facade(Module):
		def __setattr__(self, name, value):
			if name not in ("stdin", "stdout", "stderr"):
				stop("setting sys." + name)
			setattr(real, name, value)

		def __delattr__(self, name):
			stop("deleting sys." + name)

	def stream(name):
		return property(lambda self: getattr(real, name))
	for name in ("stdin", "stdout", "stderr"):
		setattr(Facade, name, stream(name))
	found = Facade("sys")
	names = [name for name in SYS_NAMES if hasattr(real, name)]
	found.__dict__.update((name, getattr(real, name)) for name in names if not hasattr(Facade, name))
	found.__dict__["__all__"] = names
	return found


def make_facades(modules, check):
	"""Copies of modules; each is made once, so that what a program sets there stays."""
	made, replaced = {"sys": make_sys()}, {}

	def allowed(name, value, removed):
		if name in removed or name[:1] == "_" and name not in ("__name__", "__doc__", "__version__"):
			return False
		return not isinstance(value, Module)

	def facade(real):
		name = real.__name__
		if name in made:
			return made[name]
		if not replaced:		# late: it imports, and many programs need sys only
			replaced.update(make_library(check))
		made[name] = found = Module(name)
		removed = REMOVED.get(name, ())
		for key, value in list(vars(real).items()):
			if isinstance(value, Module) and value.__name__ == "%s.%s" % (name, key) in modules:
				found.__dict__[key] = facade(value)
			elif allowed(key, value, removed):
				found.__dict__[key] = replaced.get(id(value), value)
		if "__all__" in vars(real):
			found.__dict__["__all__"] = [key for key in real.__all__ if key in vars(found)]
		return found
	return facade


def make_import(modules, facade, folder):
	real_import, loaded = __import__, sys.modules

	def own(module):
		return (getattr(module, "__file__", None) or getattr(module, "__path__", [""])[0]).startswith(folder + "/")

	def is_own(top):
		"""Asked before anything is imported: the program's folder comes first in sys.path."""
		from posix import stat
		for path in ("%s/%s.py" % (folder, top), "%s/%s" % (folder, top)):
			try:
				stat(path)
				return True
			except OSError:
				pass
		return False

	def checked_import(name, globals=None, locals=None, fromlist=(), level=0):
		if type(name) is not str:
			stop("import of something else than a plain str")
		if level or name not in modules and is_own(name.partition(".")[0]):
			found = real_import(name, globals, locals, fromlist, level)
			if not own(found):
				stop("import of " + name)
			return found
		if name not in modules:
			raise ImportError(WHERE + "import of " + name, name=name)
		wanted = [each for each in fromlist or () if "%s.%s" % (name, each) in modules]
		found = real_import(name, None, None, wanted)
		if own(found):
			return found
		target, parts = facade(found), name.split(".")
		real = loaded[parts[0]]
		for part in parts[1:]:
			real = loaded["%s.%s" % (real.__name__, part)]
			parent = facade(loaded[real.__name__.rpartition(".")[0]])
			parent.__dict__.setdefault(part, facade(real))
		for each in wanted:
			facade(real).__dict__.setdefault(each, facade(loaded["%s.%s" % (name, each)]))
		return facade(real) if fromlist else target
	return checked_import


def add_loader(findings, get_builtins, folder):
	"""Modules that came with the program: the rules, and the program's builtins. Source only, no extension."""
	external = sys.modules["_frozen_importlib_external"]

	class Loader(external.SourceFileLoader):
		def exec_module(self, module):
			text = self.get_data(self.path)
			for line, rule in findings(compile(text, self.path, "exec", ONLY_TREE, True), "strict", own_names()):
				raise ImportError("%s%s (%s:%d)" % (WHERE, rule, self.path, line), name=module.__name__)
			module.__dict__["__builtins__"] = get_builtins()
			exec(compile(text, self.path, "exec", 0, True), module.__dict__)

	def own_names():
		from posix import listdir
		return {name.removesuffix(".py") for name in listdir(folder)}

	def hook(path):
		if path != folder and not path.startswith(folder + "/"):
			raise ImportError("not the program's", path=path)
		return external.FileFinder(path, (Loader, [".py"]))
	sys.path_hooks.insert(0, hook)
	sys.path_importer_cache.pop(folder, None)


def set_limits(memory):
	"""Every limit's ceiling is what it is now; no core; and, with a margin for threads' stacks, the run's memory."""
	import resource
	for name in ("CPU", "FSIZE", "DATA", "STACK", "NOFILE", "NPROC", "AS", "MEMLOCK"):
		number = getattr(resource, "RLIMIT_" + name)
		soft, hard = resource.getrlimit(number)
		if name == "DATA" and memory:
			most = (int(memory) + 512) << 20
			soft = most if soft == resource.RLIM_INFINITY else min(soft, most)
		resource.setrlimit(number, (soft, soft))
	resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def more(event, arguments, refuse):
	"""Of the audit hook, for the events it has no rule of its own for."""
	if event == "import" and arguments[0] in REFUSED_IMPORTS:
		raise ImportError(WHERE + "import of " + arguments[0], name=arguments[0])


def prepare(level, memory, path, refused, guard):
	"""The builtins for the program."""
	rules = load("rules", load=load)
	folder = path.rpartition("/")[0] or "/"
	set_limits(memory)
	check, names = make_names(rules["STRICT_ATTRIBUTES"])
	found = dict(vars(builtins))

	def get_builtins():
		return found
	facade = make_facades(rules["STRICT_MODULES"], check)
	found.update(names, **make_eval(rules["findings"], get_builtins))
	found["__import__"] = make_import(rules["STRICT_MODULES"], facade, folder)
	for name in ("breakpoint", "__loader__", "__spec__", "help"):
		found.pop(name, None)
	add_loader(rules["findings"], get_builtins, folder)
	guard(level, refused.union(MORE_REFUSED), more)
	return found
