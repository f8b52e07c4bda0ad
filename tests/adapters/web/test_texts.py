"""The pages' sentences: each that is used is there, each that is there is used."""

import json
import re
from pathlib import Path

import hub.web
from hub.rules.triangle.conflict import Reason, Why
from hub.rules.triangle.special_steps import AIM, GAIN, REPLACE, SPECIALS, TARGET
from hub.rules.triangle.steps import FIRST, KILL, MOVE, NEXT, OPPONENT, SPLIT, STANCE, VERDICT
from hub.table.desk import Signal

STATIC = Path(hub.web.__file__).parent / "static"
TEXTS = json.loads((STATIC / "texts" / "en.json").read_text())
SCRIPTS = "\n".join(path.read_text() for path in sorted(STATIC.glob("js/**/*.js")))
STEPS = (FIRST, OPPONENT, STANCE, MOVE, SPLIT, KILL, NEXT, VERDICT)
STEPS += (SPECIALS, TARGET, REPLACE, AIM, GAIN)


def test_every_literal_text_is_there() -> None:
    used = set(re.findall(r"\b(?:t|plain)\(\"([\w.-]+)\"", SCRIPTS))
    assert len(used) > 50
    assert used <= set(TEXTS)


def test_every_text_is_used() -> None:
    made = re.findall(r"`([\w.-]*)\$\{[^}]+\}([\w.-]*)`", SCRIPTS)
    patterns = [
        re.compile(rf"{re.escape(a)}[\w.-]+{re.escape(b)}") for a, b in made if "." in a + b
    ]
    literal = set(re.findall(r"\"([\w.-]+)\"", SCRIPTS))
    words = {"attack", "defend", "grapple", "high", "mid", "low", "jump", "spin"}
    words |= {
        "specials",
        "target",
        "aim",
        "gain",
        "stance",
        "move",
        "locked",
        "paused",
        "idle",
        "waiting",
    }
    unused = [
        key
        for key in TEXTS
        if key not in literal | words and not any(p.fullmatch(key) for p in patterns)
    ]
    assert unused == []


def test_whatever_the_rules_and_the_table_say_has_words() -> None:
    assert {step.name for step in STEPS} | {"over"} <= set(TEXTS)
    assert {f"why.{why}" for why in Why} <= set(TEXTS)
    assert {f"over.{reason}" for reason in Reason} <= set(TEXTS)
    assert {f"signal.{signal}" for signal in Signal} <= set(TEXTS)


def test_the_languages_that_are_offered_are_there() -> None:
    languages = json.loads((STATIC / "texts" / "languages.json").read_text())
    for language in languages:
        texts = json.loads((STATIC / "texts" / f"{language}.json").read_text())
        assert texts.keys() == TEXTS.keys()
        for key, text in texts.items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", TEXTS[key]))
