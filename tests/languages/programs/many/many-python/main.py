import part

print(42, "of", part.NAME)
