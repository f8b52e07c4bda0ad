"""``facedown replay``, ``log`` and ``verify`` on a played tale."""

import json
import re
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
from tests.support.lanterns import conflict
from tests.support.tabletalk import TableTalk
from tests.support.told import LANGUAGES, sentences

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
    "Ada and Bo roll against goblins (Agile).",
    "→ Goblins: difficulty 5, 4 effort tokens and deadly.",
    "Ada: Quirk: greedy. Bo: Plain.",
    "Ada has thrown 5 5 2.",
    "Bo has thrown 1 1.",
    "→ Ada: failure. 5 5 2 against 6, because of “greedy”.",
    "→ Bo: critical failure. 1 1 against 5.",
    "Ada wants to use rope.",
    "→ Ada pays a karma: it is easier thanks to Rope.",
    "→ Ada: exceptional success. Now against 5.",
    "→ Ada takes 2 effort tokens: goblins, 2 left.",
    "→ Ada gets a karma back.",
    "The GM names the price: resolve and a complication: “the horn sounds”.",
    "→ Bo pays: 1 resolve and a complication, “the horn sounds”.",
    "→ Bo is defeated.",
    "The GM decides the fate: “a broken arm”, still in the scene.",
    "→ Bo has an affliction, permanent: “a broken arm”.",
    "→ Bo now has 3 of 3 resolve.",
    "The GM offers Bo a complication for a karma (old wound) “it hurts”.",
    "Bo takes the complication.",
    "→ Bo now has 1 of 3 karma.",
    "Bo wants to cure “old wound” with Song.",
    "The GM says yes to that.",
    "→ Bo is cured of “old wound”.",
    "→ Bo now has 0 of 3 karma.",
    "Turn 2",
    "Ada (Agile) and Bo (Brawny) roll against each other.",
    "→ Ada wins.",
    "The GM: it costs the usual price.",
    "→ Bo pays only in the story.",
    "The GM overrules: Bo: 2 karma, because luck.",
    "→ Bo now has 2 of 3 karma.",
    "Ada rolls in defense against goblins (Agile); the difficulty is face down.",
    "→ Ada: exceptional success. 4 4 4 against 4.",
    "→ Ada: exceptional success. 5 6 1 against 5.",
    "→ Ada takes 2 effort tokens, the last: goblins.",
    "→ Goblins: overcome.",
    "Ada tells how it ends: “they run”.",
    "The GM ends the scene.",
    "After record",
    "Goblins: overcome.",
    "Ada: Karma 3 of 3, Resolve 3 of 3.",
    "Bo: Karma 2 of 3, Resolve 3 of 3, a broken arm (permanent).",
    "1 of 1 challenge overcome.",
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


def test_where_a_tale_stands_is_told_in_words(tmp_path: Path) -> None:
    """In the middle of a scene, and once it is closed: its result is no character's tokens."""
    talk = TableTalk(SCENE)
    talk.start()
    talk.decide("gm", 'challenge {"name":"river"}')
    assert "turn 1: what comes next." in replayed(tmp_path / "a.journal", talk)
    talk.give(i.EndScene())
    last = replayed(tmp_path / "b.journal", talk).rstrip().splitlines()[-1]
    assert last == "Scene 1 “A duel”: 0 of 1 challenge overcome."


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
    assert f"{dice} against 5." in replayed(tmp_path / "a.journal", talk)
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
    (cost,) = [each for each in told if "names the price: resolve" in each["story"]]
    assert cost["consequences"][-1] == "Bo is defeated."
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(q.AnyConsequence), ids=lambda kind: kind.__name__)
def test_every_consequence_has_a_sentence(kind: Any, language: str) -> None:
    for came in every(kind):
        if getattr(came, "final", 5) is None and came.outcome is not None:
            continue  # a roll is judged only once its difficulty is known
        told = sentences([*TRICUBE.words.followed(came, {})], language)
        assert " " in told
        assert "None" not in told
        assert "\n" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_has_a_sentence(language: str) -> None:
    choices = (
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
    words = TRICUBE.words
    told = [sentences([words.chosen("ada", Choice.parse(each))], language) for each in choices]
    assert "{" not in "".join(told)
    assert len({*told}) == len(told)
    assert words.chosen("ada", Choice("active", "bo")).key == "gm.log.shown"
    assert words.chosen("ada", Choice("perk", "{broken")).key == "gm.log.shown"


def test_a_german_table_is_replayed_in_german(tmp_path: Path) -> None:
    """The language of the hub.toml beside the journal; no sentence is the English one."""
    (tmp_path / "hub.toml").write_text('[table]\nlanguage = "de"\n')
    for name, talk in (("tale", tale()), ("conflict", conflict())):
        german = replayed(tmp_path / f"{name}.journal", talk)
        asked = replayed(tmp_path / f"{name}-2.journal", talk, "--locale", "de")
        english = replayed(tmp_path / f"{name}-3.journal", talk, "--locale", "en")
        assert german == asked
        assert not {*told_lines(german)} & {*told_lines(english)}
        assert len(told_lines(german)) > 40
    told = replayed(tmp_path / "again.journal", tale(), "--json")
    assert "Die SL sagt, was es kostet" in told


def told_lines(output: str) -> list[str]:
    """What is said in each line, without its number and time."""
    lines = (re.sub(r"^ *(?:→|\d+  \S+ \S+) *", "", line).strip() for line in output.splitlines())
    return [line for line in lines if line]
