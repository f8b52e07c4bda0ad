"""Writing cards at a reader: the real driver, the simulated chip, tags that accept and refuse."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hub.cards.deck import Deck, Mark, make_deck, read_deck, write_deck
from hub.cards.meeting import meet, read_memory
from hub.cards.store import DeckStore, NotKept
from hub.cards.tags import GET_VERSION, Bar, password_of
from hub.cards.writing import Finish, Stage, Told, Writing, to_write
from hub.games.game import Choice
from hub.ports import StationLost, TagGone, TagStation
from hub.readers.address import Pn532Address
from hub.readers.kinds import open_station
from hub.sim.readers import SimulatedReader
from hub.sim.tags import NTAG213, NTAG215, NTAG216, Model, Ntag, Tag, blank, card
from hub.wire import tags as record
from hub.wire.strangers import Strange
from tests.support.station import BareField
from tests.support.tags import ChipCard, Clone, MifareClassic, Mute, Phone
from tests.support.tags import guarded as may_not_be_read

HIGH, LOW, NONE = (Choice.parse(c) for c in ("move attack-high", "move attack-low", "stance none"))


class Bench:
    """An empty reader, a deck of three cards, and the session that writes them."""

    def __init__(
        self, folder: Path, reader: SimulatedReader | BareField, station: TagStation
    ) -> None:
        self.path = folder / "deck.toml"
        self.reader, self.station = reader, station
        write_deck(self.path, make_deck([HIGH, LOW, NONE], group="ada"))
        self.begin()

    def begin(self, finish: Finish | None = None, *, learns: bool = False, **only: Choice) -> None:
        """Start the command (again)."""
        self.store = DeckStore([self.path])
        cards = self.store.deck.cards
        todo = [c for c in cards if c.choice in only.values() and c.in_play] or to_write(cards)
        self.writing = Writing(self.station, self.store, todo, finish, learns=learns)

    @property
    def deck(self) -> Deck:
        return read_deck(self.path)

    def marks(self) -> list[str]:
        return [card.mark.value for card in self.deck.cards]

    def lay(self, tag: Tag) -> Told:
        """Lift the tag on the reader until that was seen, place this one, and return the result."""
        self.lift()
        self.reader.put(tag)
        return self.writing.step()

    def lift(self) -> None:
        self.reader.lift()
        for _ in range(2):
            self.writing.step()


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Bench]:
    """A bench with the real driver on a simulated chip."""
    with SimulatedReader("north", tmp_path, time_scale=0, misses=0) as reader:
        station = open_station(Pn532Address(reader.path))
        station.open()
        try:
            yield Bench(tmp_path, reader, station)
        finally:
            station.close()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A bench without a chip between the tags and the session."""
    field = BareField()
    return Bench(tmp_path, field, field)


def test_three_cards_one_after_the_other(wired: Bench) -> None:
    assert wired.writing.step().stage is Stage.LAY
    tags = [blank(1, NTAG213), blank(2, NTAG215), blank(3, NTAG216)]
    for tag, each in zip(tags, wired.deck.cards, strict=True):
        told = wired.lay(tag)
        assert (told.stage, told.card and told.card.choice) == (Stage.WRITTEN, each.choice)
        assert wired.writing.step() == told, "nothing more is done to what lies there"
        assert tag.tag_id == each.tag
        assert tag.writes[0] == tag.writes[-1] == 4, "the length comes last"
    assert wired.marks() == ["written"] * 3
    assert (told.done, told.total) == (3, 3)
    wired.lift()
    assert wired.writing.step().stage is Stage.DONE


def test_a_deck_of_thirty_in_one_go(wired: Bench) -> None:
    write_deck(wired.path, make_deck([HIGH] * 30, group="ada"))
    wired.begin()
    for serial in range(30):
        wired.reader.lift()
        wired.reader.put(blank(serial))
        while (told := wired.writing.step()).stage is not Stage.WRITTEN or told.done <= serial:
            assert told.stage in {Stage.LAY, Stage.WRITTEN}
    assert wired.marks() == ["written"] * 30
    assert wired.writing.card is None


class Power:
    """Cuts the power in the middle of a tag's n-th page, which stays old, new, or neither."""

    def __init__(self, bench: Bench, tag: Ntag, at: int, stays: str) -> None:
        self.bench, self.at, self.stays = bench, at, stays
        tag.tear = self

    def __call__(self, page: int, old: bytes, new: bytes) -> bytes | None:
        self.at -= 1
        if self.at != -1:
            return None
        self.bench.reader.lift()
        mixed = bytes(a & b for a, b in zip(old, new, strict=True))
        return {"old": old, "new": new, "mixed": mixed, "erased": bytes(4)}[self.stays]


PAGES = 10
"""Pages written for one card."""


@pytest.mark.parametrize("stays", ["old", "new", "mixed", "erased"])
def test_a_tag_pulled_away_at_any_moment_is_never_half_a_card(bench: Bench, stays: str) -> None:
    for at in range(PAGES):
        bench.begin(only=HIGH)
        tag = blank(1)
        Power(bench, tag, at, stays)
        told = bench.lay(tag)
        wanted = bench.deck.cards[0].tag
        assert told.stage is Stage.TORN
        assert bench.marks()[0] == "intended"
        whole = at == PAGES - 1 and stays == "new"
        assert tag.tag_id == (wanted if whole else "")
        bench.reader.put(tag)
        found = meet(bench.station)
        assert found is not None
        if whole:
            assert found.content == wanted
        elif at > 0:
            assert found.content is Strange.UNFINISHED, (at, stays)
        else:
            assert found.content in {Strange.BLANK, Strange.UNFINISHED}, (at, stays)
        again = bench.writing.step()
        assert again.stage in {Stage.WRITTEN, Stage.FOUND}, "it can be written again"
        assert tag.tag_id == wanted, "the same tag keeps its id"
        assert bench.marks()[0] == "written"
        write_deck(bench.path, make_deck([HIGH, LOW, NONE], group="ada"))


def test_a_tag_pulled_away_from_a_real_chip(wired: Bench) -> None:
    tag = blank(1)
    Power(wired, tag, 5, "mixed")
    assert wired.lay(tag).stage is Stage.TORN
    wired.reader.put(tag)
    assert wired.writing.step().stage is Stage.WRITTEN
    assert tag.tag_id == wired.deck.cards[0].tag


def test_a_card_being_overwritten_is_never_another_card(bench: Bench) -> None:
    """A lost card that turned up is overwritten: at every moment its id is the old one, the new
    one, or none."""
    old = bench.deck.cards[0]
    for at in range(PAGES):
        for stays in ("old", "new", "mixed", "erased"):
            write_deck(bench.path, Deck((old, *make_deck([LOW], group="ada").cards)))
            bench.store = DeckStore([bench.path])
            bench.store.mark(old.tag, Mark.STRUCK)
            bench.begin()
            tag = card(old.tag)
            Power(bench, tag, at, stays)
            bench.lay(tag)
            assert tag.tag_id in {old.tag, bench.deck.cards[1].tag, ""}, (at, stays)


def test_the_command_continues_where_it_was_interrupted(bench: Bench) -> None:
    assert bench.lay(blank(1)).stage is Stage.WRITTEN
    tag = blank(2)
    Power(bench, tag, PAGES - 1, "new")
    assert bench.lay(tag).stage is Stage.TORN
    bench.begin()
    assert bench.writing.left == 2
    assert bench.lay(tag).stage is Stage.FOUND, "it was whole, and nobody had read it back"
    assert bench.marks() == ["written", "written", ""]


def test_a_card_begun_on_another_tag_gets_a_new_id(bench: Bench) -> None:
    """The first tag may carry the old id, which is struck off so that no two tags are one card."""
    first = blank(1)
    Power(bench, first, PAGES - 1, "new")
    assert bench.lay(first).stage is Stage.TORN
    bench.begin()
    second = blank(2)
    assert bench.lay(second).stage is Stage.WRITTEN
    assert {first.tag_id, second.tag_id} <= {each.tag for each in bench.deck.cards}
    assert first.tag_id != second.tag_id
    one = bench.deck.card(first.tag_id)
    assert one and one.mark is Mark.STRUCK
    assert {c.choice for c in bench.deck.cards if c.in_play} == {HIGH, LOW, NONE}
    assert len(bench.deck.cards) == 4


def test_a_card_can_be_written_again(bench: Bench) -> None:
    first, second = blank(1), blank(2)
    bench.lay(first)
    bench.begin(only=HIGH)
    assert bench.lay(first).stage is Stage.FOUND
    bench.begin(only=HIGH)
    assert bench.lay(second).stage is Stage.WRITTEN
    one = bench.deck.card(first.tag_id)
    assert one and one.mark is Mark.STRUCK


def foreign(serial: int = 9) -> Ntag:
    tag = blank(serial)
    tag.memory[16:24] = bytes.fromhex("0304d101 0041fe00")
    return tag


def locked(bits: str = "fff8") -> Ntag:
    tag = blank(8)
    tag.memory[10:12] = bytes.fromhex(bits)
    return tag


def read_only() -> Ntag:
    tag = blank(8)
    tag.memory[15] = 0x0F
    return tag


def guarded(password: str = "theirs") -> Ntag:
    tag = blank(7)
    key, answer = password_of(password)
    tag.memory[4 * 0x2B : 4 * 0x2B + 6] = key + answer
    tag.memory[4 * 0x29 + 3] = 4
    return tag


SMALL = Model("NTAG210", 0x14 + 5, 0x0B, 0x02, 2, 0xBD)

REFUSED: dict[Bar, Callable[[], Tag]] = {
    Bar.PHONE: Phone,
    Bar.NO_TYPE_2: lambda: MifareClassic(b"\x01\x02\x03\x04"),
    Bar.FOREIGN: foreign,
    Bar.LOCKED: locked,
    Bar.TOO_SMALL: lambda: blank(3, SMALL),
    Bar.PROTECTED: guarded,
    Bar.UNFORMATTED: lambda: Clone(b"\x04cloned"),
    Bar.OTHER_DECK: lambda: card(record.tag_id(b"x" * 16)),
}


@pytest.mark.parametrize("bar", REFUSED)
def test_refused_tags_are_left_unchanged(bench: Bench, bar: Bar) -> None:
    tag = REFUSED[bar]()
    before, file = bytes(getattr(tag, "memory", b"")), bench.path.read_bytes()
    told = bench.lay(tag)
    assert (told.stage, told.bar) == (Stage.REFUSED, bar)
    assert bytes(getattr(tag, "memory", b"")) == before
    assert bench.path.read_bytes() == file
    assert bench.lay(blank(1)).stage is Stage.WRITTEN, "and it goes on"


@pytest.mark.parametrize("first", [0, 4, 10])
def test_a_read_protected_tag_is_named(wired: Bench, first: int) -> None:
    tag = may_not_be_read(first)
    assert wired.lay(tag).bar is Bar.PROTECTED
    told = meet(wired.station)
    assert told is not None
    assert (told.content, told.guarded, told.uid) == (Strange.GUARDED, True, tag.uid)
    assert wired.lay(Mute(b"\x04mute!!")).bar is Bar.UNREADABLE


def test_a_clone_without_a_version(wired: Bench) -> None:
    """Unformatted, its size is unknown. A format declares the size, so the tag is written."""
    assert wired.lay(Clone(b"\x04cloned")).bar is Bar.UNFORMATTED
    assert wired.lay(Clone(b"\x04format", raw=False)).stage is Stage.WRITTEN


@pytest.mark.parametrize("tag", [locked("1000"), locked("0010"), read_only()])
def test_a_partly_locked_tag_counts_as_locked(bench: Bench, tag: Ntag) -> None:
    assert bench.lay(tag).bar is Bar.LOCKED


def test_used_tags_and_two_tags(bench: Bench) -> None:
    first = blank(1)
    bench.lay(first)
    bench.lift()
    told = bench.lay(first)
    assert (told.bar, told.other and told.other.choice) == (Bar.THIS_DECK, HIGH)
    bench.reader.put(blank(2))
    assert bench.writing.step().bar is Bar.TWO_TAGS
    bench.begin(Finish(overwrite=True))
    assert bench.lay(first).bar is Bar.THIS_DECK, "never by accident"
    assert bench.lay(foreign()).stage is Stage.WRITTEN
    assert bench.lay(card(record.tag_id(b"x" * 16))).stage is Stage.WRITTEN


def test_a_tag_swapped_before_it_is_read_back(wired: Bench) -> None:
    """The last page is written, and the swap comes before the check."""
    first, second = blank(1), blank(2)

    def swap(command: bytes) -> None:
        if first.writes[-1:] == [4] and len(first.writes) == PAGES:
            wired.reader.lift()
            wired.reader.put(second)

    pages = first._write

    def write(page: int, data: bytes) -> object:
        answer = pages(page, data)
        swap(data)
        return answer

    first._write = write  # type: ignore[method-assign,assignment]
    told = wired.lay(first)
    assert told.stage is Stage.SWAPPED
    assert wired.marks()[0] == "intended"
    assert second.writes == []
    wired.reader.lift()
    wired.writing.step()
    assert wired.writing.step().stage is Stage.SWAPPED, "it is told until the next one lies there"
    wired.reader.put(first)
    assert wired.writing.step().stage is Stage.FOUND


def test_a_full_disk_leaves_the_tag_unchanged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    tag = blank(1)
    before = bench.path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(NotKept, match="No space left on device; nothing was changed"):
            bench.lay(tag)
    assert (tag.writes, bench.path.read_bytes()) == ([], before)
    assert [*bench.path.parent.glob(".deck*")] == []
    assert bench.writing.step().stage is Stage.WRITTEN, "it goes on"


def test_a_disk_that_fills_up_during_a_write_leaves_a_card_that_is_found_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag, marks = blank(1), bench.store.mark

    def once(card_tag: str, mark: Mark) -> object:
        if mark is Mark.WRITTEN:
            raise NotKept("full")
        return marks(card_tag, mark)

    monkeypatch.setattr(bench.store, "mark", once)
    with pytest.raises(NotKept):
        bench.lay(tag)
    assert bench.marks()[0] == "intended"
    bench.begin()
    assert bench.lay(tag).stage is Stage.FOUND


def test_a_reader_pulled_in_the_middle(wired: Bench) -> None:
    tag = blank(1)
    tag.heard = lambda command: wired.reader.noise(b"") if command[0] != 0xA2 else None
    wired.reader.put(tag)
    wired.reader.unplug()
    with pytest.raises(StationLost, match=r"no device at .*north[:;]"):
        wired.writing.step()
    wired.reader.replug()
    wired.station.open()
    assert wired.writing.step().stage is Stage.WRITTEN


def test_locks_and_passwords_are_permanent(wired: Bench) -> None:
    wired.begin(Finish(password="open sesame"))
    tag, other = blank(1), blank(2, NTAG216)
    assert wired.lay(tag).stage is Stage.WRITTEN
    assert (tag.auth0, tag.tag_id) == (4, wired.deck.cards[0].tag)
    wired.begin(Finish(lock=True, password="open sesame"))
    assert wired.lay(other).stage is Stage.WRITTEN
    assert other.locked(4)
    assert other.locked(12)
    told = meet(wired.station)
    assert told is not None
    assert (told.locked, told.guarded, told.chip) == (True, True, "NTAG216")
    # A tag with our password can be opened again, and gets another card.
    wired.store.mark(tag.tag_id, Mark.STRUCK)
    wired.begin(Finish(password="open sesame"))
    assert wired.lay(tag).stage is Stage.WRITTEN
    wired.store.mark(tag.tag_id, Mark.STRUCK)
    write_deck(wired.path, Deck((*wired.deck.cards, *make_deck([HIGH]).cards)))
    wired.begin(Finish(password="another"))
    wired.store.mark(tag.tag_id, Mark.STRUCK)
    assert wired.lay(tag).bar is Bar.PROTECTED


def test_a_card_pulled_away_before_its_lock_is_locked_when_found_again(bench: Bench) -> None:
    tag, asked = blank(1), Finish(lock=True, password="open sesame")
    bench.lay(tag)
    bench.store.mark(tag.tag_id, Mark.INTENDED)
    bench.begin(asked)
    assert bench.lay(tag).stage is Stage.FOUND
    assert (tag.auth0, tag.locked(4)) == (4, True)


def test_tags_that_cannot_be_written_are_learnt(wired: Bench) -> None:
    wired.begin(learns=True)
    key, chip = MifareClassic(b"\x01\x02\x03\x04"), ChipCard(b"\x04" + b"c" * 6)
    assert wired.lay(Phone()).bar is Bar.PHONE
    assert wired.lay(key).stage is Stage.LEARNT
    assert wired.writing.step().stage is Stage.LEARNT, "it lies there still"
    assert wired.lay(key).bar is Bar.LEARNT
    assert wired.lay(chip).stage is Stage.LEARNT
    assert wired.lay(locked()).stage is Stage.LEARNT
    assert [card.uid for card in wired.deck.cards] == [
        "01020304",
        "04" + "63" * 6,
        "04000000000008",
    ]
    write_deck(wired.path, Deck((*wired.deck.cards, *make_deck([HIGH]).cards)))
    wired.begin()
    assert wired.lay(locked()).bar is Bar.LEARNT


def test_an_unformatted_tag_is_formatted(bench: Bench) -> None:
    tag = blank(1, NTAG215)
    tag.memory[12:24] = bytes(12)
    assert bench.lay(tag).stage is Stage.WRITTEN
    assert tag.memory[12:16] == bytes.fromhex("e1103e00")


class Disturbed(BareField):
    """A station that loses the tag's first answer to GET_VERSION."""

    lost = 1

    def exchange(self, command: bytes) -> bytes:
        answer = super().exchange(command)
        if command == GET_VERSION and self.lost:
            self.lost -= 1
            raise TagGone
        return answer


def test_a_lost_answer_does_not_make_it_another_tag() -> None:
    station = Disturbed()
    station.put(blank(1, NTAG213))
    station.tags()
    assert read_memory(station).chip.name == "NTAG213"
