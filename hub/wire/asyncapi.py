"""The AsyncAPI 3.0 description of every topic, generated from the types that the hub sends and
reads.

``make docs`` writes it to ``docs/asyncapi.json``, and the types for the pages' scripts.

Ref: AsyncAPI 3.0.0; its MQTT bindings 0.2.0. Schemas are JSON Schema draft-07, its default.
"""

from collections.abc import Iterable
from typing import Any, get_args

import msgspec
from msgspec import Struct

from hub.games.countdowns import CountdownView
from hub.games.game import GameView
from hub.games.rulebooks import Rulebooks
from hub.games.story import StoryView
from hub.table.acts import COMMANDS, EVENTS
from hub.table.views import SCHEMA, MomentView, PublicView, SeatView, TimerView
from hub.wire import topics
from hub.wire.health import Health
from hub.wire.homie import DeviceState
from hub.wire.log import LOG_SCHEMA
from hub.wire.payloads import OFFLINE, ONLINE, Events
from hub.wire.replies import Reply
from hub.wire.said import SaidView

Json = dict[str, Any]

_REF = "#/components/schemas/{name}"
_EVENTS = sorted(EVENTS, key=lambda kind: kind.__name__)
_COMMANDS = sorted(
    (kind for kind in COMMANDS if not kind.page_only), key=lambda kind: kind.__name__
)


class _Channel(Struct, frozen=True):
    """A topic as a channel of the AsyncAPI document; its one message has the channel's name."""

    name: str
    address: str
    schema: str
    about: str
    retain: bool = True
    action: str = "send"
    """What the hub does at the topic, ``send`` or ``receive``; empty if it does not use the topic
    itself."""
    content: str = "application/json"
    qos: int = 1


_CHANNELS = (
    _Channel(
        "status",
        topics.STATUS,
        "Status",
        "Whether the hub is there. Online: every other retained topic is up to date.",
        content="text/plain",
    ),
    _Channel("state", topics.STATE, PublicView.__name__, "The whole public view of the table."),
    _Channel("seat", topics.SEAT, SeatView.__name__, "One seat, as it stands in state."),
    _Channel(
        "countdown",
        topics.COUNTDOWN,
        CountdownView.__name__,
        "One countdown, as it stands in state; cleared with an empty message when it is erased.",
    ),
    _Channel(
        "timer",
        topics.TIMER,
        TimerView.__name__,
        "The running commit timer, as it stands in state; cleared with an empty message when none "
        "runs.",
    ),
    _Channel(
        "moment",
        topics.MOMENT,
        MomentView.__name__,
        "As little of the state as a clock of lights has to know, told when it changes, with the "
        "table's time.",
    ),
    _Channel(
        "said",
        topics.SAID,
        SaidView.__name__,
        "What the display says in words, in every language: the headline, the reason and the cost "
        "of an outcome, and whom the table waits for. Told when it changes.",
    ),
    _Channel(
        "event",
        topics.EVENT,
        Events.__name__,
        "What happened in one step of the table, each at least once. Go by the seq of each event; "
        "where a number is missing, read the state.",
        retain=False,
    ),
    _Channel(
        "command",
        topics.COMMAND,
        "Command",
        "Commands. Off unless the configuration turns them on; a retained one is ignored.",
        retain=False,
        action="receive",
    ),
    _Channel("reply", topics.REPLY, "Reply", "Answers to commands.", retain=False),
    _Channel(
        "replyTo",
        topics.REPLY_TO,
        "Reply",
        "Answers to commands that name this topic as their MQTT 5 response topic.",
        retain=False,
    ),
    _Channel(
        "health",
        topics.HEALTH,
        Health.__name__,
        "How the hub itself fares, for diagnostics: counts since its start, and how long things "
        "took. Told every 30 s, if it has changed. It stays when the hub goes: see status.",
    ),
    _Channel(
        "homeAssistant",
        topics.HOMEASSISTANT,
        "Discovery",
        "What Home Assistant finds the table by, if that is on; the prefix may be another.",
    ),
    _Channel(
        "homieState",
        topics.HOMIE_STATE,
        "HomieState",
        "By the Homie convention, if that is on, as those after it; its domain may be another.",
        content="text/plain",
        qos=2,
    ),
    _Channel(
        "homieDescription",
        topics.HOMIE_DESCRIPTION,
        "HomieDescription",
        "The nodes of the table, its seats and countdowns, and the properties of each.",
        qos=2,
    ),
    _Channel(
        "homieValue",
        topics.HOMIE_VALUE,
        "HomieValue",
        "The value of a property; cleared with an empty message when there is none.",
        content="text/plain",
        qos=2,
    ),
    _Channel(
        "homieSet",
        topics.HOMIE_SET,
        "HomieValue",
        "Sets a property, where the description says that it can be set.",
        retain=False,
        action="receive",
        content="text/plain",
        qos=2,
    ),
    _Channel(
        "trial",
        topics.TRIAL,
        "Trial",
        "What `facedown doctor` tries the broker with: bytes without a meaning. Ignore them.",
        retain=False,
        content="application/octet-stream",
    ),
    _Channel(
        "clockStatus",
        topics.CLOCK_STATUS,
        "Status",
        "Whether a clock of your own is there. The clock says it, with offline as its last will.",
        action="",
        content="text/plain",
    ),
    _Channel(
        "clockDim",
        topics.CLOCK_DIM,
        "Dim",
        "How bright a clock of your own is to be: 0 for dark. Whoever wants it so says it.",
        action="",
    ),
)

_PARAMETERS = {
    "table": "The table's name.",
    "seat": "The seat's name.",
    "countdown": "The countdown's id: its name in plain letters, numbered where two are alike.",
    "node": "`table`, `seat-` with a seat's name, `countdown-` with a countdown's id.",
    "property": "The property's name.",
    "client": "A name that the client chooses.",
    "clock": "The clock's name.",
}

_SAID = [
    (kind, field)
    for kind in (*COMMANDS, *EVENTS)
    for field in ("deed", "holds")
    if field in kind.__struct_fields__
]
"""(type, field) for each field of a command or an event for which each family has its own type."""

_ENVELOPE: Json = {
    "schema": {"const": LOG_SCHEMA},
    "seq": {"type": "integer", "minimum": 1, "description": "From 1, without gaps."},
    "at_ms": {"type": "integer", "description": "Milliseconds since the Unix epoch."},
    "prev": {
        "type": "string",
        "pattern": "^[0-9a-f]{64}$",
        "description": "SHA-256 of the line before this one; zeros for the first.",
    },
}
"""The fields of a log line besides its event; see :mod:`hub.wire.log`."""

_COMMAND_ID: Json = {
    "id": {
        "type": "string",
        "minLength": 1,
        "maxLength": 64,
        "description": "Unique, such as a UUID: the same command sent again is not done again.",
    }
}


def document(rulebooks: Rulebooks) -> Json:
    """The whole description, for a table that plays by ``rulebooks``."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Facedown",
            "version": f"{SCHEMA}.0.0",
            "description": "What a physical game table shows, and what may be asked of it. "
            "Ignore keys that you do not know: a later version may add some.",
        },
        "defaultContentType": "application/json",
        "channels": {channel.name: _channel(channel) for channel in _CHANNELS},
        "operations": {
            f"{channel.action}{channel.name[0].upper()}{channel.name[1:]}": _operation(channel)
            for channel in _CHANNELS
            if channel.action
        },
        "components": {"schemas": schemas(rulebooks)},
    }


def _channel(channel: _Channel) -> Json:
    return {
        "address": channel.address,
        "description": channel.about,
        "parameters": {
            name: {"description": f"{about} 1 to {topics.MAX_NAME_CHARS} of a-z, 0-9 and hyphen."}
            for name, about in _PARAMETERS.items()
            if f"{{{name}}}" in channel.address
        },
        "messages": {
            channel.name: {
                "contentType": channel.content,
                "payload": {"$ref": _REF.format(name=channel.schema)},
            }
        },
    }


def _operation(channel: _Channel) -> Json:
    return {
        "action": channel.action,
        "channel": {"$ref": f"#/channels/{channel.name}"},
        "bindings": {
            "mqtt": {"qos": channel.qos, "retain": channel.retain, "bindingVersion": "0.2.0"}
        },
    }


def schemas(rulebooks: Rulebooks) -> Json:
    """Every schema by name. The generic views, of a game or a story, become a choice among those
    of all games or stories."""
    games = [game.view_type for game in rulebooks.games.values()]
    stories = [*dict.fromkeys(story.view_type for story in rulebooks.stories.values())]
    asked = _kinds(story.request_type for story in rulebooks.stories.values())
    own = _own(rulebooks)
    said = _kinds(own.values())
    common = (PublicView, MomentView, SaidView, Events, Reply, Health)
    types = (*common, *games, *stories, *asked, *said, *_EVENTS, *_COMMANDS)
    shown, found = msgspec.json.schema_components(types, ref_template=_REF)
    shapes = dict(zip(types, shown, strict=True))
    for name, kind in own.items():
        found[name] = {"oneOf": [shapes[each] for each in _kinds([kind])]}
    for kind, field in _SAID:
        shape = found[kind.__name__]["properties"][field]
        written = [each for each in shape.get("anyOf", ()) if each["type"] == "string"]
        families = [_ref(name) for name in own if name.endswith(field.capitalize())]
        shape.pop("type", None)
        shape["anyOf"] = [*families, *written]
    for event in _EVENTS:
        found[event.__name__] = _joined(found[event.__name__], _ENVELOPE)
    for command in _COMMANDS:
        found[command.__name__] = _joined(found[command.__name__], _COMMAND_ID)
    scene = found["StartScene"]["properties"]["scene"]
    scene |= {"anyOf": [*(shapes[each] for each in asked), {"type": "null"}]}
    for kind in (PublicView, TimerView, MomentView, Events, Reply, Health):
        shown = found[kind.__name__]
        shown["required"] = sorted(shown["properties"])  # fields with a default are sent, too
    for generic, kinds in ((GameView, games), (StoryView, stories)):
        found[generic.__name__] = _one_of(*(kind.__name__ for kind in kinds))
    for kind in (PublicView, Events, Health):
        found[kind.__name__]["properties"]["schema"] = {"const": SCHEMA}
    lines = found[Events.__name__]["properties"]["events"]
    lines |= {"items": {"$ref": _REF.format(name="Event")}}
    found["Status"] = {"type": "string", "enum": [ONLINE.decode(), OFFLINE.decode()]}
    found["Dim"] = {"type": "integer", "minimum": 0, "maximum": 255}
    kept = {"type": "object", "required": ["cmps", "dev", "o"]}
    found["Discovery"] = kept | {"properties": {"cmps": {"type": "object"}}}
    found["HomieState"] = {"type": "string", "enum": [str(state) for state in DeviceState]}
    found["HomieDescription"] = {"type": "object", "required": ["homie", "nodes", "version"]}
    found["HomieValue"] = {"type": "string", "minLength": 1}
    found["Trial"] = {"type": "string", "format": "binary"}
    found["Event"] = _one_of(*(event.__name__ for event in _EVENTS))
    found["Command"] = _one_of(*(command.__name__ for command in _COMMANDS))
    plain: Json = _tidied(found)
    return plain


def _own(rulebooks: Rulebooks) -> dict[str, Any]:
    """Each family's own types by schema name: its stories' deeds, and its games' overrules."""
    stories, games = rulebooks.stories.values(), rulebooks.games.values()
    found = {f"{type(story).__name__}Deed": story.deed_type for story in stories}
    found |= {f"{type(game).__name__}Holds": game.holds_type for game in games}
    return {name: kind for name, kind in found.items() if kind is not None}


def _kinds(types: Iterable[Any]) -> tuple[type, ...]:
    """Each type once; unions are split into their members."""
    return tuple(dict.fromkeys(kind for each in types for kind in get_args(each) or (each,)))


def _joined(schema: Json, fields: Json) -> Json:
    """``schema`` with ``fields`` added, all required."""
    return schema | {
        "properties": schema["properties"] | fields,
        "required": sorted({*schema.get("required", ()), *fields}),
    }


def _one_of(*names: str) -> Json:
    return {"oneOf": [_ref(name) for name in names]}


def _ref(name: str) -> Json:
    return {"$ref": _REF.format(name=name)}


def _tidied(schema: Any) -> Any:
    """The schema without OpenAPI's discriminators: AsyncAPI lacks them, and tags make them
    redundant. Descriptions are on one line, because docstring indentation depends on the Python
    version."""
    if isinstance(schema, dict):
        return {
            key: " ".join(value.split())
            if key == "description" and isinstance(value, str)
            else _tidied(value)
            for key, value in schema.items()
            if not (key == "discriminator" and isinstance(value, dict) and "mapping" in value)
        }
    if isinstance(schema, list):
        return [_tidied(item) for item in schema]
    return schema


def text(rulebooks: Rulebooks) -> str:
    """The text of ``docs/asyncapi.json``."""
    encoded = msgspec.json.encode(document(rulebooks), order="sorted")
    return msgspec.json.format(encoded, indent=2).decode() + "\n"
