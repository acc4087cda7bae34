# what: at strict the memory limit is an error in the program, before the box ends it
# strict: OK MemoryError
try: x = bytearray(4 << 30)
except MemoryError: print("MemoryError")
