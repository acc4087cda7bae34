# what: an error in a thread and one in an imported module name the program's frames only
# also: broken.py def g(): raise KeyError("here")
# contest: RTE File "/box/broken.py", line 1, in g
# strict: RTE File "/box/broken.py", line 1, in g
# without: /judge
import threading, broken
t = threading.Thread(target=broken.g); t.start(); t.join()
broken.g()
