"""A deed's preview shows the very changes it makes, and a preview changes nothing."""

import pytest

from hub.games.story import parse_deed
from hub.table import acts as i
from hub.table.preview import MOST_CHANGES, Difference, preview
from hub.table.state import SeatFault
from tests.support.evening import Evening


def looked(evening: Evening, deed: str) -> list[Difference]:
    before = evening.state
    found = preview(before, evening.settings, i.Request(i.TellStory(parse_deed(deed))))
    assert evening.state is before
    return list(found)


def test_a_rests_preview_names_the_regained_points() -> None:
    evening = Evening()
    evening.do("lose ada attack 1")
    energy = evening.sheets["ada"].energy.attack
    evening.do("overrule rest because the night is long")
    found = looked(evening, "rest breather")
    assert Difference("ada", ("energy", "attack"), energy, energy + 1) in found
    assert Difference("bo", ("rested",), None, ("breather",)) in found
    evening.take_rest("breather")
    assert evening.sheets["ada"].energy.attack == energy + 1


@pytest.mark.parametrize(
    ("deed", "change"),
    [
        ("lose ada attack 1", ("ada", ("energy", "attack"))),
        ("countdown new 6 The tide", ("", ("countdowns", "the-tide", "boxes"))),
        ("stakes The boat", ("", ("stakes",))),
        ("mark belief ada", ("ada", ("belief", "marked"))),
        ("dismiss crow", ("crow", ("name",))),
    ],
)
def test_every_deeds_preview_lists_its_changes(
    deed: str, change: tuple[str, tuple[str, ...]]
) -> None:
    found = looked(Evening(), deed)
    assert change in [(each.who, each.what) for each in found]
    assert len(found) <= MOST_CHANGES


def test_the_preview_of_an_illegal_deed_gives_the_reason() -> None:
    evening = Evening()
    evening.take_rest("breather")
    with pytest.raises(SeatFault, match="has already had a breather"):
        looked(evening, "rest breather")
    with pytest.raises(SeatFault, match="nobody"):
        preview(evening.state, evening.settings, i.Request(i.RemoveCharacter("nobody")))
