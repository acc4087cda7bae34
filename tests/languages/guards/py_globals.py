# what: a library function's globals
# contest: CE main.py:5: refused (contest): attribute __globals__
# strict: CE main.py:5: refused (strict): attribute __func__
import random
print(random.seed.__func__.__globals__["_os"])
