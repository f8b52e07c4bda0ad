"""The pages' sentences: every used one exists, and every existing one is used."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import hub
import hub.web
from hub.games import registry
from hub.games.step import Step
from hub.games.tourists.rules import game as tourists_steps
from hub.games.triangle.rules import special_steps
from hub.games.triangle.rules import steps as triangle_steps
from hub.games.triangle.rules.conflict import Ending, Why
from hub.games.triangle.rules.effects import EFFECTS
from hub.games.triangle.rules.problem import steps as problem_steps
from hub.games.triangle.rules.special_steps import AIM, GAIN, REPLACE, SPECIALS, TARGET
from hub.games.triangle.rules.steps import FIRST, KILL, MOVE, NEXT, OPPONENT, SPLIT, STANCE, VERDICT
from hub.games.tricube.rules import steps as tricube_steps
from hub.kernel.catalogues import catalogue, languages
from hub.table.signals import Signal
from tests.support.page_files import page_files

STATIC = Path(hub.web.__file__).parent / "static"
LANGUAGES = languages()
ALL = {language: registry.catalogue("pages", language) for language in LANGUAGES}
TEXTS = ALL["en"]
SCRIPTS = "\n".join(file.read_text() for path, file in page_files().items() if path.endswith(".js"))
STILL = "\n".join(
    path.read_text() for path in (*STATIC.glob("*.html"), *STATIC.parent.glob("*.py"))
)
"""Static pages, and the code that sends them."""
HUB = Path(hub.__file__).parent
TELLERS = "\n".join(
    file.read_text()
    for file in (
        *HUB.glob("table/acts/*.py"),
        HUB / "cli" / "replay.py",
        *HUB.glob("games/**/*.py"),
    )
)
"""What chooses the texts of events in the hub."""
STEPS = (FIRST, OPPONENT, STANCE, MOVE, SPLIT, KILL, NEXT, VERDICT)
STEPS += (SPECIALS, TARGET, REPLACE, AIM, GAIN)
PLURAL = re.compile(r"\.(zero|one|two|few|many)$")
"""The ending of a plural form; a language may have other forms than English."""
PLACE = re.compile(r"\{\w+(?:, (?:and|or))?\}")
ROOM = 2.0
"""How much longer than the English sentence one may be, not counting a word or two."""
WORDS = 14
OWN = {
    *("attack", "defend", "grapple", "surrender", "stance.slot", "conflict"),
    *("own.energy", "own.combos", "own.background", "own.veto", "loss.disadvantage"),
    *("own.trait.belief", "own.trait.flaw", "own.trait.goal"),
}
"""A family's texts that are single words of its books."""
SAID = {
    *("attack", "defend", "grapple", "high", "mid", "low", "jump", "spin"),
    *("specials", "target", "aim", "gain", "stance", "move", "split"),
    *("locked", "paused", "idle", "waiting"),
}
"""Keys that are words of the rules and the table, and so appear in no script."""


def test_every_literal_text_exists() -> None:
    used = set(re.findall(r"\b(?:t|plain)\(\s*\"([\w.-]+)\"", SCRIPTS))
    assert len(used) > 50
    assert used <= set(TEXTS)


def test_texts_used_by_all_pages_are_common() -> None:
    """Pages outside the families may use only common texts by name."""
    core = "\n".join(path.read_text() for path in STATIC.glob("js/**/*.js"))
    used = set(re.findall(r"\b(?:t|plain)\(\s*\"([\w.-]+)\"", core))
    assert len(used) > 50
    assert used <= set(catalogue("pages", "en"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["pages", "reasons"])
def test_common_texts_contain_no_word_of_a_family(name: str, language: str) -> None:
    """That is: the words by which its own pages name things of its books."""
    own = {ALL[language][key].removesuffix("s") for key in OWN}
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, own))})s?\b", re.IGNORECASE)
    common = catalogue(name, language).items()
    assert [(key, text) for key, text in common if named.search(PLACE.sub("", text))] == []


def test_apostrophes_are_typographic() -> None:
    """Straight ones only quote what a user types."""
    files = sorted(Path(hub.__file__).parent.rglob("catalogues/*.en.json"))
    said = [each for file in files for each in json.loads(file.read_text()).items()]
    texts = [text for key, text in said if key != f"word.{text}"]
    assert len(texts) > 2000
    typed = re.compile(r"(?<![\w}])'[^']+'(?!\w)")
    assert [text for text in texts if "'" in typed.sub("", text)] == []


def test_every_text_is_used() -> None:
    made = re.findall(r"`([\w.-]*)\$\{[^}]+\}([\w.-]*)`", SCRIPTS)
    patterns = [
        re.compile(rf"{re.escape(a)}[\w.-]+{re.escape(b)}") for a, b in made if "." in a + b
    ]
    composed = re.findall(r"\bf\"([\w.-]+\.[\w.-]*\{[^\"\n]*)\"", TELLERS)
    patterns += [
        re.compile(re.sub(r"\\{.*?\\}", r"[\\w.-]*", re.escape(each))) for each in composed
    ]
    literal = set(re.findall(r"\"([\w.-]+)\"", SCRIPTS + STILL + TELLERS))
    unused = [
        key
        for key in map(without_plural, TEXTS)
        if key not in literal | SAID and not any(p.fullmatch(key) for p in patterns)
    ]
    assert unused == []


def test_every_composed_text_exists() -> None:
    """A text that a script composes from a prefix and a word has at least one form."""
    made = set(re.findall(r"\bt\(`([\w.-]+)\$\{[^}]+\}([\w.-]*)`", SCRIPTS))
    assert len(made) > 10
    for before, after in made:
        assert [key for key in TEXTS if key.startswith(before) and key.endswith(after)], before


def test_every_value_of_the_rules_and_the_table_has_words() -> None:
    assert {step.name for step in STEPS} | {"over"} <= set(TEXTS)
    assert {f"why.{why}" for why in Why} <= set(TEXTS)
    assert {f"over.{reason}" for reason in Ending} <= set(TEXTS)
    assert {f"signal.{signal}" for signal in Signal} <= set(TEXTS)
    assert {f"effect.{effect}" for effect in EFFECTS} <= set(TEXTS)
    assert {f"word.does.{effect}" for effect in EFFECTS} <= set(TEXTS)


@pytest.mark.parametrize(
    ("prefix", "steps"),
    [
        ("between.at-step.", (triangle_steps, special_steps, problem_steps)),
        ("tourists.at-step.", (tourists_steps,)),
        ("tricube.at-step.", (tricube_steps,)),
    ],
)
def test_each_step_has_words_for_leaving_it_undecided(prefix: str, steps: tuple[Any, ...]) -> None:
    """A scene can be closed at any step."""
    found = (value for module in steps for value in vars(module).values())
    each = (one for value in found for one in (value if isinstance(value, tuple) else (value,)))
    names = {step.name for step in each if isinstance(step, Step) and not step.settled}
    assert len(names) > 5
    assert names == {key.removeprefix(prefix) for key in TEXTS if key.startswith(prefix)}


@pytest.mark.parametrize("language", LANGUAGES)
class TestLanguage:
    """The checks for a new language; docs/develop/translating.md says how to make one."""

    def test_it_has_the_texts_of_english(self, language: str) -> None:
        texts = {without_plural(key) for key in ALL[language]}
        english = {without_plural(key) for key in TEXTS}
        assert sorted(english - texts) == [], "missing"
        assert sorted(texts - english) == [], "unknown"

    def test_its_placeholders_are_those_of_english(self, language: str) -> None:
        odd = {
            key: text
            for key, text in ALL[language].items()
            if set(PLACE.findall(text)) != set(PLACE.findall(TEXTS[without_plural(key)]))
        }
        assert odd == {}

    def test_it_fits_where_english_fits(self, language: str) -> None:
        long = {
            key: text
            for key, text in ALL[language].items()
            if len(text) > ROOM * len(TEXTS[without_plural(key)]) + WORDS
        }
        assert long == {}


def without_plural(key: str) -> str:
    """Return the plain key of a plural form, or any other key unchanged."""
    plain = PLURAL.sub("", key)
    return plain if plain in TEXTS else key
