"""What each family says: every choice, deed and overrule has sentences in every language, and no
sentence stands in a module."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import hub
from hub.games.game import Choice
from hub.games.overrules import tag
from hub.games.registry import FAMILIES, texts, words_of
from hub.games.telling import because
from hub.games.tourists.rules.overrules.said import WORD
from hub.games.triangle.rules.consequences import of_conflict
from hub.kernel.texts import said
from tests.support.specialtalk import moves, stances, table
from tests.support.told import LANGUAGES, catalogue_of, places, sentences

HUB = Path(hub.__file__).parent
ACTS, REPLAY = HUB / "table" / "acts", HUB / "cli" / "replay.py"
TELLERS = (
    *ACTS.glob("*.py"),
    HUB / "games" / "telling.py",
    HUB / "games" / "stage.py",
    HUB / "wire" / "chronicle.py",
    REPLAY,
    *(
        HUB / "games" / family / f"{name}.py"
        for family, names in {
            "triangle": ("words", "naming", "deeds_told", "stage"),
            "tourists": ("words", "naming", "held", "stage"),
            "tricube": ("words", "chosen", "deeds_told", "stage"),
        }.items()
        for name in names
    ),
)
"""What says what happened."""

ADA: dict[str, Any] = {"name": "ada"}
CHOICES = {
    "unroll": (
        *("active ada", "agreed ada", "opponent ninja", "split attack 2 defend 1", "aim grapple 1"),
        *("gain attack 1", "kill yes", "kill no", "replace yes", "replace no", "target bo"),
        *("verdict players", "winner others", "use", "end-combo", "decider bo", "describe idea"),
        *("substitute idea", "veto", "veto no", "first bo", "next-highest", "let-be"),
        *("outcome stands", "outcome success", "outcome failure"),
    ),
    "tourists": (
        *("drawn 39 reversed", "draw", "pass", "tactics", "tactics we hide", "told"),
        *("told we won", "let-be", "let-be-all", "ask-again", "turn", "turn News", "reject"),
        *("reject News", "cover 33 upright", "cover 33 upright News Crew", "whose News"),
        *("because aspect Fast", "because weakness Slow", "because loss 48", "because no"),
        *("loss 48", "losses", "losses 48", "losses 48,13,21 limps", "go-on", "break-off"),
        *("order a,b", "concede", "reframe we run", "reframe yes", "reframe no"),
    ),
}
COMMON: tuple[dict[str, Any], ...] = (
    *({"do": f"{do}-countdown", "name": "the-tide"} for do in ("begin", "mark", "unmark", "erase")),
    {"do": "stakes", "words": "The boat"},
    {"do": "stakes"},
    {"do": "wish"} | ADA,
    {"do": "decline"} | ADA,
    {"do": "decline", "because": "not yet"} | ADA,
)
LESSON = {
    "move": "attack-high",
    "variant": {"id": "attack-low", "variant": "+1"},
    "combos": [{"start": "attack-high", "move": "defend-low"}],
    "energy": "attack",
    "special": "wax-on-attack",
    "called": "Thunder",
    "regain": "veto",
    "goal": "The sea",
}
DEEDS: dict[str, tuple[dict[str, Any], ...]] = {
    "unroll": (
        *({"do": "rest", "kind": kind} for kind in ("breather", "short", "full")),
        {"do": "recover"} | ADA,
        {"do": "recover", "type": "attack", "points": 2} | ADA,
        {"do": "lose", "type": "attack", "points": 2} | ADA,
        *(
            {"do": do, "trait": trait} | ADA
            for do in ("mark", "unmark")
            for trait in ("belief", "flaw", "goal")
        ),
        {"do": "rename", "move": "attack-high", "called": "Thunder"} | ADA,
        {"do": "rewrite", "trait": "goal", "words": "The sea"} | ADA,
        {"do": "background", "background": "sailor", "called": "mate"} | ADA,
        {"do": "level-up", "choices": LESSON} | ADA,
        {"do": "replace", "by": "bo"} | ADA,
        {"do": "join"} | ADA,
        {"do": "wish", "wants": {"do": "level-up", "choices": LESSON} | ADA} | ADA,
        {"do": "overrule", "holds": {"what": "dead", "dead": True} | ADA, "because": "so."},
    ),
    "tourists": (
        {"do": "gain-weakness", "words": "limps"} | ADA,
        {"do": "heal", "words": "limps"} | ADA,
        {"do": "gain-aspect", "words": "fast"} | ADA,
        {"do": "reserve-is", "cards": [{"number": 39, "reversed": True}]} | ADA,
        {"do": "reserve-is"} | ADA,
        {"do": "is-dead"} | ADA,
        {"do": "is-dead", "dead": False} | ADA,
    ),
    "tricube": (
        {"do": "session"},
        *(
            {"do": "cure", "affliction": "limp", "perks": ["healer"]} | who | instead | ADA
            for who in ({}, {"who": "bo"})
            for instead in ({}, {"complication": "it hurts"})
        ),
        {"do": "recover", "affliction": "limp"} | ADA,
        {"do": "convert", "affliction": "limp"} | ADA,
        {"do": "gain-affliction", "affliction": "limp"} | ADA,
        {"do": "gain-affliction", "affliction": "limp", "lasts": "scene"} | ADA,
        *({"do": do, "what": what, "words": "flies"} | ADA
          for do in ("gain", "lose") for what in ("perk", "quirk")),
        {"do": "tokens-are", "karma": 0, "resolve_max": 4} | ADA,
        {"do": "sheet-is", "concept": "mayor", "perks": ["rich"], "quirks": []} | ADA,
        {"do": "sheet-is", "style": "mental", "description": "", "afflictions": [{"name": "gout"}]}
        | ADA,
        {"do": "is-dead"} | ADA,
        {"do": "is-dead", "dead": False} | ADA,
        {"do": "join"} | ADA,
        {"do": "take-place", "of": "bo"} | ADA,
    ),
}  # fmt: skip
HOLDS: dict[str, tuple[dict[str, Any], ...]] = {
    "unroll": (
        {"what": "energy", "energy": {"attack": 3}} | ADA,
        {"what": "out", "out": True} | ADA,
        {"what": "dead", "dead": False} | ADA,
        {"what": "disadvantage", "moves": ["attack-high", "surrender"]} | ADA,
        {"what": "disadvantage", "moves": []} | ADA,
        {"what": "special", "special": "wax-on-attack", "used": True} | ADA,
        {"what": "turns", "turns": 2} | ADA,
        {"what": "free"} | ADA,
        {"what": "combo", "against": "bo", "cards": [{"name": "ada", "move": "attack-low"}]},
        {"what": "combo", "against": "", "cards": []},
        {"what": "turn", "winner": "ada"},
        {"what": "turn", "winner": None},
        {"what": "loss", "points": 3} | ADA,
        {"what": "end", "winner": "players"},
        {"what": "end", "winner": None},
        {"what": "decider"} | ADA,
        {"what": "option", "option": 2} | ADA,
        {"what": "outcome", "success": True},
        {"what": "no-veto"},
        {"what": "zero", "types": ["attack", "grapple"]} | ADA,
        {"what": "sits-out", "sits_out": True} | ADA,
        {"what": "veto", "left": False} | ADA,
        {"what": "background", "background": "sailor", "left": 2} | ADA,
        {"what": "rested", "rests": ["breather"]} | ADA,
        {"what": "rest"},
    ),
    "tricube": (
        {"what": "dice", "dice": [5, 3]} | ADA,
        {"what": "difficulty", "difficulty": 4} | ADA,
        {"what": "no-roll"},
        {"what": "challenge", "name": "wall", "difficulty": 4, "effort": 3, "left": 1,
         "deadly": True, "over": False},
        {"what": "no-challenge", "name": "wall"},
        {"what": "bypassed", "name": "wall", "who": "ada"},
        {"what": "bypassed", "name": "wall", "who": "ada", "bypassed": False},
        {"what": "tokens", "karma": 2, "resolve_max": 1} | ADA,
        {"what": "out"} | ADA,
        {"what": "out", "out": False} | ADA,
        {"what": "dead"} | ADA,
        {"what": "dead", "dead": False} | ADA,
        {"what": "affliction", "affliction": "arm"} | ADA,
        {"what": "no-affliction", "affliction": "arm"} | ADA,
        {"what": "quirk", "quirk": "vain"} | ADA,
        {"what": "no-quirk", "quirk": "vain"} | ADA,
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
class TestLanguage:
    @pytest.mark.parametrize("ruleset", CHOICES)
    def test_each_choice_has_a_sentence_of_its_own(self, ruleset: str, language: str) -> None:
        words = words_of(ruleset)
        chosen = [words.chosen("ada", Choice.parse(each)) for each in CHOICES[ruleset]]
        assert "gm.log.shown" not in {each.key for each in chosen}
        told = [sentences([each], language) for each in chosen]
        assert not re.search(r"[{}]|None|gm\.|tourists\.", " ".join(told))

    @pytest.mark.parametrize("ruleset", DEEDS)
    def test_each_deed_has_a_sentence_of_its_own(self, ruleset: str, language: str) -> None:
        told = [
            sentences([words_of(ruleset).deed(deed)], language)
            for deed in (*COMMON, *DEEDS[ruleset])
        ]
        assert len({*told}) == len(told)
        assert not re.search(r"[{}]|None|\w\.\w", " ".join(told))

    @pytest.mark.parametrize("ruleset", HOLDS)
    def test_each_overrule_has_a_sentence_of_its_own(self, ruleset: str, language: str) -> None:
        words = words_of(ruleset)
        told = [
            sentences([because(words, {"holds": holds, "because": "so."})], language)
            for holds in HOLDS[ruleset]
        ]
        assert len({*told}) == len(told)
        assert not re.search(r"[{}]|None|\w\.\w|\.\.", " ".join(told))

    def test_terminals_have_the_texts_of_english_with_the_same_places(self, language: str) -> None:
        english, own = catalogue_of("en").keys(), catalogue_of(language).keys()
        assert {key.removesuffix(".one") for key in english ^ own} <= english & own
        for key in english & own:
            assert places(key, language) == places(key, "en"), key


def test_the_samples_hold_every_deed_and_every_overrule() -> None:
    common = {each["do"] for each in COMMON} | {"overrule"}
    for family in FAMILIES:
        (story,) = {type(each): each for each in family.stories}.values() or (None,)
        assert story is not None
        samples = DEEDS[family.games[0].ruleset]
        own = {tag(kind) for kind in story.deeds} - common - NEWCOMERS
        assert {each["do"] for each in samples} - common == own, family.id
    for ruleset, samples in HOLDS.items():
        family = next(each for each in FAMILIES if each.games[0].ruleset == ruleset)
        kinds = {kind for game in family.games for kind in get_args(game.holds_type)}
        assert {tag(kind) for kind in kinds} <= {each["what"] for each in samples}
    assert len(WORD.clauses) == 10, "tests/cli/test_replay_tourists.py has a sample of each"


NEWCOMERS = {"npc", "dismiss"}
"""Deeds told by the event of the character that comes or leaves."""


def test_a_name_and_a_list_are_told_in_each_language() -> None:
    told = said("between.undecided", what=said("gm.log.a.scene"), names=["Ada", said("gm")])
    assert sentences([told]) == "Left undecided: a scene. Still to answer: Ada and the GM."
    assert sentences([told], "de") == "Offen bleibt: eine Szene. Noch gefragt: Ada und die SL."
    assert texts("de")("span.hours", count=1, number=1) == "1 Stunde"


def test_no_sentence_stands_in_what_says_it() -> None:
    """Only keys, ids and separators do: nothing with two words in a row."""
    written = [
        f"{file.relative_to(HUB)}: {text}"
        for file in TELLERS
        for text in _strings(_telling(ast.parse(file.read_text(encoding="utf-8")), file))
        if re.search(r"[a-z] [a-z]", text, re.IGNORECASE)
    ]
    assert written == [f"games/triangle/words.py: {each}" for each in _IDS]


_IDS = (
    "kill yes", "kill no", "replace yes", "replace no", "veto no",
    "outcome stands", "outcome success", "outcome failure",
)  # fmt: skip
"""Choices in their written form."""


def _telling(tree: ast.Module, file: Path) -> ast.Module:
    """The functions that say what happened, of modules that do more than that; of others, all."""
    if file == REPLAY:
        said = {"_told", "_undone", "_print_state", "_standing", "_scene", "_result"}
    elif file.parent == ACTS:
        said = {"told", "_told", "aside", "_entered", "clock_told"}
    else:
        return tree
    found = [each for each in ast.walk(tree) if getattr(each, "name", None) in said]
    return ast.Module(body=found, type_ignores=[])  # type: ignore[arg-type]


def _strings(tree: ast.Module) -> Iterator[str]:
    """All strings but docstrings."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_a_tie_that_the_gm_has_ruled_is_told_as_the_gms_word() -> None:
    talk = table()
    talk.decide("ada", "opponent ninja")
    stances(talk)
    before: Any = talk.view.game
    moves(talk, "attack-mid", "attack-mid")
    tied: Any = talk.view.game
    assert told_of(before, tied) == "Neither move beats the other: a tie."
    talk.overrule("turn won ada because so")
    won: Any = talk.view.game
    assert told_of(tied, won) == "The GM rules: Ada wins."
    talk.overrule("turn tied because so")
    ruled: Any = talk.view.game
    assert told_of(won, ruled) == "The GM rules: a tie."


def told_of(before: Any, after: Any) -> str:
    first = words_of("unroll").followed(of_conflict(before, after)[0], {})[0]
    return texts("en").sentence(first)
