"""Faults of a script that ``test_oracle`` does not make, and what its comparison leaves out."""

import json

import pytest

from hub.games.resolve import resolve_script
from hub.kernel.faults import Faulty
from tests.rules.tricube.scripts import Json, agile, challenge, played, script, told


@pytest.mark.parametrize(
    ("place", "who"),
    [
        ("concept", agile(concept="half a \ud800")),
        ("perks[1]", agile(perks=["luck", "\udfff"])),
    ],
)
def test_a_text_with_half_a_character_is_refused(place: str, who: Json) -> None:
    assert told(script({"elf": who})) == ([], f"characters.elf.{place}")


def test_a_duplicate_key_is_refused() -> None:
    text = json.dumps(script({"elf": agile()}, challenge()))
    twice = text.replace('"name": "wall"', '"name": "wall", "name": "dog"').encode()
    with pytest.raises(Faulty) as found:
        list(resolve_script(twice))
    assert str(found.value) == "events[0].name: appears twice"


def test_names_keep_the_order_of_the_characters() -> None:
    first, *_, closing = played({"z": agile(), "a": agile()}, {"do": "turn"})
    assert [*first["characters"]] == [*closing["characters"]] == ["z", "a"]
