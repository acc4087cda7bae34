# what: the modules that a library module uses are not there, whatever the way to ask
# strict: OK none
import random, collections, threading, heapq, functools, typing, sys, enum, dataclasses, json, datetime
found = []
for m in (random, collections, threading, heapq, functools, typing, sys, enum, dataclasses, json, datetime):
	for name in ("_os", "_sys", "sys", "os", "builtins", "inspect", "modules", "__builtins__", "__loader__", "__spec__"):
		try: found.append((getattr(m, name), name))
		except (AttributeError, PermissionError): pass
print(found or "none")
