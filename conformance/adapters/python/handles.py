"""An EventBroker whose calls of a topic all go through handles that are kept (EB-18)."""

from typing import Any

from eventbroker import BrokerRecord, Consumer, EventBroker, Topic


class ByHandles(EventBroker):
    """What it is asked, its topics and consumers do; names are resolved once."""

    def _topic(self, name: Any) -> Topic:
        topics: dict[str, Topic] = self.__dict__.setdefault("_topics", {})
        key = repr(name)  # what is no name may not be hashable
        return topics.get(key) or topics.setdefault(key, self.topic(name))

    def _consumer(self, topic: Any, *names: Any) -> Consumer:
        consumers: dict[str, Consumer] = self.__dict__.setdefault("_consumers", {})
        key = repr((topic, *names))
        return consumers.get(key) or consumers.setdefault(key, self._topic(topic).consumer(*names))

    def publish(self, topic: Any, partition: Any, payload: Any) -> int:
        return self._topic(topic).publish(partition, payload)

    def publish_many(self, topic: Any, messages: Any) -> list[int]:
        return self._topic(topic).publish_many(messages)

    def join(self, topic: Any, group: Any, member: Any) -> list[int]:
        return self._consumer(topic, group, member).join()

    def leave(self, topic: Any, group: Any, member: Any) -> bool:
        return self._consumer(topic, group, member).leave()

    def poll(self, topic: Any, group: Any, member: Any, max_records: Any) -> list[BrokerRecord]:
        return self._consumer(topic, group, member).poll(max_records)

    def ack(self, topic: Any, group: Any, member: Any, partition: Any, offset: Any) -> bool:
        return self._consumer(topic, group, member).ack(partition, offset)

    def ack_many(self, topic: Any, group: Any, member: Any, positions: Any) -> list[bool]:
        return self._consumer(topic, group, member).ack_many(positions)

    def retry(self, topic: Any, group: Any, member: Any, partition: Any, offset: Any) -> bool:
        return self._consumer(topic, group, member).retry(partition, offset)
