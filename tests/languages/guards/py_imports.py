# what: imports by another way than the statement
# strict: OK refused 5
n = 0
def by_name():
	names = globals()
	return names["__buil" + "tins__"]["__imp" + "ort__"]("os")
class S(str): pass
for t in (by_name, lambda: exec("import os"), lambda: eval("__imp" + "ort__('os')"), lambda: eval("1", {"__builtins__": {}}) and exec("import subprocess", {}),
		lambda: exec(compile("import posix", "x", "exec"))):
	try: t()
	except (ImportError, PermissionError): n += 1
print("refused", n)
