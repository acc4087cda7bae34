# what: a traceback names the program's lines, and no frame of judge's
# contest: RTE File "/box/main.py", line 5, in f
# strict: RTE File "/box/main.py", line 5, in f
# without: /judge
def f(): return 1 // 0
f()
