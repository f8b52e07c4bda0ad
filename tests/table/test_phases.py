"""Every (phase, input) pair: accepted if the table of transitions allows it, otherwise refused."""

import copy
import pickle
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.table import acts as i
from hub.table.acts import StorySheets
from hub.table.looks import Portrait, Shape
from hub.table.phases import TRANSITIONS, mermaid
from hub.table.sealed import Opening, Sealed, SealKind, SealPlace, seal_digest
from hub.table.state import Phase, SeatFault
from tests.support import evening
from tests.support.tabletalk import TableTalk

KINDS = [*i.Fact.__subclasses__(), *(kind for kind in i.COMMANDS if kind is not i.Next)]
"""``Next`` becomes another command before the table judges it."""


def table_in(phase: Phase, *, story: bool = False) -> TableTalk:
    """A table brought to ``phase`` by play."""
    table = evening.Evening() if story else TableTalk()
    match phase:
        case Phase.IDLE:
            pass
        case Phase.DECISION:
            table.start()
        case Phase.SEALED:
            table.begin_turn()
        case Phase.LOCKED | Phase.PAUSED:
            table.begin_turn()
            table.place("ada", "stance none")
            table.place("gm", "stance none")
            if phase is Phase.PAUSED:
                table.give(i.Pause())
        case Phase.OVER:
            play_to_the_end(table)
        case Phase.OPEN:
            raise AssertionError("no book of this version lays cards openly")
    assert table.phase is phase
    return table


def play_to_the_end(table: TableTalk) -> None:
    """Let the GM's side surrender, one by one."""
    table.start()
    table.decide(GM, "active ada")
    for foe in ("ninja", "crow"):
        active = table.view.awaited[0]
        table.decide(active, f"opponent {foe}")
        for mine, theirs in (("stance none", "stance none"), ("move attack", "move surrender")):
            table.place(active, next(c for c in table.offers(active) if c.startswith(mine)))
            table.show(gm=theirs)
        if table.phase is not Phase.OVER:
            table.decide(active, table.offers(active)[0])


def a(kind: type) -> i.Input:
    """An input of this kind that is valid wherever it is accepted."""
    examples: dict[type, i.Input] = {
        i.FieldChanged: i.FieldChanged("ada", Sealed(())),
        i.ReaderFound: i.ReaderFound("ada"),
        i.ReaderMissing: i.ReaderMissing("ada"),
        i.ReaderTroubled: i.ReaderTroubled("ada", 3, 0),
        i.ButtonPressed: i.ButtonPressed("gm"),
        i.Tick: i.Tick(),
        i.BeginLog: i.BeginLog(),
        i.StartScene: i.Request(i.StartScene(), scene=("again", TableTalk().setup)),
        i.EndScene: i.EndScene(),
        i.Commit: i.Request(i.Commit("ada", Sealed(Choice("stance", "none"))), "ada"),
        i.TakeBack: i.Request(i.TakeBack("ada"), "ada"),
        i.Withdraw: i.Request(i.Withdraw("ada", Sealed(Choice("special", "scouter"))), "ada"),
        i.DropSeal: i.DropSeal("ada"),
        i.Overrule: i.Request(
            i.Overrule(holds={"what": "turns", "name": "ada", "turns": 2}, because="so")
        ),
        i.Decide: i.Request(i.Decide(GM, "active ada")),
        i.Pause: i.Pause(),
        i.Resume: i.Resume(),
        i.Undo: i.Undo(),
        i.BeginStory: i.BeginStory("unroll", StorySheets(evening.cast())),
        i.TellStory: i.TellStory(Choice("countdown", "new 6 The tide")),
        i.WishFor: i.Request(
            i.WishFor("ada", {"do": "level-up", "name": "ada", "choices": {}}), "ada"
        ),
        i.AddCharacter: i.Request(i.AddCharacter(), sheet={"name": "ninja 2", "like": "ninja"}),
        i.RemoveCharacter: i.Request(i.RemoveCharacter("crow")),
        i.PlayFor: i.Request(i.PlayFor("ada", True)),
        i.SitOut: i.SitOut("bo", True),
        i.NameEvening: i.NameEvening("The last ferry"),
        i.SetTimer: i.SetTimer(45),
        i.SetClock: i.SetClock(3_600_000),
        i.EndEvening: i.EndEvening(True),
        i.Portray: i.Request(i.Portray("ada", Portrait(shape=Shape.STAR)), "ada"),
        i.LetHubPlay: i.Request(i.LetHubPlay(("ada",), True)),
    }
    return examples[kind]


@pytest.mark.parametrize("story", [False, True], ids=["", "story"])
@pytest.mark.parametrize("phase", [p for p in Phase if p is not Phase.OPEN])
def test_every_pair_of_phase_and_input_follows_the_table(phase: Phase, story: bool) -> None:
    table = table_in(phase, story=story)
    table.audit = None  # each input follows the same log
    before, records, rows = (table.state, table.desk), table.records, table.rows
    for kind in KINDS:
        (table.state, table.desk), table.records, table.rows = before, [*records], [*rows]
        allowed = TRANSITIONS.get((phase, kind))
        try:
            table.give(a(kind))
        except SeatFault as fault:
            assert (table.state, table.desk, len(table.records)) == (*before, len(records)), kind
            assert str(fault).startswith("not possible now") == (allowed is None), kind
        else:
            assert allowed is not None, f"{kind.__name__} was heard in {phase}"
            assert table.phase in allowed, kind


def test_the_table_names_every_input_and_every_phase() -> None:
    assert {kind for _, kind in TRANSITIONS} == set(KINDS)
    assert {phase for phase, _ in TRANSITIONS} == set(Phase)


def test_the_diagram_shows_every_phase() -> None:
    drawn = mermaid()
    assert all(str(phase) in drawn for phase in Phase)


def test_a_sealed_value_does_not_leak_through_any_conversion() -> None:
    secret = Sealed(Choice("move", "attack-high"))
    shown = [repr(secret), str(secret), f"{secret}", f"{secret!r:>40}", f"{[secret]}", f"{secret}"]
    assert not any("attack" in text for text in shown)
    assert secret != Sealed(Choice("move", "attack-high"))
    for leak in (pickle.dumps, copy.copy, copy.deepcopy, msgspec.json.encode, msgspec.to_builtins):
        with pytest.raises(TypeError) as caught:
            leak(secret)
        assert "attack" not in str(caught.value)
    with pytest.raises(AttributeError):
        secret.value  # noqa: B018
    assert not hasattr(secret, "__dict__")


PLACE = SealPlace("ab" * 32, "demo", 1, 2, 3, "Ada", SealKind.COMMIT, "reader:ada")
CARD = Opening("11" * 32, "move attack-high")


@pytest.mark.parametrize(
    "change",
    [
        {"log": "cd" * 32}, {"table": "den"}, {"scene": 2}, {"turn": 1}, {"phase": 4},
        {"actor": "Bo"}, {"kind": SealKind.BESIDE}, {"origin": "page:ada"},
        {"scene": 12, "turn": 3}, {"nonce": "11" * 31 + "12"}, {"choice": "move attack-low"},
    ],
)  # fmt: skip
def test_a_digest_is_bound_to_every_part(change: dict[str, Any]) -> None:
    opening = replace(CARD, **{k: v for k, v in change.items() if k in {"nonce", "choice"}})
    place = replace(PLACE, **{k: v for k, v in change.items() if k not in {"nonce", "choice"}})
    assert seal_digest(place, opening) != seal_digest(PLACE, CARD)


@pytest.mark.parametrize("nonce", ["00", "", "AB" * 32, " " + "00" * 32, "00" * 33])
def test_a_nonce_has_one_form(nonce: str) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        seal_digest(PLACE, Opening(nonce, "move attack-high"))


def test_the_digest_is_the_documented_one() -> None:
    """Computed from the framing that ``seal_digest`` documents, with printf and sha256sum.

    Any other program must get the same digest.
    """
    assert seal_digest(PLACE, CARD) == DOCUMENTED


DOCUMENTED = "4ec0cb37043e26fb09a60ecc0a2e89236f6fca63d890e8cc164ce723f3bebe75"
