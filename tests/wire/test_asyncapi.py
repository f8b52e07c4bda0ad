"""The description of the topics: up to date, valid, and true of commands."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, ValidationError
from msgspec.structs import replace

from hub.games.game import GM
from hub.games.registry import rulebooks
from hub.games.rulebooks import Rulebooks
from hub.table import acts as i
from hub.table.acts import CommandFault
from hub.table.views import deeds
from hub.wire import asyncapi, topics
from hub.wire.reading import decode_command
from tests.support.evening import Evening
from tests.support.specialtalk import log_of
from tests.toy import TOY

FILE = Path(__file__).parents[2] / "docs" / "asyncapi.json"


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from nodes(part)


def test_the_file_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == asyncapi.text(rulebooks()), "run `make docs`"


def test_every_topic_is_described() -> None:
    templates = {
        value
        for name, value in vars(topics).items()
        if name.isupper()
        and isinstance(value, str)
        and value.startswith(("facedown/", "homeassistant/", "homie/"))
    }
    described = asyncapi.document(rulebooks())["channels"].values()
    assert {channel["address"] for channel in described} == templates
    for channel in described:
        for parameter in channel["parameters"]:
            assert f"{{{parameter}}}" in channel["address"]


def test_every_reference_resolves() -> None:
    whole = asyncapi.document(rulebooks())
    for node in nodes(whole):
        if "$ref" in node:
            at: Any = whole
            for step in node["$ref"].removeprefix("#/").split("/"):
                at = at[step]


def test_schemas_keep_to_draft_7() -> None:
    for schema in asyncapi.schemas(rulebooks()).values():
        Draft7Validator.check_schema(schema)
    for node in nodes(asyncapi.schemas(rulebooks())):
        assert "prefixItems" not in node
        assert not isinstance(node.get("discriminator"), dict)


@pytest.mark.parametrize(
    "command",
    [
        {"id": "1", "command": "pause"},
        {"id": "1", "command": "decide", "actor": "gm", "choice": "active ada"},
        {"id": "x" * 64, "command": "undo"},
        {"id": "x" * 65, "command": "undo"},
        {"id": "1", "command": "decide", "actor": "gm"},
        {"id": "1", "command": "fly"},
        {"id": "1", "command": "pause", "more": 1},
        {"id": "1", "command": "pause", "version": {"scene": 1, "phase": 2, "revision": 0}},
        {"id": "1", "command": "pause", "version": None},
        {"id": "1", "command": "pause", "version": {"scene": 1, "phase": 2}},
        {"id": "1", "command": "commit", "actor": "ada", "choice": "stance none"},
        {"id": "1", "command": "start-scene", "scene": {"type": "problem", "problem": "A gate"}},
        {"id": "1", "command": "take-back", "actor": "ada"},
        {"id": "1", "command": "withdraw", "actor": "ada", "choice": "special scouter"},
        {"id": 1, "command": "pause"},
    ],
    ids=str,
)
def test_the_schema_of_commands_accepts_what_the_hub_reads(command: dict[str, Any]) -> None:
    validator = described("Command")
    try:
        decode_command(json.dumps(command))
    except CommandFault:
        with pytest.raises(ValidationError):
            validator.validate(command)
    else:
        validator.validate(command)


def of_books(schema: str, books: Rulebooks) -> Any:
    document = asyncapi.document(books)
    return Draft7Validator(document | {"$ref": f"#/components/schemas/{schema}"})


@cache
def described(schema: str) -> Any:
    return of_books(schema, rulebooks())


def sound(schema: str, value: object) -> bool:
    return bool(described(schema).is_valid(value))


def told(deed: object) -> dict[str, Any]:
    return {"id": "1", "command": "tell-story", "deed": deed}


def holding(**holds: object) -> dict[str, Any]:
    return {"id": "1", "command": "overrule", "holds": holds, "because": "it is late"}


def test_exactly_the_deeds_offered_to_the_gm_are_described() -> None:
    offered = [offer.deed for offer in deeds(Evening().state)]
    assert {"rest", "mark", "begin-countdown"} <= {deed["do"] for deed in offered}
    assert [deed for deed in offered if not sound("Command", told(deed))] == []
    assert sound("Command", told("rest full")), "a deed may be typed as text"
    for deed in ({"do": "fly"}, {"do": "mark-countdown"}, {"do": "stakes", "words": 1}, 7):
        assert not sound("Command", told(deed))
    assert sound("Command", holding(what="end", winner=None))
    assert sound("Command", holding(what="no-veto"))
    for holds in ({"what": "fly"}, {"what": "end", "winner": 1}, {"what": "end", "who": "ada"}):
        assert not sound("Command", holding(**holds))


def test_events_of_deeds_and_overrules_are_described() -> None:
    evening = Evening(gm_seat="gm")
    evening.give(i.TellStory({"do": "begin-countdown", "name": "The tide", "boxes": 4}))
    evening.duel()
    evening.decide(GM, "active ada")
    evening.give(i.Overrule(holds={"what": "end", "winner": None}, because="it is late"))
    lines = [json.loads(line) for line in log_of(evening.records)]
    assert {"story-told", "overruled"} <= {line["type"] for line in lines}
    assert [line for line in lines if not sound("Event", line)] == []
    (word,) = (line for line in lines if line["type"] == "overruled")
    assert not sound("Event", word | {"holds": {"what": "fly"}})


def test_another_family_adds_its_schemas() -> None:
    toy = {story.ruleset: story for story in TOY.stories}
    books = replace(rulebooks(), stories={**rulebooks().stories, **toy})
    grant = told({"do": "grant", "name": "ada", "tokens": 2})
    ours = of_books("Command", books)
    assert ours.is_valid(grant) and not sound("Command", grant)
    assert ours.is_valid(told({"do": "mark-countdown", "name": "The tide"}))


def test_no_two_families_share_a_schema_name() -> None:
    assert [name for name in asyncapi.schemas(rulebooks()) if not name.isalnum()] == []
