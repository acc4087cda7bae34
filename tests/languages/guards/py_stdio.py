# what: the usual ways to read fast: sys.stdin.buffer, input(), os.read, open(0); argv; exit()
# contest: OK 10 /box/main.py __main__
# off: OK 10 /box/main.py __main__
# strict: CE import of os
# stdin: 1 2 3 4
import os, sys
from math import *
data = os.read(0, 1 << 16)
sys.stdout.write("%d " % sum(map(int, data.split())))
assert os.fstat(0).st_size >= 0 and os.environ.get("ONLINE_JUDGE") is None and os.path.exists("main.py")
assert sys.maxsize > 2 ** 32 and sys.version_info[0] == 3 and sys.getsizeof([]) and sys.intern("a") == "a"
sys.setrecursionlimit(10 ** 6)
print(sys.argv[0], __name__)
exit()
