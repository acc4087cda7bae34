# what: deep recursion in a thread with a large stack
# contest: OK 50000
# strict: OK 50000
import sys, threading
sys.setrecursionlimit(10 ** 6)
threading.stack_size(64 << 20)
def f(n): return 0 if n == 0 else 1 + f(n - 1)
def main(): print(f(50000))
t = threading.Thread(target=main); t.start(); t.join()
