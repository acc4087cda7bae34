# what: names of attributes that the source does not show
# strict: OK refused 8
import operator, heapq
def f(): pass
n = 0
class S(str): pass
g = "__glo" + "bals__"
for t in (lambda: getattr(f, g), lambda: getattr(f, S(g)), lambda: operator.attrgetter(g)(f), lambda: setattr(f, "__co" + "de__", 1),
		lambda: operator.methodcaller("__getattribute" + "__", g)(f), lambda: operator.attrgetter("a." + g),
		lambda: eval("f." + g), lambda: exec("f.%s" % g)):
	try: t()
	except PermissionError: n += 1
assert not hasattr(f, g)
print("refused", n)
