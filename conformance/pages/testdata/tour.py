import eventbroker

# BLOCK
print(made, offset, owned, records, acked)
