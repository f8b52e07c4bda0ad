"""Checks messages against ``docs/asyncapi.json``; keys that it does not name fail."""

import json
import re
from collections.abc import Iterable
from typing import Any

from jsonschema import Draft7Validator

from hub.games.registry import rulebooks
from hub.wire.asyncapi import document
from tests.support.subscriber import Heard

_CLEARED = {
    *("countdown", "timer", "homeAssistant", "homieDescription", "homieState", "homieValue"),
    "health",  # cleared by a publisher without health, if an earlier one had it
}
"""Topics that an empty message clears."""
_OF_OTHERS = {"Discovery", "HomieDescription"}
"""Documents whose form is defined elsewhere; our schema covers only part of them."""
_PROBE = re.compile(rb"probed? [0-9a-f]{32}")
"""The hub's probe for whether strangers' messages are accepted; not a command."""


class Described:
    """Checks each message against its channel, and tracks the channels and events seen."""

    def __init__(self) -> None:
        described = json.loads(json.dumps(document(rulebooks())))
        for name, schema in described["components"]["schemas"].items():
            if "properties" in schema and name not in _OF_OTHERS:
                schema["additionalProperties"] = False
        self.channels: dict[str, Any] = described["channels"]
        self._qos = {
            each["channel"]["$ref"].rpartition("/")[2]: each["bindings"]["mqtt"]["qos"]
            for each in described["operations"].values()
        }
        self._events = described["components"]["schemas"]["Event"]["oneOf"]
        self._schemas = described["components"]["schemas"]
        self._topics = {
            name: re.compile(re.sub(r"\\{\w+\\}", "[a-z0-9-]{1,32}", re.escape(each["address"])))
            for name, each in self.channels.items()
        }
        self._validators: dict[str, Draft7Validator] = {}
        for name, each in self.channels.items():
            (message,) = each["messages"].values()
            self._validators[name] = Draft7Validator(described | message["payload"])
        self.seen: set[str] = set()
        self.events_seen: set[str] = set()

    @property
    def events(self) -> set[str]:
        """The types of all described events."""
        names = [each["$ref"].rpartition("/")[2] for each in self._events]
        return {self._schemas[name]["properties"]["type"]["enum"][0] for name in names}

    def hold(self, heard: Iterable[Heard]) -> None:
        """Check the messages. Raises ``ValidationError`` or ``AssertionError`` for a mismatch."""
        for message in heard:
            (channel,) = (n for n, shape in self._topics.items() if shape.fullmatch(message.topic))
            assert message.qos == self._qos.get(channel, message.qos), message.topic
            self._hold_one(channel, message.payload)

    def _hold_one(self, channel: str, payload: bytes) -> None:
        (content,) = (each["contentType"] for each in self.channels[channel]["messages"].values())
        if not payload and channel in _CLEARED:
            return
        if channel == "command" and _PROBE.fullmatch(payload):
            return
        if channel != "trial":
            value = payload.decode() if content == "text/plain" else json.loads(payload)
            self._validators[channel].validate(value)
            if channel == "event":
                self.events_seen |= {event["type"] for event in value["events"]}
        self.seen.add(channel)
