import eventbroker


def bill(payload):
    return print(payload) is None


# BLOCK
print(made, offset, confirmed)
