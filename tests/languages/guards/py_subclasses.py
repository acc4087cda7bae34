# what: the walk from any object to all classes
# contest: CE main.py:4: refused (contest): attribute __subclasses__
# strict: CE main.py:4: refused (strict): attribute __base__
print(().__class__.__base__.__subclasses__())
