"""Events told in a language, by texts that all exist and lack nothing."""

import re
from functools import cache

from hub.games import registry
from hub.games.registry import texts, words_of
from hub.kernel.catalogues import languages
from hub.kernel.texts import Said
from hub.table import acts as r

LANGUAGES = languages()
PLACE = re.compile(r"\{(\w+)(?:, (?:and|or))?\}")


def in_words(event: r.Event, ruleset: str = "unroll", language: str = "en") -> str:
    told = event.told(words_of(ruleset))
    return sentences(told, language)


def sentences(told: "list[Said] | tuple[Said, ...]", language: str = "en") -> str:
    for each in told:
        check(each, language)
    return " ".join(map(texts(language).sentence, told))


def check(told: object, language: str) -> None:
    """Each key has a text in the language, and each of its places is filled."""
    if isinstance(told, list):
        for each in told:
            check(each, language)
    if isinstance(told, Said):
        assert told.key in catalogue_of(language), f"{told.key} has no text in {language}"
        assert places(told.key, language) <= {*told.places}, told
        for each in told.places.values():
            check(each, language)


def places(key: str, language: str) -> set[str]:
    """The names of a text's places."""
    return {*PLACE.findall(catalogue_of(language)[key])}


def catalogue_of(language: str) -> dict[str, str]:
    """Every text for pages and terminals, the families' included."""
    return _catalogue(registry.FAMILIES, language)


@cache
def _catalogue(families: object, language: str) -> dict[str, str]:
    return registry.catalogue("pages", language) | registry.catalogue("terminal", language)
