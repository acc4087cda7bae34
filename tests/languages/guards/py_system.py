# what: os.system, exec, spawn, subprocess, each refused where it is called
# contest: OK refused 6
# strict: CE import of os
import os, subprocess, posix
n = 0
for f in (lambda: os.system("id"), lambda: os.execv("/bin/sh", ["sh"]), lambda: os.posix_spawn("/bin/sh", ["sh"], {}),
		lambda: subprocess.run(["id"]), lambda: os.popen("id").read(), lambda: posix.system("id")):
	try: f()
	except PermissionError as e: n += "level contest" in str(e)
print("refused", n)
