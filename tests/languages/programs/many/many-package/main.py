from part.inner import NAME

print(42, "of", NAME)
