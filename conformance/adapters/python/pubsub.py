"""The system `pubsub` for the adapter: handlers that follow rules."""

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from eventbroker import Message, PubSub, Status

OPERATIONS = (
    *("create_topic", "subscribe", "unsubscribe", "publish", "drain", "seek", "offset"),
    *("dead_letters", "redeliver", "status", "calls_of"),
)


class Case(PubSub):
    """A broker that remembers what its handlers were given."""

    calls: dict[tuple[str, str], list[str]]  # of a topic and a name


def new(options: dict[str, Any] | None = None) -> Case:
    """Make a broker; the options are a map."""
    broker = Case(**options or {})
    broker.calls = defaultdict(list)
    return broker


def call(broker: Case, operation: str, *arguments: Any) -> Any:
    """Carry out an operation and return its result as the wire has it."""
    if operation not in OPERATIONS:
        raise LookupError(f"pubsub has no operation {operation!r}")
    if operation == "calls_of":
        return list(broker.calls[arguments])
    positional = [argument for argument in arguments if not isinstance(argument, dict)]
    options = arguments[-1] if len(positional) < len(arguments) else {}
    if operation == "subscribe":
        return subscribe(broker, *positional, **options)
    result = getattr(broker, operation)(*positional, **options)
    return SHOWN[operation](result) if operation in SHOWN else result


def subscribe(broker: Case, topic: str, name: str, rules: list[Any], **options: Any) -> None:
    """Subscribe a handler that follows the rules, and a filter that follows its lists."""
    if "filter" in options:
        options["filter"] = follow_lists(**{"pass": [], "throw": [], **options["filter"]})
    broker.subscribe(topic, name, follow_rules(broker, name, rules), **options)


def follow_lists(throw: list[str], **lists: list[str]) -> Callable[[Message], bool]:
    """Return a filter that passes over what is in none of its lists."""

    def admit(message: Message) -> bool:
        if message.payload in throw:
            raise RuntimeError("the filter throws")
        return message.payload in lists["pass"]

    return admit


def follow_rules(broker: Case, name: str, rules: list[Any]) -> Callable[[Message], bool]:
    """Return a handler that does as the first rule says that is for the message."""
    left = [rule.get("times", float("inf")) for rule in rules]

    def handle(message: Message) -> bool:
        broker.calls[message.topic, name].append(message.payload)
        for i, rule in enumerate(rules):
            if left[i] > 0 and rule.get("match", message.payload) == message.payload:
                left[i] -= 1
                return act(broker, rule)
        return True

    return handle


def act(broker: Case, rule: dict[str, Any]) -> bool:
    """Make the calls of a rule, passing over those that fail, and end as it says."""
    for operation, *arguments in rule.get("do", ()):
        with suppress(Exception):
            call(broker, operation, *arguments)
    if (end := rule.get("ret", True)) == "throw":
        raise RuntimeError("the handler throws")
    return bool(end)


def status(standing: Status) -> dict[str, Any]:
    """Return the standing with whether there is a reason in place of the reason."""
    *shown, reason = standing
    return dict(zip((*Status._fields[:-1], "disconnected"), (*shown, reason != ""), strict=True))


SHOWN: dict[str, Callable[[Any], Any]] = {
    "dead_letters": lambda letters: [
        {"offset": n.offset, "payload": n.payload, "attempts": n.attempts} for n in letters
    ],
    "status": status,
}
