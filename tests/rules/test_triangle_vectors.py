"""The books' worked examples and the rulings' known answers."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hub.games.triangle.rules.edition import Edition
from hub.kernel.faults import Faulty
from tests.rules.duel import play_until_fault, setup, where
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL

FOLDER = Path(__file__).parent.parent / "vectors"
EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
TOLD = ("name", "source", "book", "of")
"""Keys that describe a vector; all others are played."""


def vectors(name: str) -> list[dict[str, Any]]:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = tomllib.loads(text)["vector"]
    return found


def written(edition: Edition) -> Iterator[dict[str, Any]]:
    """The vectors of an edition's own file, and those of other files that are ``of`` it, too."""
    for other in EDITIONS:
        for vector in vectors(other.id):
            if edition.id in vector.get("of", [other.id]):
                yield vector


def specials() -> Iterator[dict[str, Any]]:
    for file in sorted((FOLDER / "specials").glob("*.toml")):
        yield from vectors(f"specials/{file.stem}")


def stems(edition: Edition) -> dict[Any, str]:
    """An edition's names of the effects, without the variation."""
    return {s.effect: s.stem for s in edition.specials.values()}


def translated(vector: dict[str, Any], edition: Edition) -> dict[str, Any] | None:
    """A vector with another book's names for the specials; None if it has no such special."""
    played = {key: value for key, value in vector.items() if key not in TOLD}
    text, names = json.dumps(played), stems(edition)
    for effect, name in stems(UNROLL).items():
        if name in text and effect not in names:
            return None
        text = text.replace(name, names.get(effect, ""))
    told = {key: value for key, value in vector.items() if key in TOLD}
    return {**told, **json.loads(text)}


def cases() -> Iterator[Any]:
    for edition in EDITIONS:
        for vector in written(edition):
            yield pytest.param(edition, vector, id=f"{edition.id}: {vector['name']}")
        for vector in specials():
            case = translated(vector, edition)
            if case:
                yield pytest.param(edition, case, id=f"{edition.id}: {vector['name']}")


def contains(found: Any, expected: Any) -> bool:
    """Whether all that is expected is found; only lists and empty objects must match completely."""
    if expected == "null":
        return found is None
    if isinstance(expected, dict) and expected:
        return all(key in found and contains(found[key], expected[key]) for key in expected)
    return bool(found == expected)


@pytest.mark.parametrize(("edition", "vector"), list(cases()))
def test_a_vector_gives_its_known_answer(edition: Edition, vector: dict[str, Any]) -> None:
    keys = {k: vector[k] for k in ("sides", "characters", "lethal", "minor") if k in vector}
    document = {**setup(edition=edition, **keys), "turns": vector["turns"]}
    found, error = play_until_fault(document)
    if "fault" in vector:
        check_fault(error, vector)
    else:
        assert error is None, (vector["source"], error)
        *found, closing = found
        assert contains(closing, vector.get("closing", {"over": False}))
        assert len(found) == len(vector["turns"])
    for number, expected in vector["expect"].items():
        turn = found[int(number) - 1]
        for key, value in expected.items():
            assert contains(turn[key], value), (vector["source"], key, turn[key])
        if "loss" in expected:
            assert {*turn["loss"]} == {*expected["loss"]}, (vector["source"], turn["loss"])


def check_fault(error: Faulty | None, vector: dict[str, Any]) -> None:
    assert error is not None, vector["source"]
    assert where(error) == vector["fault"]
    assert str(error.faults[0].reason).startswith(vector.get("says", "")), str(error)


def test_every_effect_of_every_book_has_vectors() -> None:
    for edition in EDITIONS:
        own = [v for v in (translated(v, edition) for v in specials()) if v]
        text = json.dumps([*own, *vectors(edition.id)])
        for name in stems(edition).values():
            assert f'"{name}' in text, (edition.id, name)
