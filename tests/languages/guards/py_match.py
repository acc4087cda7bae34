# what: a class pattern looks attributes up as well
# contest: CE main.py:6: refused (contest): attribute __globals__
# strict: CE main.py:6: refused (strict): attribute __globals__
def f(): pass
match f:
	case object(__globals__=g): print(g)
