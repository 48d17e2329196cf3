"""Just enough of a broker to have the README's adapter examined."""


class Refused(Exception):
    pass


class Broker:
    def __init__(self, capacity, max_payload=1024):
        if not 1 <= capacity <= 1000:
            raise Refused(f"capacity {capacity}")
        self.topics = {}

    def create(self, topic, partitions):
        if not topic or not 1 <= partitions <= 64:
            raise Refused(f"{topic!r} with {partitions}")
        self.topics[topic] = [None] * partitions
        return True

    def publish(self, topic, partition, payload):
        if not 0 <= partition < len(self.topics[topic]):
            raise Refused(f"partition {partition}")
        self.topics[topic][partition] = payload
        return 0

    def join(self, topic, group, member):
        return list(range(len(self.topics[topic])))

    def poll(self, topic, group, member, most):
        return [(topic, partition, 0, payload) for partition, payload in enumerate(self.topics[topic])]

    def ack(self, topic, group, member, partition, offset):
        if offset < 0:
            raise Refused(f"offset {offset}")
        return False
