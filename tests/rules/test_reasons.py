"""Reasons are values: each code that the hub gives has a sentence in every language."""

import json
from importlib.resources import files
from itertools import combinations

import pytest

from hub.games.triangle import reasons as triangle
from hub.kernel.catalogues import COMMON, catalogue, languages
from hub.kernel.reasons import Reason, together
from tests.support.reasons import PACKAGES, given, places, sentences, words

LANGUAGES = languages()


@pytest.mark.parametrize("language", LANGUAGES)
class TestCatalogue:
    def test_every_reason_has_a_sentence_and_every_sentence_a_reason(self, language: str) -> None:
        assert sentences(language).keys() == {code for code, *_ in given()}

    def test_common_reasons_are_in_the_common_catalogue(self, language: str) -> None:
        common = {code for code, *_, package in given() if package == COMMON}
        assert common <= sentences(language, COMMON).keys()

    @pytest.mark.parametrize("package", PACKAGES[1:])
    def test_a_family_has_only_its_own_reasons(self, language: str, package: str) -> None:
        others = {code for code, *_, given_by in given() if given_by != package}
        assert not sentences(language, package).keys() & others

    def test_a_sentences_placeholders_match_the_given_values(self, language: str) -> None:
        known = sentences(language)
        odd = [(where, code) for code, keys, where, _ in given() if places(known[code]) != keys]
        assert odd == []

    @pytest.mark.parametrize("package", PACKAGES)
    def test_every_language_has_the_words_of_english(self, language: str, package: str) -> None:
        assert words(language, package).keys() == words("en", package).keys()

    @pytest.mark.parametrize("package", PACKAGES)
    @pytest.mark.parametrize("name", ["pages", "reasons"])
    def test_no_key_appears_twice(self, language: str, package: str, name: str) -> None:
        file = files(package).joinpath("catalogues", f"{name}.{language}.json")
        text = file.read_text("utf-8") if file.is_file() else "{}"
        keys = [key for key, _ in json.loads(text, object_pairs_hook=list)]
        assert [key for key in keys if keys.count(key) > 1] == []

    @pytest.mark.parametrize("name", ["pages", "reasons"])
    def test_no_key_is_in_two_packages(self, language: str, name: str) -> None:
        for one, other in combinations(PACKAGES, 2):
            said = catalogue(name, language, one).keys() & catalogue(name, language, other).keys()
            assert said == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_english_uses_the_books_own_words(package: str) -> None:
    assert [key for key, word in words("en", package).items() if key != f"word.{word}"] == []


def test_a_reason_is_rendered_with_its_values() -> None:
    advice = triangle.Reason("may-play", who="ada", moves=["attack-high", "surrender"])
    reason = triangle.Reason("move-unknown", who="ada", move="defend-low", advice=advice)
    assert str(reason) == "ada does not know defend-low (ada may play: attack-high, surrender)"
    assert [str(triangle.Reason("follow-ups", count=count)) for count in (1, 2)] == [
        "1 follow-up",
        "2 follow-ups",
    ]
    ways = ["idea", "belief", "flaw"]
    told = triangle.Reason("told-with", ways=ways, way="veto")
    assert str(told).count("idea, belief or flaw") == 1
    assert str(together([Reason("paused"), triangle.Reason("problem-over")])).count("; ") == 2
    assert str(Reason("of-another-family", tokens=3)) == "of-another-family 3"


def test_a_family_may_give_common_reasons() -> None:
    assert str(triangle.Reason("paused")) == str(Reason("paused"))
    assert triangle.Reason("paused") == Reason("paused")
    assert str(Reason("may-play", who="ada", moves=[])).startswith("may-play"), "it is no family's"
