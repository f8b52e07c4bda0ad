"""``facedown replay``, ``log`` and ``verify`` on a played Conflict."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import structs
from typer.testing import CliRunner

from hub.cli.main import app
from hub.games.game import Choice
from hub.games.overrules import tag
from hub.games.tourists import TOURISTS
from hub.games.tourists.rules import consequences as q
from hub.games.tourists.rules.conflict import RoundOutcome
from hub.games.tourists.rules.overrules.said import WORD
from hub.games.tourists.rules.view import CardView
from hub.games.tourists.words import named, numeral
from hub.journal import SqliteJournal
from tests.support.lanterns import conflict, drawn_by_the_hub
from tests.support.tabletalk import TableTalk


def stored(path: Path, talk: TableTalk) -> str:
    with SqliteJournal.open(path, "test") as journal:
        journal.append(list(talk.rows))
    return str(path)


def replayed(path: Path, talk: TableTalk, *more: str) -> str:
    result = CliRunner().invoke(app, ["replay", stored(path, talk), *more])
    assert result.exit_code == 0, result.output
    return result.output


TOLD = (
    "crow has the Control, 2 ranks",
    "ada tells the tactics: hold the gate",
    "the GM says in which order they bid: ninja,north",
    "Turn 1",
    "ninja draws 39 upright",
    "crow turns the card",
    "→ card 39 of ninja now lies reversed",
    "bo draws 66 reversed",
    "ada lays 33 upright over the card",
    "ada lays it because of the aspect Quick",
    "→ 66 blades reversed of north is covered by 33 paper",
    "ada lets everything be for the rest of the round",
    "ninja passes",
    "→ crow is beaten by north, and loses a rank",
    "→ crow has the Control, 1 rank",
    "ninja takes the Loss",
    "ada takes the Loss: 20 a cut hand",
    "→ north suffers a Temporary Loss, marked by 20, borne by ada: a cut hand",
    "→ crow suffers a Temporary Loss, marked by 48",
    "→ the round is won by north, lost by crow",
    "ada tells how it went: the lanterns are lit",
    "the GM goes on with the end of the round",
    "ada draws 10 upright",
    "→ 10 Triumph V is in the Reserve of ada",
    "Turn 2",
    "crow rejects the card",
    "ada draws 30 upright",
    "→ 21 Triumph XVI is rejected: before north lies 30 paper",
    "ada asks for a Reframing: we flee over the roofs",
    "the GM says no to the Reframing",
    "the GM overrules: 0 Control Tokens left, because so it was agreed",
    "→ crow holds the Control",
    "→ crow has the Control, 2 ranks",
    "ninja concedes",
    "→ ninja is out of the Conflict, and has earned 1 Reserve Card",
    "→ ada is out of the Conflict, and has earned 1 Reserve Card",
    "→ north is out of the Conflict, and has earned 1 Reserve Card",
    "→ the Conflict is over: crow is the victor",
    "→ 40 paper is in the Reserve of ada",
    "After record",
    "Reserve of ada: 51 stone reversed, 10 Triumph V, 40 paper",
    "the Conflict is over: crow is the victor",
)


def test_a_conflict_is_told_like_a_story(tmp_path: Path) -> None:
    output = replayed(tmp_path / "a.journal", conflict())
    at = 0
    for words in TOLD:
        assert words in output[at:], f"{words!r} does not follow in:\n{output}"
        at = output.index(words, at) + len(words)
    assert output.rstrip().endswith("the Conflict is over: crow is the victor")
    assert "{" not in output
    assert "undo goes back" not in output
    every = replayed(tmp_path / "b.journal", conflict(), "--all")
    assert "an undo goes back to here" in every


def test_the_hubs_draws_are_told(tmp_path: Path) -> None:
    talk = drawn_by_the_hub()
    output = replayed(tmp_path / "a.journal", talk)
    view: Any = talk.view.game
    for name, party in view.parties.items():
        (lies,) = party.laid
        mine = "" if lies.who == name else f" for {name}"
        assert f"→ {lies.who} has drawn {named(lies.card)}{mine}" in output
    assert "the hub draws what chance will say" not in output
    assert "the hub draws what chance" in replayed(tmp_path / "b.journal", talk, "--all")


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
    (turned,) = [each for each in told if each["story"].startswith("crow turns the card")][:1]
    assert turned["consequences"] == ["card 39 of ninja now lies reversed"]
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


@pytest.mark.parametrize("kind", get_args(q.AnyConsequence), ids=lambda kind: kind.__name__)
def test_every_consequence_has_a_sentence(kind: Any) -> None:
    fields = structs.fields(kind)
    outcomes = [*RoundOutcome] if kind is q.RoundOver else [None]
    for outcome in outcomes:
        given = {f.name: outcome if f.type is RoundOutcome else SAMPLES[f.type] for f in fields}
        told = TOURISTS.words.followed(kind(**given))
        assert " " in told
        assert "\n" not in told
    for party in ("party", "winner"):
        if any(field.name == party and field.type == str | None for field in fields):
            assert " " in TOURISTS.words.followed(kind(**{**given, party: None}))


def test_every_choice_has_a_sentence() -> None:
    """Covers each step that occurs in played Conflicts."""
    unsaid: set[str] = set()
    for talk in (conflict(), drawn_by_the_hub()):
        for record in talk.records:
            for told, plain in (("decided", "decides: "), ("declared", "declares: ")):
                choice = getattr(record.event, "choice", "")
                if choice and told in type(record.event).__name__.lower():
                    kind, _, value = choice.partition(" ")
                    sentence = getattr(TOURISTS.words, told)("ada", Choice(kind, value))
                    if plain in sentence:
                        unsaid.add(kind)
    assert not unsaid


HELD = {
    "nobody has the Control": {"what": "control"},
    "crow has the Control, 1 rank": {"what": "control", "party": "crow", "ranks": 1},
    "card 39 is in the deck": {"what": "card", "number": 39, "to": "deck"},
    "card 39 reversed lies before north, drawn by ada": {
        "what": "card", "number": 39, "to": "before", "name": "north", "who": "ada",
        "reversed": True,
    },
    "card 39 upright is in the Reserve of ada": {
        "what": "card", "number": 39, "to": "reserve", "name": "ada"
    },
    "card 39 marks a Temporary Loss of north": {
        "what": "card", "number": 39, "to": "loss", "name": "north"
    },
    "card 39 upright lies before crow": {
        "what": "turned", "name": "crow", "number": 39, "reversed": False
    },
    "north has one Lasting Loss more, marked by 7, 8 and 9, borne by ada: limps": {
        "what": "lasting", "name": "north", "who": "ada", "cards": [7, 8, 9], "text": "limps"
    },
    "Lasting Loss 1 of north is borne by bo: limps; face down: 7": {
        "what": "loss", "name": "north", "loss": 1, "who": "bo", "text": "limps", "face_down": [7]
    },
    "the Loss of north that card 7 marks is gone": {
        "what": "no-loss", "name": "north", "number": 7
    },
    "1 Control Token left": {"what": "tokens", "left": 1},
    "crow has conceded": {"what": "out", "name": "crow", "out": True},
    "crow is Wiped Out": {"what": "out", "name": "crow", "out": True, "wiped_out": True},
    "crow is in the Conflict": {"what": "out", "name": "crow", "out": False},
    "the round ends: the Control is broken by north and ninja": {
        "what": "outcome", "outcome": "broken", "by": ["north", "ninja"]
    },
    "2 Reserve Cards of others on cards of ada": {"what": "against", "name": "ada", "times": 2},
}  # fmt: skip


def test_every_overrule_has_a_sentence() -> None:
    assert {said: TOURISTS.words.held(holds) for said, holds in HELD.items()} == {
        said: said for said in HELD
    }
    assert {each["what"] for each in HELD.values()} == {tag(each.kind) for each in WORD.clauses}
    assert all(TOURISTS.words.held({"what": "outcome", "outcome": str(o)}) for o in RoundOutcome)
    assert TOURISTS.words.held({"what": "of another book"}) == ""


@pytest.mark.parametrize(
    ("rank", "said"), [(0, "0"), (4, "IV"), (9, "IX"), (14, "XIV"), (16, "XVI"), (21, "XXI")]
)
def test_ranks_are_written_as_numerals(rank: int, said: str) -> None:
    assert numeral(rank) == said
