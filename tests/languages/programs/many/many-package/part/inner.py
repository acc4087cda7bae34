NAME = "a part"
