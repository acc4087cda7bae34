# what: a byte order mark, Windows line ends, no last newline
# contest: OK 3
# strict: OK 3
if True:
	print(3)