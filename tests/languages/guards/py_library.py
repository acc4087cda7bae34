# what: the modules of solutions, imported in each way, and what is used of them
# contest: OK 42
# strict: OK 42
import sys, heapq, math, random as rnd, collections.abc, itertools, functools, operator, re, string, json, copy
from collections import defaultdict, deque, Counter, namedtuple, OrderedDict
from bisect import *
from fractions import Fraction
from decimal import Decimal, getcontext
from dataclasses import dataclass, field
from typing import List, Optional, NamedTuple
from enum import Enum, auto
from types import GeneratorType
from functools import lru_cache, cmp_to_key, reduce
from queue import PriorityQueue
import threading, time, datetime, statistics, hashlib, array, struct, io, contextlib, textwrap, abc, random
@dataclass(order=True)
class P:
	x: int
	y: list = field(default_factory=list)
class C(Enum):
	A = auto()
class T(NamedTuple):
	a: int
	b: str = ""
N = namedtuple("N", "a b")
@lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def bootstrap(f, stack=[]):
	def wrapped(*args, **kw):
		if stack: return f(*args, **kw)
		to = f(*args, **kw)
		while True:
			if type(to) is GeneratorType:
				stack.append(to); to = next(to)
			else:
				stack.pop()
				if not stack: break
				to = stack[-1].send(to)
		return to
	return wrapped
@bootstrap
def depth(n):
	if n: yield (yield depth(n - 1)) + 1
	yield 0
getcontext().prec = 50
q = PriorityQueue(); q.put((1, "a")); assert q.get()[0] == 1
h = []; heapq.heappush(h, 3); heapq.heapify(h)
rnd.seed(1); random.shuffle([1, 2]); random.randint(1, 2)
assert depth(5000) == 5000 and fib(90) and Decimal(1) / 3 and Fraction(1, 3) + 1 and bisect_left([1, 2], 2) == 1
assert P(1) < P(2) and C.A.name == "A" and T(1).b == "" and N(1, 2).b == 2 and isinstance([], collections.abc.Sequence)
assert sorted([3, 1], key=cmp_to_key(lambda a, b: a - b)) == [1, 3] and reduce(operator.add, [1, 2]) == 3
assert operator.itemgetter(1)([1, 2]) == 2 and operator.attrgetter("x")(P(4)) == 4 and eval("1 + 1") == 2
assert type(P(1)).__name__ == "P" and P(1).__class__ is P and super and [].__len__() == 0 and getattr(P(7), "x") == 7
exec("z = 5"); assert z == 5 and hasattr(P(1), "y") and time.time() and hashlib.sha256(b"").hexdigest()
print(json.loads("42"))
