# what: several files; a module of the program's own hides the library's of that name
# also: helper.py import sys; from heapq import *; y = (len(sys.argv), nsmallest(1, [2, 1]))
# also: queue.py class Mine: pass
# contest: OK (1, [1]) Mine helper
# strict: OK (1, [1]) Mine helper
import helper
from queue import Mine
import helper as h
print(h.y, Mine.__name__, helper.__name__)
