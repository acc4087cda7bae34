"""The rules for Python source, as data, and the walk that applies them. Used by check.py in the compile step and by
strict.py for modules and eval() at run time. Pure: a syntax tree in, (line, sentence) pairs out.

contest refuses only names that have no use in a solution but the way out of it; self.__class__.__name__,
f_back of a debug print and the like stay. strict refuses whatever leads from an object to the interpreter.
"""

CONTEST_ATTRIBUTES = frozenset("__subclasses__ __globals__ __builtins__ f_globals f_builtins".split())

STRICT_ATTRIBUTES = CONTEST_ATTRIBUTES | frozenset("""__code__ __closure__ __mro__ __base__ __bases__ __subclasshook__
__getattribute__ __loader__ __spec__ __import__ __reduce__ __reduce_ex__ __self__ __func__ __wrapped__ __dict__
__kwdefaults__ mro cell_contents f_back f_code f_locals f_trace tb_frame tb_next gi_frame gi_code
gi_yieldfrom cr_frame cr_code cr_await ag_frame ag_code ag_await _getframe _current_frames co_code""".split())

STRICT_NAMES = frozenset("__builtins__ __import__ __loader__ __spec__ breakpoint".split())

# What `import` gives at strict; a name stands for itself, not for what is below it.
STRICT_MODULES = frozenset("""__future__ abc array base64 bisect binascii calendar cmath collections
collections.abc contextlib copy dataclasses datetime decimal enum errno fractions functools graphlib hashlib heapq
io itertools json locale math numbers operator pprint queue random re sched secrets statistics string struct sys
textwrap threading time timeit traceback types typing unicodedata warnings weakref zlib zoneinfo
numpy numpy.fft numpy.linalg numpy.ma numpy.polynomial numpy.random numpy.typing scipy scipy.optimize scipy.sparse
scipy.sparse.csgraph scipy.spatial scipy.special scipy.stats scipy.signal scipy.fft scipy.linalg scipy.ndimage
scipy.interpolate scipy.integrate networkx sortedcontainers sympy more_itertools""".split())


def attribute_rules(node, kind, refused):
	"""Names of attributes that this node looks up, in each way a tree can say so."""
	if kind == "Attribute":
		names = [node.attr]
	elif kind == "MatchClass":
		names = node.kwd_attrs
	elif kind == "ImportFrom":
		names = [alias.name for alias in node.names]
	else:
		return
	for name in names:
		if name in refused:
			yield "attribute %s" % name


def import_rules(node, kind, own):
	if kind == "Import":
		names = [alias.name for alias in node.names]
	elif kind == "ImportFrom" and not node.level:
		names = [node.module]
	else:
		return
	for name in names:
		if name not in STRICT_MODULES and name.partition(".")[0] not in own:
			yield "import of %s" % name


def name_rules(node, kind):
	if kind == "Name" and node.id in STRICT_NAMES:
		yield "name %s" % node.id
	elif kind in ("Global", "Nonlocal"):
		for name in node.names:
			if name in STRICT_NAMES:
				yield "name %s" % name


def findings(tree, level, own=()):
	"""What is refused, by line. `own`: names of modules that came with the program."""
	refused = STRICT_ATTRIBUTES if level == "strict" else CONTEST_ATTRIBUTES
	found, stack = [], [(tree, 1)]
	while stack:
		node, line = stack.pop()
		if isinstance(node, list):
			stack += [(each, line) for each in node]
			continue
		if not hasattr(node, "_fields"):
			continue
		line, kind = getattr(node, "lineno", line), type(node).__name__
		found += [(line, rule) for rule in attribute_rules(node, kind, refused)]
		if level == "strict":
			found += [(line, rule) for rule in import_rules(node, kind, own)]
			found += [(line, rule) for rule in name_rules(node, kind)]
		stack += [(getattr(node, name, None), line) for name in node._fields]
	return sorted(set(found))
