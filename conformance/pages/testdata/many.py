import eventbroker

b = eventbroker.EventBroker(1000)
b.create("orders", 1)
# BLOCK
print(offsets, records, acked)
