# what: no socket, no name
# contest: OK refused 3
# strict: CE import of socket
import socket, urllib.request
n = 0
for f in (lambda: socket.create_connection(("127.0.0.1", 80), 1), lambda: socket.socket(),
		lambda: urllib.request.urlopen("http://127.0.0.1/")):
	try: f()
	except OSError as e: n += "level contest" in str(e)
print("refused", n)
