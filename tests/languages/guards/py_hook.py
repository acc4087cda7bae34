# what: the hook cannot be found among the objects; a second one is not added
# contest: OK refused 2 0
# strict: CE import of gc
import gc, sys
n, seen = 0, []
for f in (gc.get_objects, lambda: gc.get_referrers(sys)):
	try: f()
	except PermissionError: n += 1
sys.addaudithook(lambda *event: seen.append(event))
open("main.py").close()
print("refused", n, len(seen))
