"""The description of the topics: up to date, sound in itself, and true of commands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, ValidationError

from hub.books.registry import rulebooks
from hub.wire import asyncapi, topics
from hub.wire.commands import CommandFault, decode_command

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
        if name.isupper() and isinstance(value, str) and value.startswith("facedown/")
    }
    described = asyncapi.document(rulebooks())["channels"].values()
    assert {channel["address"] for channel in described} == templates
    for channel in described:
        for parameter in channel["parameters"]:
            assert f"{{{parameter}}}" in channel["address"]


def test_every_reference_leads_somewhere() -> None:
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
def test_the_description_of_commands_is_what_the_hub_reads(command: dict[str, Any]) -> None:
    validator = Draft7Validator(
        asyncapi.document(rulebooks()) | {"$ref": "#/components/schemas/Command"}
    )
    try:
        decode_command(json.dumps(command))
    except CommandFault:
        with pytest.raises(ValidationError):
            validator.validate(command)
    else:
        validator.validate(command)
