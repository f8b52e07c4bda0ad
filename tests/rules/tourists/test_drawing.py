"""The hub's draws are uniform and can be recomputed from public bytes."""

from collections import Counter
from hashlib import sha256

import pytest

from hub.games.tourists.rules.deck import (
    ATTRIBUTES,
    EXCUSES,
    TRIUMPHS,
    WORDS,
    Card,
    card_of,
    drawn_card,
)

WHOLE = sorted([*EXCUSES, *TRIUMPHS, *(n for all_ in ATTRIBUTES.values() for n in all_)])


@pytest.mark.parametrize("numbers", [WHOLE, WHOLE[7:], [4], [9, 21], range(1000)], ids=len)
def test_each_card_has_equally_many_words(numbers):
    # Not a sample: every possible word.
    words = Counter(card_of(word, 0, numbers) for word in range(WORDS))
    none = words.pop(None, 0)
    assert {*words} == {Card(number) for number in numbers}
    assert {*words.values()} == {WORDS // len(numbers)}
    assert none == WORDS % len(numbers) < len(numbers)


def test_each_card_is_upright_as_often_as_reversed():
    ways = Counter(card_of(3, way, WHOLE) for way in range(256))
    assert ways == {Card(WHOLE[3]): 128, Card(WHOLE[3], True): 128}


def test_the_card_can_be_recomputed_independently():
    # Independently, by the steps in the module's docstring.
    chance, numbers = bytes(range(32)), WHOLE
    for who in ("Ada", "Žofie", "the night shift"):
        counter = 0
        while True:
            said = sha256(chance + who.encode("utf-8") + counter.to_bytes(4, "big")).hexdigest()
            if int(said[:4], 16) < 65536 // len(numbers) * len(numbers):
                break
            counter += 1
        place = int(said[:4], 16) % len(numbers)
        expected = Card(numbers[place], said[5] in "13579bdf")
        assert drawn_card(chance, who, numbers) == expected


def test_a_word_without_a_card_is_skipped():
    # Almost every second word gives no card, so the counter is needed.
    numbers = range(WORDS // 2 + 1)
    first = [
        int.from_bytes(sha256(bytes([n]) * 32 + b"Ada" + bytes(4)).digest()[:2], "big")
        for n in range(64)
    ]
    assert any(word >= len(numbers) for word in first)
    for n, word in enumerate(first):
        found = drawn_card(bytes([n]) * 32, "Ada", numbers)
        assert (found.number == word) is (word < len(numbers))


def test_the_card_depends_on_the_drawer_and_on_chance():
    chance = b"\x07" * 32
    assert len({drawn_card(chance, f"player {n}", WHOLE) for n in range(50)}) > 25
    assert len({drawn_card(bytes([n]) * 32, "Ada", WHOLE) for n in range(50)}) > 25


@pytest.mark.parametrize("count", [0, WORDS + 1])
def test_an_empty_or_oversized_deck_is_refused(count):
    with pytest.raises(ValueError, match=f"cannot draw from {count} cards"):
        drawn_card(bytes(32), "Ada", range(count))
