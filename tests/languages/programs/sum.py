import sys

data = sys.stdin.buffer.read().split()
total, lines = 0, []
for word in data[1:int(data[0]) + 1]:
    total += int(word)
    lines.append(total)
sys.stdout.write("\n".join(map(str, lines)) + "\n")
