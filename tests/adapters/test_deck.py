"""Deck files: their contents, the faults reported, and how they are written."""

import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.cards.deck import MAX_CARDS, Card, Deck, make_deck, read_deck, read_decks, write_deck
from hub.games.game import Choice
from hub.kernel.faults import Faulty
from hub.wire.tags import tag_bytes

HIGH = Choice("move", "attack-high")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deck.toml"


def problems(path: Path, text: str) -> list[str]:
    path.write_text(text)
    with pytest.raises(Faulty) as caught:
        read_deck(path)
    return [str(problem).removeprefix(f"{path}:") for problem in caught.value.faults]


def test_a_tag_stands_for_its_card(path: Path) -> None:
    path.write_text(
        '[cards]\nt0 = "stance none"\n[cards.ada]\n"-_9" = "move attack-high"\n'
        't2 = "move attack-high"\n'
    )
    deck = read_deck(path)
    assert deck.card("t0") == Card("t0", Choice("stance", "none"))
    assert deck.card("-_9") == Card("-_9", HIGH, "ada")
    assert deck.card("t2") == Card("t2", HIGH, "ada")
    assert deck.card("t3") is deck.card("") is None
    assert [card.group for card in deck.cards] == ["", "ada", "ada"]


def test_every_fault_is_reported_with_its_line(path: Path) -> None:
    told = problems(
        path,
        """\
[cards]
t1 = "move attack-high"
"t 2" = "move attack-high"
t3 = 7
t4 = ""
t5 = "move \\u0007"
[cards.ada]
t1 = "stance none"
[cards."A B"]
t6 = "stance none"
[crads]
""",
    )
    starts = [
        "3: cards.t 2: a tag is 1 to 64 of",
        "4: cards.t3: a tag stands for a text",
        "5: cards.t4: a choice is one word",
        "6: cards.t5: a choice is one word",
        "8: cards.ada.t1: tag t1 already stands for another card",
        "9: cards.A B: the name of a set",
        "11: crads: 'crads' is unknown here",
    ]
    assert len(told) == len(starts)
    for line, start in zip(told, starts, strict=True):
        assert line.startswith(start)


def test_the_same_tag_twice_in_one_set(path: Path) -> None:
    (told,) = problems(path, '[cards]\nt1 = "a"\nt1 = "b"\n')
    assert told.startswith("3: is not TOML: this name is already used above")


def test_a_deck_without_cards_and_one_with_too_many(path: Path) -> None:
    assert "under [cards]" in problems(path, "")[0]
    assert "under [cards]" in problems(path, "cards = 3")[0]
    many = "[cards]\n" + "".join(f't{n} = "a b"\n' for n in range(MAX_CARDS + 1))
    assert problems(path, many) == ["1: cards: holds 10001 cards; the limit is 10000"]
    path.write_text("[cards]\n")
    assert read_deck(path).cards == ()


def test_a_made_deck_has_a_tag_for_every_copy() -> None:
    deck = make_deck([HIGH, HIGH, Choice("stance", "none")])
    assert len({card.tag for card in deck.cards}) == 3
    assert all(len(tag_bytes(card.tag)) == 16 for card in deck.cards)
    assert [deck.card(card.tag) for card in deck.cards] == [*deck.cards]
    known = make_deck([HIGH], bytes, "ada")
    assert known.cards == (Card("A" * 22, HIGH, "ada"),)


def test_a_decks_repr_shows_no_card(path: Path) -> None:
    deck = make_deck([HIGH])
    assert "attack" not in repr(deck) + str(deck) + repr(deck.cards)


def test_writing_is_private_and_leaves_nothing_else(path: Path) -> None:
    path.write_text("older")
    path.chmod(0o644)
    write_deck(path, make_deck([HIGH]))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_deck_that_cannot_be_written_leaves_the_old_one(path: Path) -> None:
    path.write_text("older")
    card = Card("t", HIGH)
    for wrong in (
        Deck((card, card)),
        Deck((Card("t 1", HIGH),)),
        Deck((Card("t", Choice("two words", "x")),)),
        Deck((Card("t", HIGH, "A"),)),
    ):
        with pytest.raises(ValueError, match=r"deck|set"):
            write_deck(path, wrong)
    with pytest.raises(OSError, match="No such file"):
        write_deck(path.parent / "none" / "deck.toml", Deck())
    assert path.read_text() == "older"
    assert list(path.parent.iterdir()) == [path]


WORDS = st.text(max_size=40).filter(str.isprintable).map(lambda text: text.strip(" "))
CHOICES = st.builds(lambda kind, value: f"{kind} {value}", st.sampled_from(["move", "x"]), WORDS)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(CHOICES, st.sampled_from(["", "ada", "b-0"])), max_size=12))
def test_round_trip(path: Path, written: list[tuple[str, str]]) -> None:
    cards = sorted(
        (Card(f"t{n}", Choice.parse(text), group) for n, (text, group) in enumerate(written)),
        key=lambda card: card.group,
    )
    write_deck(path, Deck(tuple(cards)))
    once = path.read_bytes()
    assert read_deck(path) == Deck(tuple(cards))
    write_deck(path, read_deck(path))
    assert path.read_bytes() == once


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from([*"ab=[]{}\"'.#\n\\1-_ é\0", "[cards]\n", 't = "move x"\n', "cards"])
    ).map("".join)
)
def test_any_text_raises_nothing_else(path: Path, text: str) -> None:
    path.write_text(text)
    try:
        read_deck(path)
    except Faulty as error:
        assert error.faults


def two_ends(**more: str) -> str:
    return "[cards]\n" + "\n".join(f"{tag} = {{ {card} }}" for tag, card in more.items())


def test_two_tags_are_one_card(path: Path) -> None:
    path.write_text(
        two_ends(
            up='card = "drawn 39 upright", of = "39"',
            down='card = "drawn 39 reversed", of = "39", tag = "written"',
            single='card = "pass", tag = "written"',
        )
    )
    deck = read_deck(path)
    up, down, single = deck.cards
    assert (up.of, down.of, single.of) == ("39", "39", "")
    assert deck.other_end(up) is down and deck.other_end(down) is up
    assert deck.other_end(single) is None
    write_deck(path, deck)
    assert read_deck(path) == deck


@pytest.mark.parametrize(
    ("cards", "place", "starts"),
    [
        ({"a": 'card = "x 1", of = "39"'}, "2: cards.a.of", 'of = "39" is on 1 tag'),
        (
            {tag: f'card = "x {tag}", of = "39"' for tag in "abc"},
            "4: cards.c.of",
            'of = "39" is on 3 tags',
        ),
        (
            dict.fromkeys("ab", 'card = "x 1", of = "39"'),
            "3: cards.b.of",
            "both ends of card 39 mean x 1",
        ),
        (
            {"a": 'card = "x 1", of = "39", tag = "struck-off"', "b": 'card = "x 2", of = "39"'},
            "3: cards.b.of",
            "one end of card 39 is struck off",
        ),
        ({"a": 'card = "x 1", of = "No. 39"'}, "2: cards.a.of", "of names a card"),
        ({"a": 'card = "x 1", of = 39'}, "2: cards.a.of", "of names a card"),
    ],
)
def test_ends_that_make_no_card_are_reported(
    path: Path, cards: dict[str, str], place: str, starts: str
) -> None:
    (told,) = problems(path, two_ends(**cards))
    assert told.startswith(f"{place}: {starts}")


def test_the_ends_of_a_card_are_of_one_set_and_in_one_file(path: Path, tmp_path: Path) -> None:
    (told,) = problems(
        path,
        '[cards]\na = { card = "x 1", of = "39" }\n[cards.ada]\nb = { card = "x 2", of = "39" }\n',
    )
    assert told.startswith("4: cards.ada.b.of: the two ends of card 39 are in two sets")
    other = tmp_path / "other.toml"
    for file, tags in ((path, "ab"), (other, "cd")):
        ends = {tag: f'card = "x {n}", of = "39"' for n, tag in enumerate(tags)}
        file.write_text(two_ends(**ends))
    with pytest.raises(Faulty) as caught:
        read_decks([path, other])
    assert [str(fault.place[-1]) for fault in caught.value.faults] == ["of", "of"]
    assert str(path) in str(caught.value)


def test_a_deck_with_half_a_card_is_not_written(path: Path) -> None:
    with pytest.raises(ValueError, match="two ends"):
        write_deck(path, Deck((Card("a", HIGH, of="39"),)))
    assert not path.exists()
