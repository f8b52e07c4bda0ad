"""``facedown replay``, ``log`` and ``verify`` on a played tale."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import structs
from typer.testing import CliRunner

from hub.cli.main import app
from hub.games.game import Choice
from hub.games.tricube import TRICUBE
from hub.games.tricube.rules import consequences as q
from hub.games.tricube.rules.character import Absent, Lasts
from hub.games.tricube.rules.roll import RollOutcome
from hub.games.tricube.rules.settling import Token
from hub.journal import SqliteJournal
from hub.table import acts as i
from tests.support.tabletalk import TableTalk

SCENE: dict[str, Any] = {
    "ruleset": "tricube",
    "dice": "hand",
    "characters": {
        "ada": {"trait": "agile", "concept": "ranger", "perks": ["rope"], "quirks": ["greedy"]},
        "bo": {
            "trait": "brawny",
            "concept": "priest",
            "perks": ["song"],
            "karma": 0,
            "resolve": 1,
            "afflictions": [{"name": "old wound"}],
        },
    },
}


def call(challenge: Any, *rollers: str, **more: Any) -> str:
    said = {"challenge": challenge, "type": "agile", "rollers": {who: {} for who in rollers}}
    return f"call {json.dumps(said | more, separators=(',', ':'))}"


def sealed(talk: TableTalk, cards: Mapping[str, str]) -> None:
    for seat, card in cards.items():
        talk.place(seat, card)
    talk.reveal()
    talk.clear()


def tale(**more: Any) -> TableTalk:
    """Two rolls with all their effects, an offer, a cure, a contest, an overrule."""
    talk = TableTalk(SCENE | more)
    talk.start()
    talk.decide("gm", call({"name": "goblins", "effort": 4, "deadly": True}, "ada", "bo"))
    sealed(talk, {"ada": "approach quirk greedy", "bo": "approach plain"})
    talk.decide("ada", "dice 5 5 2")
    talk.decide("bo", "dice 1 1")
    talk.decide("ada", "karma rope")
    talk.decide("bo", "karma none")
    talk.decide("gm", 'price {"resolve":true,"complication":"the horn sounds"}')
    talk.decide("gm", 'fate {"affliction":"a broken arm","stays":true}')
    talk.decide("gm", 'offer {"who":"bo","affliction":"old wound","told":"it hurts"}')
    talk.decide("bo", "accept yes")
    talk.decide("bo", 'cure {"affliction":"old wound","perks":["song"]}')
    talk.decide("gm", "nod yes")
    talk.decide("gm", "turn")
    talk.decide("gm", 'oppose {"sides":{"ada":{"type":"agile"},"bo":{"type":"brawny"}}}')
    sealed(talk, {"ada": "approach plain", "bo": "approach plain"})
    talk.decide("ada", "dice 6 6 1")
    talk.decide("bo", "dice 5 2 2")
    talk.decide("ada", "karma none")
    talk.decide("bo", "karma none")
    talk.decide("gm", "price")
    talk.give(i.Overrule(holds={"what": "tokens", "name": "bo", "karma": 2}, because="luck"))
    talk.decide("gm", call("goblins", "ada", sealed=True, defense=True))
    sealed(talk, {"ada": "approach plain", "gm": "difficulty 4"})
    talk.decide("ada", "dice 4 4 4")
    talk.decide("gm", call("goblins", "ada"))
    sealed(talk, {"ada": "approach plain"})
    talk.decide("ada", "dice 5 6 1")
    talk.decide("ada", "told they run")
    talk.decide("gm", "end")
    return talk


def stored(path: Path, talk: TableTalk) -> str:
    with SqliteJournal.open(path, "test") as journal:
        journal.append(list(talk.rows))
    return str(path)


def replayed(path: Path, talk: TableTalk, *more: str) -> str:
    result = CliRunner().invoke(app, ["replay", stored(path, talk), *more])
    assert result.exit_code == 0, result.output
    return result.output


TOLD = (
    "the GM calls ada and bo for a roll (agile) against goblins",
    "→ a challenge: goblins (difficulty 5, 4 effort tokens, deadly)",
    "revealed: ada: approach quirk greedy; bo: approach plain",
    "ada has thrown 5 5 2",
    "bo has thrown 1 1",
    "→ ada has 5 5 2 against 6, greedy counting: a failure",
    "→ bo has 1 1 against 5: a critical failure",
    "ada spends karma on rope",
    "→ the roll is easier by rope: ada pays with a karma",
    "→ at 5 it is an exceptional success of ada",
    "→ ada takes 2 effort tokens of goblins, 2 left",
    "→ ada gets a karma back",
    "the GM says what it costs: resolve and a complication (the horn sounds)",
    "→ it costs bo 1 resolve and a complication (the horn sounds)",
    "→ bo is defeated",
    "the GM says what becomes of it: a broken arm; it may stay",
    "→ bo has an affliction for good: a broken arm",
    "→ bo has 3 resolve of 3",
    "the GM offers bo a complication for old wound: it hurts",
    "bo accepts the complication",
    "→ bo has 1 karma of 3",
    "bo cures old wound by song",
    "the GM nods",
    "→ bo is rid of old wound",
    "→ bo has 0 karma of 3",
    "Turn 2",
    "the GM has ada (agile) and bo (brawny) roll against each other",
    "→ ada wins",
    "the GM says that it costs what it usually does",
    "→ it costs bo nothing but what the story tells",
    "the GM overrules: what tokens, name bo, karma 2, because luck",
    "→ bo has 2 karma of 3",
    "the GM calls ada for a defense (agile) against goblins, at a difficulty that is sealed",
    "→ ada has 4 4 4 against 4: an exceptional success",
    "→ ada has 5 6 1 against 5: an exceptional success",
    "→ ada takes 2 effort tokens of goblins, none left",
    "→ goblins is overcome",
    "ada tells what becomes of it: they run",
    "the GM ends the scene",
    "After record",
    "goblins: overcome",
    "ada: karma 3 of 3; resolve 3 of 3",
    "bo: karma 2 of 3; resolve 3 of 3; a broken arm (for good)",
)


def test_a_tale_is_told_like_a_story(tmp_path: Path) -> None:
    output = replayed(tmp_path / "a.journal", tale())
    at = 0
    for words in TOLD:
        assert words in output[at:], f"{words!r} does not follow in:\n{output}"
        at = output.index(words, at) + len(words)
    assert "{" not in output
    assert "decides: " not in output
    assert "declares: " not in output


def test_a_tales_log_is_sound_and_changed_dice_are_found(tmp_path: Path) -> None:
    lines = CliRunner().invoke(app, ["log", stored(tmp_path / "a", tale())]).stdout_bytes
    log = tmp_path / "log"
    log.write_bytes(lines)
    sound = CliRunner().invoke(app, ["verify", str(log), "--table", "test"])
    assert sound.exit_code == 0, sound.output
    assert b"dice 5 6 1" in lines
    log.write_bytes(lines.replace(b"dice 5 6 1", b"dice 5 6 2", 1))
    assert CliRunner().invoke(app, ["verify", str(log), "--table", "test"]).exit_code == 1


def test_the_tables_dice_are_told_and_recomputed(tmp_path: Path) -> None:
    talk = TableTalk(SCENE | {"dice": "table"})
    talk.start()
    talk.decide("gm", call({"name": "goblins"}, "ada"))
    sealed(talk, {"ada": "approach plain"})
    view: Any = talk.view.game
    rolls = view.rolling or view.last_rolling
    dice = " ".join(map(str, rolls.rolls["ada"].dice))
    assert f"→ ada has {dice} against 5" in replayed(tmp_path / "a.journal", talk)
    log = tmp_path / "log"
    lines = CliRunner().invoke(app, ["log", stored(tmp_path / "b", talk)]).stdout_bytes
    log.write_bytes(lines)
    assert CliRunner().invoke(app, ["verify", str(log), "--table", "test"]).exit_code == 0
    assert b'"came":{"dice":' in lines
    log.write_bytes(lines.replace(b'"came":{"dice":{"ada":[', b'"came":{"dice":{"ada":[6,', 1))
    assert CliRunner().invoke(app, ["verify", str(log), "--table", "test"]).exit_code == 1


def test_as_json_each_line_has_its_consequences(tmp_path: Path) -> None:
    output = replayed(tmp_path / "a.journal", tale(), "--json")
    *told, last = [json.loads(line) for line in output.splitlines()]
    (cost,) = [each for each in told if "says what it costs: resolve" in each["story"]]
    assert cost["consequences"][-1] == "bo is defeated"
    assert last["state"]["game"]["cast"]["bo"]["karma"] == 2


SAMPLES: dict[Any, tuple[Any, ...]] = {
    str: ("x",),
    str | None: ("x", None),
    int: (2, 1, 0),
    int | None: (5, None),
    bool: (True, False),
    Lasts: (*Lasts,),
    Token: (*Token,),
    Absent | None: (*Absent, None),
    RollOutcome | None: (*RollOutcome, None),
    tuple[str, ...]: (("a", "b"),),
    tuple[int, ...]: ((5, 3),),
}


def every(kind: Any) -> Iterator[Any]:
    """Each field with each sample value, the others with their first."""
    fields = structs.fields(kind)
    first = {each.name: SAMPLES[each.type][0] for each in fields}
    for each in fields:
        for value in SAMPLES[each.type]:
            yield kind(**first | {each.name: value})


@pytest.mark.parametrize("kind", get_args(q.AnyConsequence), ids=lambda kind: kind.__name__)
def test_every_consequence_has_a_sentence(kind: Any) -> None:
    for came in every(kind):
        if getattr(came, "final", 5) is None and came.outcome is not None:
            continue  # a roll is judged only once its difficulty is known
        told = TRICUBE.words.followed(came)
        assert " " in told
        assert "None" not in told
        assert "\n" not in told


def test_every_choice_has_a_sentence() -> None:
    said = (
        *("turn", "end", "throw", "dice 5 3", "karma none", "karma rope", "told", "told they run"),
        *("complication", "complication it rings", "accept yes", "accept no", "nod yes", "nod no"),
        *("regain karma", "regain resolve", "price", "approach plain", "approach quirk vain"),
        'npcs {"sides":{"knight":3,"witch":1}}',
        'challenge {"name":"wall"}',
        'recover {"who":"bo","affliction":"arm"}',
        'convert {"who":"bo","affliction":"arm"}',
        'perk {"perks":["rope"],"use":"bypass","challenge":"wall"}',
        *(
            f'perk {{"perks":["rope"],"use":"{use}","told":"so"}}'
            for use in ("impact", "automatic", "attempt", "flavour")
        ),
        'cure {"affliction":"arm","who":"bo","perks":["song"]}',
        'karma {"perks":["rope","song"],"for":"bo"}',
        'price {"told":"it breaks"}',
        'fate {"affliction":"arm","fatal":true}',
        'fate {"affliction":"arm","lasts":"scene"}',
    )
    told = [TRICUBE.words.decided("ada", Choice.parse(each)) for each in said]
    for sentence in told:
        assert sentence.startswith("ada ")
        assert "decides: " not in sentence
        assert "{" not in sentence
    assert len({*told}) == len(told)
    assert "decides: " in TRICUBE.words.decided("ada", Choice("active", "bo"))
    assert "declares: " in TRICUBE.words.declared("ada", Choice("perk", "{broken"))
