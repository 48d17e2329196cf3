"""The half of the example that is written in Python."""

from __future__ import annotations

from eventbroker import EventBroker

mine = EventBroker(8)  # open for as long as the interpreter is
mine.create("greetings", 1)


def answer(handle: int) -> None:
    """Poll an order that C++ published and publish what became of it, in the broker of C++."""
    broker = EventBroker.from_handle(handle)  # borrowed: C++ closes it
    broker.join("orders", "shop", "python")
    for record in broker.poll("orders", "shop", "python", 64):
        broker.publish("shipped", 0, f"{record.payload}, shipped from Python")
        broker.ack("orders", "shop", "python", record.partition, record.offset)


def greet() -> int:
    """Publish a record in a broker of Python's and tell C++ where to find it."""
    mine.join("greetings", "hosts", "cpp")
    mine.publish("greetings", 0, "hello from Python")
    return mine.handle


def replies() -> str:
    """Poll what C++ published in the broker of Python's."""
    mine.join("greetings", "guests", "python")
    return ", ".join(record.payload for record in mine.poll("greetings", "guests", "python", 64))
