# what: no frame of judge's in an exception behind the one that ends the program
# contest: RTE During handling of the above exception
# strict: RTE During handling of the above exception
# without: /judge
try:
	int("x")
except ValueError:
	{}["key"]
