"""Reasons are values: each code that the hub gives has a sentence in every language."""

from pathlib import Path

import pytest

import hub.catalogues
from hub.catalogues import languages
from hub.rules.reasons import Reason, together
from tests.support.reasons import given, places, sentences, words

TEXTS = Path(hub.catalogues.__file__).parent
LANGUAGES = languages()


@pytest.mark.parametrize("language", LANGUAGES)
class TestCatalogue:
    def test_every_reason_has_a_sentence_and_every_sentence_a_reason(self, language: str) -> None:
        assert sentences(TEXTS, language).keys() == {code for code, _, _ in given()}

    def test_its_places_are_the_values_that_are_given(self, language: str) -> None:
        known = sentences(TEXTS, language)
        odd = [(where, code) for code, keys, where in given() if places(known[code]) != keys]
        assert odd == []

    def test_its_words_are_those_of_english(self, language: str) -> None:
        assert words(TEXTS, language).keys() == words(TEXTS, "en").keys()


def test_english_says_the_words_of_the_books_as_they_are() -> None:
    assert [key for key, word in words(TEXTS, "en").items() if key != f"word.{word}"] == []


def test_a_reason_is_said_with_its_values() -> None:
    advice = Reason("may-play", who="ada", moves=["attack-high", "surrender"])
    reason = Reason("move-unknown", who="ada", move="defend-low", advice=advice)
    assert str(reason) == "ada does not know defend-low (ada may play: attack-high, surrender)"
    assert [str(Reason("follow-ups", count=count)) for count in (1, 2)] == [
        "1 follow-up",
        "2 follow-ups",
    ]
    ways = ["idea", "belief", "flaw"]
    assert str(Reason("told-with", ways=ways, way="veto")).count("idea, belief or flaw") == 1
    assert str(together([Reason("paused"), Reason("gm-decides")])).count("; ") == 2
    assert str(Reason("of-another-family", tokens=3)) == "of-another-family 3"
