"""The book's worked examples and the rulings' known answers."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.rules.duel import play, setup

VECTORS = tomllib.loads(
    (Path(__file__).parent.parent / "vectors" / "unroll.toml").read_text(encoding="utf-8")
)["vector"]


def contains(found: Any, expected: Any) -> bool:
    """Whether all that is expected is found; only lists and empty objects have to be whole."""
    if expected == "null":
        return found is None
    if isinstance(expected, dict) and expected:
        return all(key in found and contains(found[key], expected[key]) for key in expected)
    return bool(found == expected)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_known_answer(vector: dict[str, Any]) -> None:
    keys = {k: vector[k] for k in ("sides", "characters", "lethal", "minor") if k in vector}
    *turns, closing = play({**setup(**keys), "turns": vector["turns"]})
    for number, expected in vector["expect"].items():
        found = turns[int(number) - 1]
        for key, value in expected.items():
            assert contains(found[key], value), (vector["source"], key, found[key])
    assert contains(closing, vector.get("closing", {"over": False}))
    assert len(turns) == len(vector["turns"])
