# what: what hands out attributes by another way than a name in the source
# strict: OK refused 7
import functools, contextlib, string, heapq, sys
g, got, n = "__glob" + "als__", [], 0
def f(): pass
class W:
	def __setattr__(self, name, value): got.append(value)
def by_traceback():
	try: 1 // 0
	except ZeroDivisionError as e: return vars(type(e.__traceback__))["tb_fr" + "ame"].__get__(e.__traceback__)
for t in (lambda: vars(type(f))[g].__get__(f), by_traceback, lambda: functools.update_wrapper(W(), heapq.merge, [g], ()),
		lambda: functools.wraps(heapq.merge, [g], ())(W()), lambda: contextlib.wraps(heapq.merge, [g], ())(W()),
		lambda: string.Formatter().get_field("0." + g, (f,), {}), lambda: getattr(print, "__se" + "lf__")):
	try: t()
	except (PermissionError, AttributeError): n += 1
@functools.wraps(f)
def h(): pass
assert h.__name__ == "f" and vars(sys) and "n" in vars() and not got
print("refused", n)
