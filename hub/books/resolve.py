"""A script as one JSON document in, one object for each step and a closing one out.

Which family plays it, its ruleset says. ``docs/rules/resolve.md`` describes both ends.
"""

from collections.abc import Iterator
from typing import Any

from hub.books import registry
from hub.books.family import House
from hub.wire.script import parse_script


def resolve_script(document: bytes, house: House | None = None) -> Iterator[dict[str, Any]]:
    """Play a script, by ``house`` rules if it names no other. Yields an object for each step, then
    the closing one.

    Raises :class:`hub.rules.reading.ScriptError`, also in the middle: what was yielded before
    stands.
    """
    script = parse_script(document)
    faces = (family.script for family in registry.FAMILIES)
    known = [ruleset for face in faces if face for ruleset in face.RULESETS]
    default = house.id if house else registry.default_ruleset()
    ruleset = script.get("ruleset", default) if isinstance(script, dict) else default
    named = house.base if house and ruleset == house.id else ruleset
    face = registry.face_of(named, lambda family: family.script)
    return face.play(script, default, [*known, house.id] if house else known, house)
