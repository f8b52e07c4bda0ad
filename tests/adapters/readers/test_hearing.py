"""Which reader is meant when a player is asked to place a card on one."""

from msgspec.structs import replace

from hub.setup.hearing import Asked, Heard

A, B = Heard("pn532:/dev/a", True, "", ()), Heard("pn532:/dev/b", True, "", ())
CARD = ("?blank",)


def lying(on: Heard, *tags: str, rested: bool = True) -> Heard:
    return replace(on, tags=tags, rested=rested)


def test_the_reader_on_which_a_card_rests_is_meant() -> None:
    asked = Asked("north", [A, B])
    assert asked.answer([lying(A, *CARD, rested=False), B], {}) == (None, None)
    assert asked.answer([lying(A, *CARD), B], {}) == ("pn532:/dev/a", None)


def test_a_card_that_was_there_before_counts_only_when_placed_again() -> None:
    before = [lying(A, *CARD), B]
    asked = Asked("north", before)
    assert asked.answer(before, {}) == (None, None)
    assert asked.answer([replace(A, answers=False, tags=None), B], {}) == (None, None)
    assert asked.answer(before, {}) == (None, None), "it was lost, and is back"
    assert asked.answer([lying(A, *CARD), lying(B, *CARD)], {}) == ("pn532:/dev/b", None)
    assert asked.answer([A, B], {}) == (None, None)
    assert asked.answer(before, {}) == ("pn532:/dev/a", None)


def test_a_card_at_two_readers_or_at_another_seats_is_explained() -> None:
    asked = Asked("north", [A, B])
    address, why = asked.answer([lying(A, *CARD), lying(B, *CARD)], {})
    assert address is None
    assert "at least 10 cm apart" in str(why)
    address, why = asked.answer([lying(A, *CARD), B], {"pn532:/dev/a": "south"})
    assert address is None
    assert str(why) == "that is the reader of seat south; lay the card on seat north’s"
