# what: builtins by name
# contest: RTE NameError
# strict: CE main.py:4: refused (strict): name __builtins__
__builtins__.print = None
nothing
