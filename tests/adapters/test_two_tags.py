"""Cards with a tag at each end: made, replaced, merged, and written end by end."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.cards.deck import Deck, Mark, read_deck, write_deck
from hub.cards.making import Hand, added, merged, missing, spared, split, strangers
from hub.cards.store import DeckStore
from hub.cards.tags import Bar
from hub.cards.writing import Stage, Told, Writing, to_write
from hub.cli.cards_said import beside_the_last, said
from hub.daemon.reports import laid
from hub.games.dealing import needs_now, needs_of_table, unknown
from hub.games.game import Choice
from hub.sim.tags import Tag, blank
from hub.table.signals import Signal
from tests.support.station import BareField

HANDS = [Hand("", (), tuple(needs_of_table("tourists", {})))]
UP, DOWN = Choice("drawn", "39 upright"), Choice("drawn", "39 reversed")
FEW = {"deck": {"excuse": [1], "triumphs": [2], "attributes": {"salt": [3]}}}


def few() -> Deck:
    """Return a deck of three cards, with six tags."""
    return added(Deck(), [Hand("", (), tuple(needs_of_table("tourists", FEW)))])[0]


def test_the_usual_deck_has_83_cards_with_two_ends_each() -> None:
    deck, new = added(Deck(), HANDS)
    assert len(new) == 166 and len(deck.pieces) == 83
    for one, other in deck.pieces:
        assert one.choice.value.split()[0] == other.choice.value.split()[0] == one.of == other.of
        assert (one.choice.value.split()[1], other.choice.value.split()[1]) == (
            "upright",
            "reversed",
        )
    assert {int(one.of) for one, _ in deck.pieces} == {*range(4, 87)}
    assert not missing(deck, HANDS) and added(deck, HANDS) == (deck, [])
    assert not strangers(deck, {"tourists": ()})


def test_a_table_has_its_own_deck_and_none_where_the_hub_draws() -> None:
    assert [piece[0].of for piece in few().pieces] == ["1", "2", "3"]
    assert not needs_of_table("tourists", {"draws": "hub"})
    assert not needs_of_table("unroll", {})


def test_each_seat_has_a_card_for_each_word() -> None:
    said_by_card = {str(each.choice) for each in needs_now("tourists", ())}
    assert said_by_card == {"pass", "turn", "reject", "let-be", "let-be-all", "concede"}
    assert not [each for each in said_by_card if unknown("tourists", Choice(each))]
    for wrong in ("drawn 39", "drawn 39 sideways", "drawn 039 upright", "move attack-high", "bid"):
        assert unknown("tourists", Choice.parse(wrong)), wrong


def test_a_single_tag_is_not_the_card_with_two_ends() -> None:
    deck, _ = added(Deck(), HANDS)
    halved = Deck(tuple(replace(card, of="") for card in deck.cards if card.choice == UP))
    assert len(missing(halved, HANDS)) == 83


@pytest.mark.parametrize("lost", [UP, DOWN])
def test_a_lost_card_is_lost_with_both_ends(lost: Choice, tmp_path: Path) -> None:
    deck, _ = added(Deck(), HANDS)
    old = [card for card in deck.cards if card.of == "39"]
    after, new = spared(deck, lost, "")
    assert new.choice == lost and new.of == "39-2"
    write_deck(tmp_path / "deck.toml", after)
    after = read_deck(tmp_path / "deck.toml")
    assert len(after.pieces) == 84 and len([p for p in after.pieces if p[0].in_play]) == 83
    for end in old:
        struck = laid(after, {}, end.tag)
        assert struck.strange is Signal.STRUCK_OFF and struck.other in {each.tag for each in old}
    other = after.other_end(new)
    assert other and {new.choice, other.choice} == {UP, DOWN}
    assert not missing(after, HANDS)


def test_decks_are_merged_and_split_with_their_ends(tmp_path: Path) -> None:
    one, other = few(), few()
    both = merged([one, other])
    assert [piece[0].of for piece in both.pieces] == ["1", "2", "3", "1-2", "2-2", "3-2"]
    write_deck(tmp_path / "both.toml", both)
    assert merged([one, one]) == one
    (same,) = split(one).values()
    assert same == one


class Bench:
    """A session that writes three cards with two stickers each."""

    def __init__(self, folder: Path) -> None:
        self.path, self.reader = folder / "deck.toml", BareField()
        write_deck(self.path, few())
        self.begin()

    def begin(self, *, learns: bool = False) -> None:
        """Start the command (again)."""
        self.store = DeckStore([self.path])
        todo = to_write(self.store.deck.cards)
        self.writing = Writing(self.reader, self.store, todo, learns=learns)

    def lift(self) -> Told:
        self.reader.lift()
        self.writing.step()
        return self.writing.step()

    def lay(self, *tags: Tag) -> Told:
        self.lift()
        for tag in tags:
            self.reader.put(tag)
        return self.writing.step()

    def line(self, told: Told) -> str:
        return said(told, "the reader")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_one_end_after_the_other(bench: Bench) -> None:
    tags = [blank(n) for n in range(6)]
    asked = []
    for n, tag in enumerate(tags):
        asked.append(bench.line(bench.lift()))
        told = bench.lay(tag)
        assert told.stage is Stage.WRITTEN
        assert told.whole == bool(n % 2)
    assert asked[0] == "lay one end of it on the reader: Card 1 upright"
    assert asked[1].startswith(
        "now the other end of the same card: turn it, and lay Card 1 upside down"
    )
    assert asked[2] == "lay one end of it on the reader: Card 2 upright"
    deck = read_deck(bench.path)
    assert {card.mark for card in deck.cards} == {Mark.WRITTEN}
    assert [tag.tag_id for tag in tags] == [card.tag for card in deck.cards]


def test_the_two_stickers_of_a_card_are_compared(bench: Bench) -> None:
    first, second, third, fourth = (blank(n) for n in range(4))
    bench.lay(first)
    again = bench.lay(first)
    assert (again.stage, again.bar) == (Stage.REFUSED, Bar.SAME_END)
    assert "turn the card around" in bench.line(again)
    assert bench.lay(first, second).bar is Bar.BOTH_ENDS
    assert bench.lay(second).stage is Stage.WRITTEN
    bench.lay(third)
    for other in (first, second):
        told = bench.lay(other)
        assert told.bar is Bar.OTHER_CARD
        assert told.other and told.other.of == "1" and told.card and told.card.of == "2"
    assert "of another card" in bench.line(told)
    assert bench.lay(fourth).stage is Stage.WRITTEN


def test_interrupted_between_the_ends_it_continues_with_the_other_one(bench: Bench) -> None:
    first = blank(0)
    bench.lay(first)
    bench.begin()
    asked = bench.lift()
    assert asked.then and "other end of the same card" in bench.line(asked)
    assert bench.lay(first).bar is Bar.SAME_END
    assert bench.lay(blank(1)).whole


def test_pulled_away_at_the_second_end_the_first_one_stays_written(bench: Bench) -> None:
    first, second = blank(0), blank(1)
    bench.lay(first)
    bench.lift()
    exchanged, real = [], bench.reader.exchange

    def tears(command: bytes) -> bytes:
        exchanged.append(command)
        if len(exchanged) == 12:
            bench.reader.lift()
        return real(command)

    bench.reader.exchange = tears  # type: ignore[method-assign]
    bench.reader.put(second)
    assert bench.writing.step().stage is Stage.TORN
    bench.reader.exchange = real  # type: ignore[method-assign]
    marks = [card.mark for card in read_deck(bench.path).cards[:2]]
    assert marks == [Mark.WRITTEN, Mark.INTENDED]
    bench.begin()
    assert bench.lift().then
    assert bench.lay(second).whole or bench.lay(second).stage is Stage.FOUND
    ends = [card for card in read_deck(bench.path).cards if card.of == "1"]
    assert len(ends) == 2 and all(end.has_tag for end in ends)


def test_a_skipped_card_is_skipped_with_both_ends(bench: Bench) -> None:
    bench.lift()
    bench.writing.skip()
    told = bench.lift()
    assert told.card and told.card.of == "2"
    order = [bench.lay(blank(n)).card for n in range(6)]
    assert [card.of for card in order if card] == ["2", "2", "3", "3", "1", "1"]


def test_ends_are_learnt_as_well(bench: Bench) -> None:
    bench.begin(learns=True)
    one, other = blank(0), blank(1)
    assert bench.lay(one).stage is Stage.LEARNT
    assert bench.lift().then
    assert bench.lay(one).bar is Bar.SAME_END
    assert bench.lay(other).whole


def test_a_reader_tells_whether_two_ends_are_of_one_card() -> None:
    deck = few()
    one, other, third, *_ = deck.cards
    assert "right" in beside_the_last(other, one, deck)
    assert "no end of the card before" in beside_the_last(third, one, deck)
    assert beside_the_last(one, one, deck) == beside_the_last(one, None, deck) == ""
