"""A table as one Home Assistant device: its discovery message.

Its entities read the table's own topics through templates, so no other message is needed.
User-supplied text appears only in entity names, never in a template.

Ref: Home Assistant, MQTT integration, "Device discovery payload" (since 2024.12).
"""

from collections.abc import Iterable, Sequence
from typing import Any, assert_never

import msgspec

from hub.kernel.catalogues import ENGLISH
from hub.table.state import ASKING, MOST_COMMIT_S, Phase
from hub.version import VERSION
from hub.wire.parts import Kind, Part, Words, part_of
from hub.wire.topics import Topics

Json = dict[str, Any]

MOST_GONE = 128
"""The most parts that a message announces as removed."""
MOST_CONFIG_BYTES = 256 * 1024
"""The longest discovery message that is read back."""

MOST_STATE_CHARS = 255
"""The longest state that Home Assistant takes, in characters."""

_ID = "facedown_{table}"
_ONCE = '"homeassistant-%s-%s" % (now().timestamp(), range(99999) | random)'
"""A unique command id, which Home Assistant renders when the button is pressed."""
_REVEALS = "{% set found = value_json.events | selectattr('type', 'eq', 'revealed') | list %}"

_SAID = ("why", "cost", "more", "waits_for", "names")

_PLATFORMS = {
    Kind.PHASE: "sensor",
    Kind.SAYS: "sensor",
    Kind.WAITING: "sensor",
    Kind.DEADLINE: "sensor",
    Kind.REVEAL: "event",
    Kind.REVEALED: "device_automation",
    Kind.COMMITTED: "binary_sensor",
    Kind.READER: "binary_sensor",
    Kind.COUNTDOWN: "sensor",
    Kind.PAUSE: "button",
    Kind.NEXT: "button",
    Kind.COMMIT_SECONDS: "number",
}


def config_topic(prefix: str, table: str) -> str:
    """The discovery topic of a table. ``prefix``: Home Assistant's discovery prefix."""
    return f"{prefix}/device/{_ID.format(table=table)}/config"


def status_topic(prefix: str) -> str:
    """The topic of Home Assistant's birth (``online``) and last-will messages."""
    return f"{prefix}/status"


def config_payload(
    table: str,
    parts: Sequence[Part],
    words: Words,
    gone: Iterable[str] = (),
    language: str = ENGLISH,
) -> bytes:
    """The discovery message of a device with ``parts``. ``gone``: ids of parts to announce as
    removed; ``language``: that of what the stage says. UTF-8 with sorted keys. Raises
    :class:`hub.wire.topics.TopicFault`."""
    topics = Topics(table)
    components: Json = {part.id: _component(part, topics, language) for part in parts}
    for name in gone:
        part = part_of(name)
        if part is not None and name not in components:
            components[name] = {"p": _PLATFORMS[part.kind]}
    device = {
        "dev": {
            "ids": [_ID.format(table=table)],
            "name": words["device"].format(table=table),
            "mf": "Facedown",
            "mdl": words["model"],
            "sw": VERSION,
        },
        "o": {"name": "Facedown", "sw": VERSION},
        "availability": [{"topic": topics.status}],
        "qos": 1,
        "cmps": components,
    }
    return msgspec.json.encode(device, order="sorted")


def known_parts(payload: bytes) -> list[str]:
    """The ids of the removable parts in an earlier discovery message, at most :data:`MOST_GONE`;
    empty if the payload is not such a message."""
    if len(payload) > MOST_CONFIG_BYTES:
        return []
    try:
        told = msgspec.json.decode(payload, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return []
    components = told.get("cmps")
    names = components if isinstance(components, dict) else {}
    return [name for name in names if part_of(name) is not None][:MOST_GONE]


def _component(part: Part, topics: Topics, language: str) -> Json:
    platform = _PLATFORMS[part.kind]
    name = f"facedown_{topics.table}_{part.id}"
    own: Json = {"p": platform} | _own(part, topics, language)
    if part.kind is not Kind.REVEALED:
        own |= {"name": part.name, "unique_id": name, "object_id": name.replace("-", "_")}
        # Home Assistant ignores object_id from 2026.4 on; before 2025.10 it knows nothing else.
        own["default_entity_id"] = f"{platform}.{own['object_id']}"
    return own


def _own(part: Part, topics: Topics, language: str) -> Json:
    match part.kind:
        case Kind.PHASE:
            told = "title", "step", "awaited", "committed", "turn_number"
            return {
                "device_class": "enum",
                "options": [str(phase) for phase in Phase],
                "state_topic": topics.state,
                "value_template": "{{ value_json.phase }}",
                "json_attributes_topic": topics.state,
                "json_attributes_template": _some_of(*told),
                "icon": "mdi:cards",
            }
        case Kind.SAYS:
            said = f"value_json.texts.{language}"
            return {
                "state_topic": topics.said,
                "value_template": f"{{{{ {said}.headline[:{MOST_STATE_CHARS}] }}}}",
                "json_attributes_topic": topics.said,
                "json_attributes_template": _some_of(*_SAID, of=said),
                "icon": "mdi:bullhorn",
            }
        case Kind.WAITING:
            return {
                "state_topic": topics.moment,
                "value_template": "{{ value_json.awaited - value_json.committed }}",
                "icon": "mdi:account-clock",
            }
        case Kind.DEADLINE:
            value = "{{ value_json.timer.deadline if value_json.timer else None }}"
            return {
                "device_class": "timestamp",
                "state_topic": topics.state,
                "value_template": value,
            }
        case Kind.REVEAL:
            seen = "{'event_type': 'revealed', 'seq': found[-1].seq, 'at_ms': found[-1].at_ms}"
            value = f"{_REVEALS}{{% if found %}}{{{{ {seen} | tojson }}}}{{% endif %}}"
            return {
                "state_topic": topics.event,
                "event_types": ["revealed"],
                "value_template": value,
                "icon": "mdi:cards-playing",
            }
        case Kind.REVEALED:
            return {
                "automation_type": "trigger",
                "topic": topics.event,
                "type": "revealed",
                "subtype": "cards",
                "payload": "revealed",
                "value_template": f"{_REVEALS}{{% if found %}}revealed{{% endif %}}",
            }
        case Kind.COMMITTED:
            return {
                "state_topic": topics.seat(part.of),
                "value_template": "{{ 'ON' if value_json.committed else 'OFF' }}",
                "json_attributes_topic": topics.seat(part.of),
                "json_attributes_template": _some_of("awaited", "characters"),
                "icon": "mdi:card-account-details-outline",
            }
        case Kind.READER:
            return {
                "device_class": "problem",
                "entity_category": "diagnostic",
                "state_topic": topics.seat(part.of),
                "value_template": "{{ 'ON' if value_json.reader == 'lost' else 'OFF' }}",
            }
        case Kind.COUNTDOWN:
            return {
                "state_topic": topics.countdown(part.of),
                "value_template": "{{ value_json.marked }}",
                "json_attributes_topic": topics.countdown(part.of),
                "json_attributes_template": _some_of("name", "boxes"),
                "icon": "mdi:timer-sand",
            }
        case Kind.PAUSE:
            asking = ", ".join(f"'{phase}'" for phase in (*sorted(ASKING), Phase.LOCKED))
            able = f"{{{{ 'online' if value_json.phase in [{asking}] else 'offline' }}}}"
            return {
                "command_template": _command("pause"),
                "icon": "mdi:pause",
                "availability": [
                    {"topic": topics.status},
                    {"topic": topics.state, "value_template": able},
                ],
                "availability_mode": "all",
                "command_topic": topics.command,
            }
        case Kind.NEXT:
            return {
                "command_template": _command("next"),
                "icon": "mdi:skip-next",
                "command_topic": topics.command,
            }
        case Kind.COMMIT_SECONDS:
            return {
                "command_topic": topics.command,
                "command_template": _command("set-timer", ", 'seconds': value | float"),
                "state_topic": topics.state,
                "value_template": "{{ value_json.commit_seconds }}",
                "device_class": "duration",
                "unit_of_measurement": "s",
                "min": 0,
                "max": MOST_COMMIT_S,
                "step": 1,
                "mode": "box",
            }
    assert_never(part.kind)


def _command(command: str, more: str = "") -> str:
    return f"{{{{ {{'id': {_ONCE}, 'command': '{command}'{more}}} | tojson }}}}"


def _some_of(*keys: str, of: str = "value_json") -> str:
    """A template that picks ``keys`` of a message, or of a part of it."""
    some = ", ".join(f"'{key}': {of}.{key}" for key in keys)
    return f"{{{{ {{{some}}} | tojson }}}}"
