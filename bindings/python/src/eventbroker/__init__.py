"""An in-process event broker: bounded partitioned logs with consumer groups.

Beside it stand a message broker with bounded retries, a pub-sub broker that
pushes to handlers and, in eventbroker.assign, Kafka's range assignment. All of
it is a library written in Go; this package is its Python form and has no
behaviour of its own. Importing it loads the library and raises ImportError, with
the reason, where that fails.

>>> from eventbroker import EventBroker
>>> with EventBroker(2) as broker:
...     broker.create("orders", 1)
...     broker.publish("orders", 0, "a")
...     broker.join("orders", "billing", "m1")
...     broker.poll("orders", "billing", "m1", 1)
...     broker.ack("orders", "billing", "m1", 0, 0)
True
0
[0]
[BrokerRecord(topic='orders', partition=0, offset=0, payload='a')]
True
"""

from . import assign
from ._accelerate import accelerated
from ._delivery import Message
from ._error import (
    ClosedError,
    DamagedError,
    DiskFullError,
    ForkedError,
    InternalError,
    InUseError,
    StorageError,
    TimedOutError,
)
from ._event import EventBroker
from ._message import DeadLetter, Delivery, MessageBroker
from ._pubsub import Letter, PubSub, Status
from ._record import BrokerRecord
from ._topic import Consumer, Topic

__all__ = [
    "BrokerRecord",
    "ClosedError",
    "Consumer",
    "DamagedError",
    "DeadLetter",
    "Delivery",
    "DiskFullError",
    "EventBroker",
    "ForkedError",
    "InUseError",
    "InternalError",
    "Letter",
    "Message",
    "MessageBroker",
    "PubSub",
    "Status",
    "StorageError",
    "TimedOutError",
    "Topic",
    "accelerated",
    "assign",
]
__version__ = "0.1.0"

# Tracebacks, pickles and the documentation show the names that users import.
for _public in (BrokerRecord, Consumer, DeadLetter, Delivery, EventBroker, MessageBroker, Topic):
    _public.__module__ = __name__
for _pushed in (Letter, Message, PubSub, Status):
    _pushed.__module__ = __name__
for _error in (ClosedError, ForkedError, InternalError):
    _error.__module__ = __name__
for _failed in (DamagedError, DiskFullError, InUseError, StorageError, TimedOutError):
    _failed.__module__ = __name__
del _public, _pushed, _error, _failed
