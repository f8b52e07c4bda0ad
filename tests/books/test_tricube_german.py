"""One word per concept in a tale's German.

A book's English word always has the same German word, on pages, on paper and in reasons.
"""

import re

import pytest

from hub.kernel.catalogues import catalogue

PACKAGE = "hub.games.tricube"
WORDS = {
    r"karma": "Karma", r"resolve": "Entschlossenheit", r"effort tokens?": "Aufwandsmarke",
    r"perks?": "Talent", r"quirks?": "Macke", r"afflictions?": "Leiden",
    r"challenges?": "Herausforderung", r"complications?": "Komplikation",
    r"difficulty": "Schwierigkeit", r"defen[sd]\w*": "erteidig", r"critical failures?": "Patzer",
    r"concept": "Konzept", r"sessions?": "Sitzung", r"turn": "Zug", r"agile": "link",
    r"brawny": "räftig", r"crafty": "ewitzt", r"permanent": "dauerhaft",
    r"retired?": "scheide|schied", r"overcome": "ezwungen", r"dice|die(?! after| first)": "ürfel",
    r"the GM|The GM": "SL",
}  # fmt: skip
OTHERS = re.compile(
    r"Spielleit|Runde|Figur|Marker|Abwehr|kritisch|Schicksal|Schwäche|Proben?\b|Klug\b"
)
"""Wrong synonyms for these concepts."""


@pytest.mark.parametrize("name", ["pages", "cards", "reasons"])
def test_each_concept_has_one_word(name: str) -> None:
    english, german = (catalogue(name, language, PACKAGE) for language in ("en", "de"))
    wrong = [
        (key, word, german[key])
        for key, text in english.items()
        for of, word in WORDS.items()
        if re.search(rf"\b({of})\b", re.sub(r"\{[^}]*\}", "", text))
        and not re.search(word, german[key])
    ]
    assert wrong == []
    assert [text for text in german.values() if OTHERS.search(text)] == []
