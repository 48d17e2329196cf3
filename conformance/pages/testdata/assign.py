from eventbroker import assign

sent = assign.Subscription(0, ["orders"]).encode()
# BLOCK
print(owned)
