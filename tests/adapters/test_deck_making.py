"""Decks as values: the cards that a party needs; adding, merging, splitting and replacing."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.cards.deck import Card, Deck, Mark, make_deck, read_deck, read_decks, save_deck, write_deck
from hub.cards.making import Hand, NoSuchCard, added, merged, missing, named, spared, split
from hub.daemon.reports import laid
from hub.games.dealing import BLANK, needs_later, needs_now, unknown
from hub.games.game import Choice
from hub.games.sheets import read_sheet, samples
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Faulty
from hub.table.signals import Signal
from tests.toy import TOY

HIGH = Choice("move", "attack-high")
SAMPLES = {name: read_sheet(parse_toml(name, text.encode())) for name, text in samples().items()}


@pytest.mark.parametrize("name", [n for n, sheet in SAMPLES.items() if hasattr(sheet, "moves")])
def test_a_fighter_has_every_card_that_can_be_asked_for(name: str) -> None:
    sheet = SAMPLES[name]
    now = {each.choice for each in needs_now(sheet.ruleset, [sheet])}
    assert {Choice("move", str(move)) for move in sheet.moves} <= now  # type: ignore[attr-defined]
    assert {Choice("move", "surrender"), Choice("stance", "none"), Choice("special", "none")} <= now
    assert {Choice("option", str(n)) for n in (1, 2, 3, 4)} <= now
    later = {each.choice for each in needs_later(sheet.ruleset, [sheet])}
    assert now < later
    assert not [each for each in later if unknown(sheet.ruleset, each)]


@pytest.mark.parametrize("name", [n for n, s in SAMPLES.items() if s.ruleset == "tourists"])
def test_a_tourist_has_a_card_for_every_word_besides_drawn_cards(name: str) -> None:
    sheet = SAMPLES[name]
    now = {each.choice for each in needs_now(sheet.ruleset, [sheet])}
    words = ("pass", "turn", "reject", "let-be", "let-be-all", "concede")
    assert now == {Choice(word) for word in words}, "what is drawn lies in the middle of the table"
    assert now == {each.choice for each in needs_later(sheet.ruleset, [sheet])}


@pytest.mark.parametrize("name", [n for n, s in SAMPLES.items() if s.ruleset == "tricube"])
def test_a_tales_character_has_a_card_for_each_quirk_and_perk(name: str) -> None:
    sheet: Any = SAMPLES[name]
    now = {str(each.choice) for each in needs_now(sheet.ruleset, [sheet])}
    assert {f"approach quirk {quirk}" for quirk in sheet.quirks} <= now
    assert {f"karma {perk}" for perk in sheet.perks} <= now
    assert {"approach plain", "karma none", "take-back", *(f"die {n}" for n in range(1, 7))} <= now
    assert not {each for each in now if each.startswith("difficulty")}
    assert not [
        each
        for each in needs_now(sheet.ruleset, [sheet])
        if unknown(sheet.ruleset, each.choice, [sheet])
    ]
    gms = {str(each.choice) for each in needs_now("tricube", ())}
    assert {"difficulty 4", "difficulty 5", "difficulty 6"} <= gms


@pytest.mark.parametrize(
    "wrong",
    ["die 0", "die 7", "difficulty 3", "approach bold", "approach quirk of nobody", "accept maybe",
     "karma of nobody", "regain luck", "move attack-high", "karma"],
)  # fmt: skip
def test_a_card_unknown_to_a_tale_is_reported_with_the_known_ones(wrong: str) -> None:
    playing = [sheet for sheet in SAMPLES.values() if sheet.ruleset == "tricube"]
    assert "there are" in str(unknown("tricube", Choice.parse(wrong), playing))


def test_a_card_unknown_to_the_book_is_reported_with_the_reason() -> None:
    for wrong in ("move attack-hihg", "stance attack", "option 5", "special scooter", "bid 3"):
        assert unknown("unroll", Choice.parse(wrong)), wrong
    assert "Karte" not in str(unknown("unroll", Choice.parse("bid 3")))
    assert unknown("unroll", BLANK) is None
    assert unknown("unroll-problem", Choice("option", "4")) is None


def test_a_family_without_its_own_cards_has_those_of_its_demo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from hub.games import registry

    monkeypatch.setattr(registry, "FAMILIES", (*registry.FAMILIES, TOY))
    ruleset = TOY.games[0].ruleset
    found = {str(each.choice) for each in needs_now(ruleset, ())}
    assert found == {"approach bold", "approach careful"}
    assert unknown(ruleset, Choice("approach", "odd")) is None


def hand(group: str = "ada") -> Hand:
    sheet = SAMPLES["unroll-marit"]
    return Hand(group, (sheet,), tuple(needs_now(sheet.ruleset, [sheet])))


def test_missing_cards_are_added_once_and_nothing_is_taken_away() -> None:
    deck, new = added(Deck(), [hand()], blanks=2)
    assert len(new) == len(deck.cards)
    assert not missing(deck, [hand()])
    assert added(deck, [hand()], blanks=2) == (deck, [])
    fewer = Deck(tuple(card for card in deck.cards if card.choice != deck.cards[3].choice))
    again, (only,) = added(fewer, [hand()])
    assert again.cards[:-1] == fewer.cards
    assert (only.choice, only.group) == (deck.cards[3].choice, "ada")


def test_a_struck_off_card_is_missing_and_one_without_a_set_is_everyones() -> None:
    deck, _ = added(Deck(), [hand()])
    lost = deck.marked(deck.cards[0].tag, Mark.STRUCK)
    assert [each.need.choice for each in missing(lost, [hand()])] == [deck.cards[0].choice]
    shared = Deck(tuple(replace(card, group="") for card in deck.cards))
    assert not missing(shared, [hand("ada"), hand("bo")])


def test_a_spare_strikes_the_old_tag_off() -> None:
    deck = make_deck([HIGH, HIGH, BLANK], group="ada")
    with pytest.raises(NoSuchCard, match="2 of card move attack-high in the set ada: say which"):
        spared(deck, HIGH, "ada")
    with pytest.raises(NoSuchCard, match="no copy 3"):
        spared(deck, HIGH, "ada", 3)
    with pytest.raises(NoSuchCard, match="no card move surrender"):
        spared(deck, Choice("move", "surrender"), "ada")
    after, new = spared(deck, HIGH, "ada", 2)
    assert [card.mark for card in after.cards] == ["", "struck-off", "", ""]
    assert new.tag not in {card.tag for card in deck.cards}
    assert laid(after, {}, deck.cards[1].tag).strange is Signal.STRUCK_OFF
    assert laid(after, {}, new.tag).card == HIGH
    assert laid(after, {}, deck.cards[2].tag).strange is Signal.UNNAMED
    meant, card = named(after, Choice("move", "grapple-low"), "ada")
    assert meant.card(deck.cards[2].tag) == card
    with pytest.raises(NoSuchCard, match="no blank"):
        named(meant, HIGH, "ada")


CARDS = st.builds(
    Card,
    st.integers(0, 40).map("t{}".format),
    st.sampled_from([HIGH, BLANK, Choice("stance", "grapple 3")]),
    st.sampled_from(["", "ada", "bo"]),
    st.sampled_from(Mark),
)
DECKS = st.lists(CARDS, max_size=12, unique_by=lambda card: card.tag).map(
    lambda cards: Deck(tuple(cards))
)


@given(DECKS)
def test_a_deck_split_and_merged_is_the_same(deck: Deck) -> None:
    again = merged([*split(deck).values()])
    assert {card.tag: card for card in again.cards} == {card.tag: card for card in deck.cards}


def test_merging_keeps_the_most_advanced_mark_and_refuses_a_tag_for_two_cards() -> None:
    one = Deck((Card("t", HIGH, "ada", Mark.WRITTEN),))
    other = Deck((Card("t", HIGH, "ada"),))
    assert merged([one, other]) == merged([other, one]) == one
    with pytest.raises(ValueError, match="two different cards"):
        merged([one, Deck((Card("t", BLANK, "ada"),))])


def test_marks_are_read_back_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(
        "# Ours since spring.\n[cards.ada]\n"
        't1 = "move attack-high"   # the red one\nt2 = "stance none"\n\n[cards]\nt3 = "blank"\n'
    )
    deck = read_deck(path)
    after, _ = added(deck.marked("t2", Mark.WRITTEN), [])
    after = Deck(
        (*after.cards, Card("t4", HIGH, "ada", uid="04a1b2c3d4e5f6"), Card("t5", HIGH, "bo"))
    )
    save_deck(path, after)
    assert path.read_text() == (
        "# Ours since spring.\n[cards.ada]\n"
        't1 = "move attack-high"   # the red one\n'
        't2 = { card = "stance none", tag = "written" }\n'
        't4 = { card = "move attack-high", uid = "04a1b2c3d4e5f6" }\n'
        '\n[cards]\nt3 = "blank"\n\n[cards.bo]\nt5 = "move attack-high"\n'
    )
    kept = read_deck(path)
    assert kept.card("t2") == Card("t2", Choice("stance", "none"), "ada", Mark.WRITTEN)
    assert kept.learnt(bytes.fromhex("04a1b2c3d4e5f6")) == "t4"
    assert path.stat().st_mode & 0o777 == 0o600


@given(before=DECKS, after=DECKS)
def test_saving_over_any_deck_gives_the_new_one(
    tmp_path_factory: pytest.TempPathFactory, before: Deck, after: Deck
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    write_deck(path, before)
    save_deck(path, after)
    assert {c.tag: c for c in read_deck(path).cards} == {c.tag: c for c in after.cards}


def test_faults_in_marks_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(
        '[cards]\nt1 = { card = "move x", tag = "done" }\nt2 = { card = "move x", uid = "4" }\n'
        't3 = { card = "move x", uid = "04a1b2c3" }\nt4 = { card = "move x", uid = "04a1b2c3" }\n'
        't5 = { card = "move x", colour = "red" }\n'
    )
    with pytest.raises(Faulty) as caught:
        read_deck(path)
    told = [str(each).removeprefix(f"{path}:") for each in caught.value.faults]
    starts = [
        "2: cards.t1.tag: the tag of a card is intended, written or struck-off",
        "3: cards.t2.uid: a uid is",
        "5: cards.t4: this uid already stands",
        "6: cards.t5.colour: ",
    ]
    assert len(told) == len(starts)
    assert all(line.startswith(start) for line, start in zip(told, starts, strict=True)), told


def test_several_files_are_one_deck_and_a_tag_is_in_one_of_them(tmp_path: Path) -> None:
    for name, text in {"a": 't1 = "move x"', "b": 't2 = "move y"', "c": 't1 = "move z"'}.items():
        (tmp_path / f"{name}.toml").write_text(f"[cards]\n{text}\n")
    a, b, c = (tmp_path / f"{name}.toml" for name in "abc")
    assert [card.tag for card in read_decks([a, b]).cards] == ["t1", "t2"]
    with pytest.raises(
        Faulty, match=r"c\.toml: cards\.t1: this tag already stands for another card in .*a\.toml"
    ):
        read_decks([a, b, c])
