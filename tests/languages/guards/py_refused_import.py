# what: a program may find out at run time that a module is not there, and go on
# contest: OK without
# strict: CE import of nothing_of_that_name
# without: /judge
try: import nothing_of_that_name
except ImportError: print("without")
