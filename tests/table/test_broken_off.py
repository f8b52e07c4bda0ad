"""A conflict that is broken off: specials used in it still have their price (R12)."""

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from hub.games.game import GM
from hub.games.triangle.rules.characters.sheet import KnownSpecial, Sheet
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.story.scenes import ConflictRequest
from hub.table import acts as i
from hub.table.state import SeatFault
from tests.support.evening import Evening, sheets


def party(**ada: object) -> list[Sheet]:
    return [replace(sheets()[0], **ada), *sheets()[1:]]


def refusal(evening: Evening, request: ConflictRequest) -> str:
    try:
        evening.give(i.StartScene(to_builtins(request)))
    except SeatFault as fault:
        return str(fault)
    raise AssertionError("it was staged")


@pytest.mark.book("last.dead")
def test_a_samurai_on_a_last_stand_dies_when_the_conflict_is_broken_off() -> None:
    way = (KnownSpecial("way-of-the-samurai"),)
    samurai = {"level": 10, "max": Energy(7, 6, 5), "energy": Energy(1, 1, 1), "specials": way}
    evening = Evening(party=party(**samurai))
    evening.duel()
    evening.decide(GM, "active ada")
    evening.decide("ada", "opponent ninja")
    evening.decide("ada", "use")
    evening.show(ada="special way-of-the-samurai", gm="special none")
    evening.end()
    assert evening.sheet("ada").dead
    assert "ada is dead" in refusal(evening, ConflictRequest(sides={"a": ("ada",), "b": ("crow",)}))


def test_a_revealed_special_is_used_even_without_a_target() -> None:
    evening = Evening(party=party(level=2, specials=(KnownSpecial("scouter"),)))
    evening.duel()
    evening.decide(GM, "active ada")
    evening.decide("ada", "use")
    evening.show(ada="special scouter")
    assert evening.step == "target"
    evening.end()
    assert evening.sheet("ada").specials == {"scouter": False}


@pytest.mark.book("redraw.tiring")
def test_only_a_conflict_that_was_played_counts_as_sat_out() -> None:
    evening = Evening(party=party(sits_out=True))
    evening.duel()
    evening.end()
    assert evening.sheet("ada").sits_out, "it was over before it began"
    evening.duel()
    evening.decide(GM, "active bo")
    evening.decide("bo", "opponent ninja")
    evening.end()
    assert evening.sheet("ada").sits_out, "no turn was settled"
    evening.duel()
    evening.hit("bo")
    assert evening.step == "next"
    evening.end()
    assert not evening.sheet("ada").sits_out


def test_a_later_turn_may_be_broken_off() -> None:
    evening = Evening(party=party(sits_out=True))
    evening.duel()
    evening.hit("bo")
    evening.decide("ninja", "active crow")
    evening.end()
    assert not evening.sheet("ada").sits_out


def test_a_side_without_a_fit_member_is_refused_with_each_ones_reason() -> None:
    evening = Evening(party=[party(sits_out=True)[0], *sheets()[2:]])
    evening.duel()
    evening.end()
    assert not evening.sheet("ada").sits_out, "it has lapsed"
    evening.do("overrule ninja dead because so")
    evening.do("overrule crow attack 0 because so")
    assert "crow has no energy" in refusal(evening, ConflictRequest())
    assert "ninja" not in refusal(evening, ConflictRequest())


def test_a_tired_character_takes_part_if_the_side_would_be_empty() -> None:
    """R22, on both sides; a side with one fit member can do without the tired one."""
    evening = Evening(party=party(sits_out=True))
    why = refusal(evening, ConflictRequest(sides={"us": ("ada", "bo"), "them": ("ninja",)}))
    assert "ada cannot take part in this conflict after drunken-monkey" in why
    evening.do("overrule bo attack 0 because so")
    evening.duel()
    assert set(evening.view.game.characters) >= {"ada", "ninja"}  # type: ignore[union-attr]
    evening.end()
    tired = [replace(sheet, sits_out=sheet.npc) for sheet in sheets()]
    evening = Evening(party=tired)
    evening.duel()
    assert set(evening.view.game.characters) == {"ada", "bo", "ninja", "crow"}  # type: ignore[union-attr]
