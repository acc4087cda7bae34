# what: a module of the program's own that it wrote while it ran has the same rules
# also: late.py x = 1
# contest: OK BREACH is no breach here
# strict: OK refused
import sys
with open("late.py", "w") as file: file.write("import os\nprint('BREACH is no breach here')\n")
try: import late
except ImportError as e: print("refused" if "late.py:1" in str(e) else e)
