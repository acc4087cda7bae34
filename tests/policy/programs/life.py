"""What a Python program may do: each step must succeed, or fail with OSError where it is the policy's to refuse."""
import asyncio, ctypes, gc, mmap, os, shutil, socket, subprocess, sys, tempfile, threading, time

done = []
threads = [threading.Thread(target=lambda: done.append(sum(range(10000)))) for _ in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
assert len(done) == 8

big = [bytearray(1 << 20) for _ in range(200)]
del big
gc.collect()


def refused(kind, function):
    try:
        function()
    except kind:
        return True
    return False


def deeper(n):
    return deeper(n + 1)


assert refused(MemoryError, lambda: bytearray(1 << 50))
assert refused(RecursionError, lambda: deeper(0))
assert refused(OSError, socket.socket)

folder = tempfile.mkdtemp(dir=".")
with open(folder + "/a", "w") as f:
    f.write("hello")
shutil.copy2(folder + "/a", folder + "/b")
assert sorted(os.listdir(folder)) == ["a", "b"]
shutil.rmtree(folder)


async def waits():
    await asyncio.sleep(0.001)
    return await asyncio.get_running_loop().run_in_executor(None, lambda: 5)


assert asyncio.run(waits()) == 5
one, two = socket.socketpair()
one.send(b"x")
assert two.recv(1) == b"x"
child = os.fork()
if child == 0:
    os._exit(7)
assert os.waitpid(child, 0)[1] >> 8 == 7
try:
    subprocess.run([sys.executable, "-c", ""], check=True)
except OSError:
    pass                                # which programs may start is not the filter's to say
mmap.mmap(-1, 4096)[0] = 1
time.sleep(0.001)
assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda v: v + 1)(1) == 2
print("good", sys.stdin.read().strip())
