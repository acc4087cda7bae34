# what: the template that replaces stdin and stdout by objects of its own
# contest: OK 6
# strict: OK 6
# stdin: 1 2 3
import sys
from io import BytesIO, IOBase
class Out(IOBase):
	def __init__(self, file): self.buffer = BytesIO(); self.file = file
	def write(self, text): self.buffer.write(text.encode())
	def flush(self): self.file.write(self.buffer.getvalue().decode()); self.file.flush(); self.buffer.seek(0); self.buffer.truncate()
input = lambda: sys.stdin.readline().rstrip("\r\n")
real = sys.stdout
sys.stdout = Out(real)
print(sum(map(int, input().split())))
sys.stdout.flush()
sys.stdout = real
