"""``facedown replay``, ``log`` and ``verify`` on a played Conflict."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import structs
from typer.testing import CliRunner

from hub.cli.main import app
from hub.games.overrules import tag
from hub.games.registry import texts
from hub.games.tourists import TOURISTS
from hub.games.tourists.naming import numeral
from hub.games.tourists.rules import consequences as q
from hub.games.tourists.rules.conflict import RoundOutcome
from hub.games.tourists.rules.overrules.said import WORD
from hub.games.tourists.rules.view import CardView
from hub.journal import SqliteJournal
from tests.support.lanterns import conflict, drawn_by_the_hub
from tests.support.tabletalk import TableTalk
from tests.support.told import LANGUAGES, check, in_words, sentences


def stored(path: Path, talk: TableTalk) -> str:
    with SqliteJournal.open(path, "test") as journal:
        journal.append(list(talk.rows))
    return str(path)


def replayed(path: Path, talk: TableTalk, *more: str) -> str:
    result = CliRunner().invoke(app, ["replay", stored(path, talk), *more])
    assert result.exit_code == 0, result.output
    return result.output


TOLD = (
    "a Conflict with Ada, Bo, Ninja and Crow: “A duel” begins.",
    "→ Crow has the Control, 2 ranks.",
    "Ada: “hold the gate”. (entered by the GM)",
    "The GM: the order in this round is Ninja, North.",
    "Turn 1",
    "Ninja lays card 39 upright.",
    "Crow turns the card, for a Token.",
    "→ Ninja’s card is now 39 (Paper) upside down.",
    "Bo lays card 66 upside down.",
    "Ada lays card 33 upright from the Reserve.",
    "Ada says why. Aspect: Quick.",
    "→ Before North, 33 (Paper) upright now covers 66 (Blades).",
    "Ada lets everything be this round.",
    "Ninja passes.",
    "→ North breaks the Control.",
    "→ Crow has the Control, 1 rank.",
    "Ninja tells the Loss.",
    "Ada tells the Loss, marked by card 20: “a cut hand”.",
    "→ North suffers a Temporary Loss (20 (Triumph XV)); it falls to Ada. “a cut hand”.",
    "→ Won: North. Lost: Crow.",
    "Ada tells: “the lanterns are lit”.",
    "The GM goes on.",
    "Ada lays card 10 upright.",
    "→ 10 (Triumph V) upright lies in the Reserve of Ada.",
    "Turn 2",
    "Crow rejects the card, by a Loss.",
    "Ada lays card 30 upright.",
    "→ North discards 21 (Triumph XVI) and has drawn 30 (Paper) upright.",
    "Ada asks for a Reframing: “we flee over the roofs”.",
    "The GM says no to a Reframing.",
    "The GM overrules: Control Tokens left: 0, because so it was agreed.",
    "→ Crow holds the Control.",
    "→ Crow has the Control, 2 ranks.",
    "Ninja concedes.",
    "→ Ninja has left, and will draw 1 Reserve Card at the end.",
    "→ Crow wins the Conflict.",
    "After record",
    "Ada’s Reserve: 51 (Stone) upside down, 10 (Triumph V) upright and 40 (Paper) upright.",
    "Crow wins the Conflict.",
)


def test_a_conflict_is_told_like_a_story(tmp_path: Path) -> None:
    output = replayed(tmp_path / "a.journal", conflict())
    at = 0
    for words in TOLD:
        assert words in output[at:], f"{words!r} does not follow in:\n{output}"
        at = output.index(words, at) + len(words)
    assert output.rstrip().endswith("Crow wins the Conflict.")
    assert "{" not in output
    assert "An undo goes back" not in output
    every = replayed(tmp_path / "b.journal", conflict(), "--all")
    assert "An undo goes back to here." in every


def test_the_hubs_draws_are_told(tmp_path: Path) -> None:
    talk = drawn_by_the_hub()
    output = replayed(tmp_path / "a.journal", talk)
    view: Any = talk.view.game
    for name, party in view.parties.items():
        (lies,) = party.laid
        drawn = TOURISTS.words.followed(q.CardDrawn(party=name, who=lies.who, card=lies.card), {})
        assert f"→ {sentences([*drawn])}" in output
    assert "The hub draws random numbers" not in output
    assert "The hub draws random numbers" in replayed(tmp_path / "b.journal", talk, "--all")


@pytest.mark.parametrize("play", [conflict, drawn_by_the_hub])
def test_a_conflicts_log_is_sound_and_a_changed_card_is_found(tmp_path: Path, play: Any) -> None:
    journal = stored(tmp_path / "a.journal", play())
    lines = CliRunner().invoke(app, ["log", journal]).stdout_bytes
    log = tmp_path / "log"
    log.write_bytes(lines)
    sound = CliRunner().invoke(app, ["verify", str(log), "--table", "test"])
    assert sound.exit_code == 0, sound.output
    old, new = (
        (b"39 upright", b"40 upright") if play is conflict else (b'"chance":"', b'"chance":"0')
    )
    assert old in lines
    log.write_bytes(lines.replace(old, new, 1))
    assert CliRunner().invoke(app, ["verify", str(log), "--table", "test"]).exit_code == 1


def test_as_json_each_line_has_its_consequences(tmp_path: Path) -> None:
    output = replayed(tmp_path / "a.journal", conflict(), "--json")
    *told, last = [json.loads(line) for line in output.splitlines()]
    (turned,) = [each for each in told if each["story"].startswith("Crow turns the card")][:1]
    assert turned["consequences"] == ["Ninja’s card is now 39 (Paper) upside down."]
    assert last["state"]["game"]["result"]["winner"] == "crow"


CARD = CardView(number=4, reversed=False, suit="excuse", rank=None)
SAMPLES: dict[Any, Any] = {
    str: "x",
    int: 3,
    str | None: "x",
    int | None: 2,
    CardView: CARD,
    tuple[str, ...]: ("a", "b"),
    tuple[CardView, ...]: (CARD,),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(q.AnyConsequence), ids=lambda kind: kind.__name__)
def test_every_consequence_has_a_sentence(kind: Any, language: str) -> None:
    for given in samples(kind):
        assert " " in sentences([*TOURISTS.words.followed(kind(**given), {})], language)


def samples(kind: Any) -> Iterator[dict[str, Any]]:
    fields = {field.name: field.type for field in structs.fields(kind)}
    first = {name: SAMPLES[of] for name, of in fields.items() if of in SAMPLES}
    if kind is q.ConflictEnded:
        yield {"winner": "x", "reason": "last-standing"}
        yield from ({"winner": None, "reason": each} for each in ("all-conceded", "reframed"))
    elif kind is q.RoundOver:
        yield from (first | {"outcome": each} for each in RoundOutcome)
        yield first | {"outcome": RoundOutcome.BROKEN, "by": ()}
    else:
        yield first
        if kind is q.ControlChanged:
            yield first | {"party": None}


def test_every_choice_has_a_sentence() -> None:
    """Covers each step that occurs in played Conflicts."""
    told = [
        in_words(record.event, "tourists", language)
        for talk in (conflict(), drawn_by_the_hub())
        for record in talk.records
        for language in LANGUAGES
        if getattr(record.event, "choice", "")
    ]
    assert len(told) > 80
    assert not [each for each in told if re.fullmatch(r"[^ ]+: [^“]+\.", each)], "no sentence"


HELD = {
    "no one has the Control": {"what": "control"},
    "Crow has the Control, 1": {"what": "control", "party": "crow", "ranks": 1},
    "card 39 is in the deck": {"what": "card", "number": 39, "to": "deck"},
    "card 39 upside down lies before North": {
        "what": "card", "number": 39, "to": "before", "name": "north", "who": "ada",
        "reversed": True,
    },
    "card 39 upright lies in the Reserve of Ada": {
        "what": "card", "number": 39, "to": "reserve", "name": "ada"
    },
    "card 39 marks a Temporary Loss of North": {
        "what": "card", "number": 39, "to": "loss", "name": "north"
    },
    "Crow: the card before them is card 39 upright": {
        "what": "turned", "name": "crow", "number": 39, "reversed": False
    },
    "North has one more Lasting Loss, limps: card 7, card 8 and card 9": {
        "what": "lasting", "name": "north", "who": "ada", "cards": [7, 8, 9], "text": "limps"
    },
    "Lasting Loss 1 of North is limps, suffered by Bo; face down: card 7": {
        "what": "loss", "name": "north", "loss": 1, "who": "bo", "text": "limps", "face_down": [7]
    },
    "the Loss of North marked by card 7 is gone": {
        "what": "no-loss", "name": "north", "number": 7
    },
    "Control Tokens left: 1": {"what": "tokens", "left": 1},
    "Crow has conceded": {"what": "out", "name": "crow", "out": True},
    "Crow is Wiped Out": {"what": "out", "name": "crow", "out": True, "wiped_out": True},
    "Crow is in the Conflict": {"what": "out", "name": "crow", "out": False},
    "the round ends: the Control is broken, by North and Ninja": {
        "what": "outcome", "outcome": "broken", "by": ["north", "ninja"]
    },
    "Reserve Cards of others on cards of Ada: 2": {"what": "against", "name": "ada", "times": 2},
}  # fmt: skip


def test_every_overrule_has_a_sentence() -> None:
    words = {said: TOURISTS.words.held(holds) for said, holds in HELD.items()}
    assert {said: texts("en").told(each) for said, each in words.items()} == {s: s for s in HELD}
    for language in LANGUAGES:
        check([*words.values()], language)
    assert {each["what"] for each in HELD.values()} == {tag(each.kind) for each in WORD.clauses}
    assert TOURISTS.words.held({"what": "of-another-book"}) == "Of another book"


@pytest.mark.parametrize(
    ("rank", "said"), [(0, "0"), (4, "IV"), (9, "IX"), (14, "XIV"), (16, "XVI"), (21, "XXI")]
)
def test_ranks_are_written_as_numerals(rank: int, said: str) -> None:
    assert numeral(rank) == said
