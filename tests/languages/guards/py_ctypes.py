# what: ctypes may be imported, and reaches no function and no memory
# contest: OK refused 5
# strict: CE import of ctypes
import ctypes
n = 0
for f in (lambda: ctypes.CDLL(None), lambda: ctypes.CDLL("libc.so.6"), lambda: ctypes.pythonapi.Py_IncRef,
		lambda: ctypes.c_int.from_address(0x1000), lambda: ctypes.string_at(0x1000, 1)):
	try: f()
	except PermissionError: n += 1
assert len((ctypes.c_int * 10)()) == 10
print("refused", n)
