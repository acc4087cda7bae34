# what: a syntax error is told as python3 tells it
# contest: CE line 5
# strict: CE SyntaxError
# without: /judge
def f(:
