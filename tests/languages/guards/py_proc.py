# what: another process's files in /proc, and memory by its file, in several spellings
# contest: OK refused 5
# strict: OK refused 4
n = 0
for path in ("/proc/1/environ", "/proc/self/mem", "/proc/self/../1/maps", "../proc/self/task/../mem", b"/proc/1/maps"):
	try: open(path, "rb").read(1)
	except PermissionError as e: n += "level" in str(e) and (type(path) is str or "contest" in str(e))
print("refused", n)
assert open("/proc/self/status").read()
