"""How a question was read, in parts that people can check, change and teach."""
