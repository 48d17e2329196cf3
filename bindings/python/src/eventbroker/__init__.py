"""An in-process event broker: bounded partitioned logs with consumer groups.

The broker itself is a library written in Go; this package is its Python form
and has no behaviour of its own. Importing it loads the library and raises
ImportError, with the reason, where that fails.

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

from ._error import ClosedError, ForkedError, InternalError
from ._event import BrokerRecord, EventBroker

__all__ = ["BrokerRecord", "ClosedError", "EventBroker", "ForkedError", "InternalError"]
__version__ = "0.1.0"

# Tracebacks, pickles and the documentation show the names that users import.
for _public in (BrokerRecord, ClosedError, EventBroker, ForkedError, InternalError):
    _public.__module__ = __name__
del _public
