# One act of a contestant's program, by its name.
import os
import sys


def deep(n):
    return deep(n - 1) + 1 if n else 0


def memory():
    kept = []
    while True:
        kept.append(bytearray(b"x" * (1 << 20)))


def loop():
    while True:
        pass


def threads():
    import threading
    part = [0] * 4

    def add(i):
        part[i] = sum(range(1, 1001))
    all_of_them = [threading.Thread(target=add, args=(i,)) for i in range(4)]
    for t in all_of_them:
        t.start()
    for t in all_of_them:
        t.join()
    print(sum(part))


def missing():
    try:
        open("missing.txt")
        print("there")
    except FileNotFoundError:
        print("missing")


def tmp():
    with open("/tmp/act.txt", "w") as f:
        f.write("kept")
    print(open("/tmp/act.txt").read())


def reach():
    import socket
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[2])), 1)
        print("connected")
    except OSError:
        print("refused")


def child():
    try:
        pid = os.fork()
    except OSError:
        print("refused")
        return
    if pid == 0:
        os._exit(7)
    print("child", os.waitpid(pid, 0)[1] >> 8)


def unicode():
    for line in sys.stdin:
        print("ä€😀", line, end="")


def endless():
    sys.setrecursionlimit(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    deep(-1)


def deep_enough():
    sys.setrecursionlimit(200000)
    print(deep(100000))


def error():
    raise ValueError("uncaught")


ACTS = {"hello": lambda: print("hello, world"), "deep": deep_enough, "endless": endless, "memory": memory, "loop": loop,
        "error": error, "exit3": lambda: sys.exit(3), "threads": threads, "missing": missing, "tmp": tmp,
        "socket": reach, "fork": child, "unicode": unicode}
ACTS[sys.argv[1] if len(sys.argv) > 1 else "hello"]()
