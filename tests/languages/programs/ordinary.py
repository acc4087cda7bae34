#!/usr/bin/env python3
import bisect, collections, functools, heapq, io, itertools, math, os, random, re, string, sys, threading, time
from collections import Counter, defaultdict, deque
from typing import List

sys.setrecursionlimit(10 ** 6)
threading.stack_size(1 << 26)
input = sys.stdin.readline


class Tree:
    def __init__(self, n: int):
        self.n = n

    def __repr__(self):
        return "%s(%d)" % (self.__class__.__name__, self.n)


@functools.lru_cache(None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def main():
    a, b = map(int, input().split())
    print(a, b)
    rest = os.read(0, 1 << 16) or sys.stdin.read().encode()
    print(sum(map(int, rest.split())))
    os.write(1, b"") if hasattr(os, "write") else None
    sys.stdout.write("%d %d\n" % (fibonacci(1), fibonacci(3)))
    assert repr(Tree(3)) == "Tree(3)" and eval("1 + 1") == 2


thread = threading.Thread(target=main)
thread.start()
thread.join()
