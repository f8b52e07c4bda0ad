"""Plays a script: one JSON document in; one object for each step, and a closing one, out.

The script's ruleset decides which family plays it. ``docs/rules/resolve.md`` describes both
formats.
"""

from collections.abc import Iterator
from typing import Any

from hub.games import registry
from hub.games.family import House
from hub.kernel.documents.json import parse_json


def resolve_script(script: bytes, house: House | None = None) -> Iterator[dict[str, Any]]:
    """Play a script, by ``house`` rules if it names no other ruleset. Yields an object for each
    step, then the closing one.

    Raises :class:`hub.kernel.faults.Faulty`, also midway; objects already yielded stay valid.
    """
    document = parse_json(script)
    given = document.values
    faces = (family.script for family in registry.FAMILIES)
    known = [ruleset for face in faces if face for ruleset in face.RULESETS]
    default = house.id if house else registry.default_ruleset()
    ruleset = given.get("ruleset", default) if isinstance(given, dict) else default
    named = house.base if house and ruleset == house.id else ruleset
    face = registry.face_of(named, lambda family: family.script)
    return face.play(document, default, [*known, house.id] if house else known, house)
