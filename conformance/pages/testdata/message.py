import eventbroker

# BLOCK
print(made, offset, d, acked, letters)
