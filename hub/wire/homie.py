"""A table as a device of the Homie convention: its description and its values.

Ref: Homie convention 5.0 (topic structure, device description, payloads, lifecycle).
"""

import zlib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from hub.table.acts.next import Next
from hub.table.acts.pause import Pause, Resume
from hub.table.acts.timer import SetTimer
from hub.table.inputs import Command
from hub.table.state import MOST_COMMIT_S, Phase
from hub.table.views import PublicView, count_awaited
from hub.wire.parts import Kind, Part, Words, parts
from hub.wire.said import SaidText

Json = dict[str, Any]

VERSION = "5.0"
MOST_SET_BYTES = 32
"""Longest payload of a ``set`` message; no valid value is longer."""

TABLE = "table"
"""The node for properties of the table itself."""
PAUSED, NEXT, SECONDS = "paused", "next", "commit-seconds"
_TITLE, _CHARACTERS, _AWAITED, _NAME, _BOXES = "title", "characters", "awaited", "name", "boxes"
_READERS = "ok", "lost", "writes-cards"
_EMPTY = b"\0"
"""The payload for an empty string, because an empty message would clear the topic."""


class DeviceState(StrEnum):
    """The values of a device's ``$state``."""

    INIT = "init"
    READY = "ready"
    DISCONNECTED = "disconnected"
    LOST = "lost"


class Device(Struct, frozen=True):
    """A table as a device of the Homie convention. Topics are relative to the device's topic."""

    description: bytes
    """The value of ``$description``: JSON, UTF-8 with sorted keys."""
    values: Mapping[str, bytes]
    """``NODE/PROPERTY`` → the payload. Properties without a current value are left out."""


def device_topic(domain: str, table: str) -> str:
    """The topic above all of a table's Homie topics."""
    return f"{domain}/5/{table}"


def settable() -> tuple[str, ...]:
    """``NODE/PROPERTY`` of each property that can be set, if the table accepts commands."""
    return tuple(f"{TABLE}/{name}" for name in (PAUSED, NEXT, SECONDS))


def device(view: PublicView, words: Words, said: SaidText, *, commands: bool) -> Device:
    """``view`` as a Homie device. ``said``: what the stage says; ``commands``: whether the table
    accepts commands."""
    nodes: dict[str, Json] = {}
    values: dict[str, bytes] = {}
    for part in parts(view, words, commands=commands):
        node, called = _node_of(part, words)
        about = nodes.setdefault(node, {"name": called, "properties": {}})
        for name, shape, value in _properties(part, view, words, said):
            about["properties"][name] = shape
            if value is not None:
                values[f"{node}/{name}"] = value
    for name, shape, value in _steered(view, words, commands=commands):
        nodes[TABLE]["properties"][name] = shape
        if value is not None:
            values[f"{TABLE}/{name}"] = value
    told = {
        "homie": VERSION,
        "name": words["device"].format(table=view.table),
        "type": "facedown",
        "nodes": nodes,
    }
    version = zlib.crc32(msgspec.json.encode(told, order="sorted"))
    return Device(msgspec.json.encode(told | {"version": version}, order="sorted"), values)


def command_of(place: str, payload: bytes, name: str) -> Command | None:
    """The command for a value set at ``place`` (``NODE/PROPERTY``); None if the value is invalid.
    ``name``: the command's id."""
    if len(payload) > MOST_SET_BYTES:
        return None
    match place.removeprefix(f"{TABLE}/"), payload:
        case "paused", b"true":
            return Pause(id=name)
        case "paused", b"false":
            return Resume(id=name)
        case "next", b"next":
            return Next(id=name)
        case "commit-seconds", _:
            try:
                seconds = msgspec.json.decode(payload, type=float)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                return None
            return SetTimer(id=name, seconds=seconds) if 0 <= seconds <= MOST_COMMIT_S else None
    return None


def _node_of(part: Part, words: Words) -> tuple[str, str]:
    """The id and the name of a part's node."""
    if part.kind in (Kind.COMMITTED, Kind.READER):
        return f"seat-{part.of}", words["seat"].format(seat=part.of)
    if part.kind is Kind.COUNTDOWN:
        return f"countdown-{part.of}", part.name
    return TABLE, words["model"]


Property = tuple[str, Json, bytes | None]


def _properties(part: Part, view: PublicView, words: Words, said: SaidText) -> Iterator[Property]:
    """The properties of a part; events and commands have none (see :func:`_steered`)."""
    named = {"name": words.get(part.kind, part.name)}
    match part.kind:
        case Kind.PHASE:
            phases = ",".join(str(phase) for phase in Phase)
            yield "phase", {**named, "datatype": "enum", "format": phases}, _text(view.phase)
            yield _TITLE, {"name": words["title"], "datatype": "string"}, _text(view.title)
        case Kind.SAYS:
            yield "says", {**named, "datatype": "string"}, _text(said.headline)
            yield "why", {"name": words["why"], "datatype": "string"}, _text(said.why)
            yield "cost", {"name": words["cost"], "datatype": "string"}, _text(said.cost)
            waits = {"name": words["waits_for"], "datatype": "string"}
            yield "waits-for", waits, _text(said.waits_for)
        case Kind.WAITING:
            count = count_awaited(view) - len(view.committed)
            yield "waiting", {**named, "datatype": "integer", "format": "0:"}, _number(count)
        case Kind.DEADLINE:
            value = _text(view.timer.deadline) if view.timer else None
            yield "deadline", {**named, "datatype": "datetime"}, value
        case Kind.REVEALED:
            value = _text(view.revealed_at) if view.revealed_at else None
            yield "revealed-at", {**named, "datatype": "datetime"}, value
        case Kind.COMMITTED:
            seat = next(each for each in view.seats if each.seat == part.of)
            yield "committed", {"name": part.name, "datatype": "boolean"}, _truth(seat.committed)
            awaited = {"name": words["awaited"], "datatype": "boolean"}
            yield _AWAITED, awaited, _truth(seat.awaited)
            characters = {"name": words["characters"], "datatype": "string"}
            yield _CHARACTERS, characters, _text(", ".join(seat.characters))
        case Kind.READER:
            seat = next(each for each in view.seats if each.seat == part.of)
            shape = {"name": part.name, "datatype": "enum", "format": ",".join(_READERS)}
            yield "reader", shape, _text(seat.reader)
        case Kind.COUNTDOWN:
            rows = view.story.countdowns if view.story else ()
            found = next(each for each in rows if each.id == part.of)
            yield _NAME, {"name": words["name"], "datatype": "string"}, _text(found.name)
            counted = {"datatype": "integer", "format": f"0:{found.boxes}"}
            yield "marked", {"name": words["marked"], **counted}, _number(found.marked)
            boxes = {"name": words["boxes"], "datatype": "integer"}
            yield _BOXES, boxes, _number(found.boxes)


def _steered(view: PublicView, words: Words, *, commands: bool) -> Iterator[Property]:
    """The settable properties. Without commands they can only be read, and ``next`` is absent."""
    may = {"settable": True} if commands else {}
    paused = {"name": words["paused"], "datatype": "boolean", **may}
    yield PAUSED, paused, _truth(view.phase is Phase.PAUSED)
    seconds = {"datatype": "float", "format": f"0:{MOST_COMMIT_S}", "unit": "s", **may}
    name = {"name": words[Kind.COMMIT_SECONDS]}
    yield SECONDS, {**name, **seconds}, _number(view.commit_seconds)
    if commands:
        pressed = {"datatype": "enum", "format": "next", "retained": False, **may}
        yield NEXT, {"name": words[Kind.NEXT], **pressed}, None


def _text(value: str) -> bytes:
    return value.encode() or _EMPTY


def _truth(value: bool) -> bytes:
    return b"true" if value else b"false"


def _number(value: float) -> bytes:
    return msgspec.json.encode(value)
