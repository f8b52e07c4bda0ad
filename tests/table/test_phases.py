"""Every (phase, input) pair: heard where the table of transitions says so, refused elsewhere."""

import copy
import pickle
from typing import get_args

import msgspec
import pytest

from hub.rules.game import GM, Choice
from hub.rules.story import ConflictWish
from hub.table import inputs as i
from hub.table.phases import TRANSITIONS, mermaid
from hub.table.records import StorySheets
from hub.table.sealed import Opening, Sealed, SealPlace, seal_digest
from hub.table.state import Phase, SeatFault
from tests.support import evening
from tests.support.tabletalk import TableTalk

KINDS = get_args(i.Input)


def table_in(phase: Phase, *, story: bool = False) -> TableTalk:
    """A table that has come to ``phase`` by play."""
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
    """The GM's side gives up, one by one."""
    table.start()
    table.decide(GM, "active ada")
    for foe in ("ninja", "crow"):
        active = table.view.awaited[0]
        table.decide(active, f"opponent {foe}")
        for mine, theirs in (("stance none", "stance none"), ("move attack", "move surrender")):
            table.place(active, next(c for c in table.offers(active) if c.startswith(mine)))
            table.place("gm", theirs)
            table.reveal()
            table.clear()
        if table.phase is not Phase.OVER:
            table.decide(active, table.offers(active)[0])


def a(kind: type) -> i.Input:
    """An input of this kind, sensible wherever it is heard."""
    examples: dict[type, i.Input] = {
        i.FieldChanged: i.FieldChanged("ada", Sealed(())),
        i.ReaderFound: i.ReaderFound("ada"),
        i.ReaderMissing: i.ReaderMissing("ada"),
        i.Tick: i.Tick(),
        i.StartScene: i.StartScene("again", TableTalk().setup),
        i.EndScene: i.EndScene(),
        i.Commit: i.Commit("ada", Sealed(Choice("stance", "none")), "ada"),
        i.TakeBack: i.TakeBack("ada", "ada"),
        i.Withdraw: i.Withdraw("ada", Sealed(Choice("special", "scouter")), "ada"),
        i.DropSeal: i.DropSeal("ada"),
        i.Decide: i.Decide(GM, Choice("active", "ada"), GM),
        i.Pause: i.Pause(),
        i.Resume: i.Resume(),
        i.Undo: i.Undo(),
        i.BeginStory: i.BeginStory("unroll", StorySheets(evening.cast())),
        i.TellStory: i.TellStory(Choice("countdown", "new 6 The tide")),
        i.StageScene: i.StageScene(ConflictWish()),
        i.AddCharacter: i.AddCharacter({"name": "ninja 2", "like": "ninja"}),
        i.RemoveCharacter: i.RemoveCharacter("crow"),
    }
    return examples[kind]


@pytest.mark.parametrize("story", [False, True], ids=["", "story"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("phase", [p for p in Phase if p is not Phase.OPEN])
def test_every_pair(phase: Phase, kind: type, story: bool) -> None:
    table = table_in(phase, story=story)
    before, desk, records = table.state, table.desk, len(table.records)
    allowed = TRANSITIONS.get((phase, kind))
    try:
        table.give(a(kind))
    except SeatFault as fault:
        assert (table.state, table.desk, len(table.records)) == (before, desk, records)
        if allowed is None:
            assert str(fault).startswith("not possible now")
        else:
            assert not str(fault).startswith("not possible now")
    else:
        assert allowed is not None, f"{kind.__name__} was heard in {phase}"
        assert table.phase in allowed


def test_the_table_names_every_input_and_every_phase() -> None:
    assert {kind for _, kind in TRANSITIONS} == set(KINDS)
    assert {phase for phase, _ in TRANSITIONS} == set(Phase)


def test_the_diagram_shows_every_phase() -> None:
    drawn = mermaid()
    assert all(str(phase) in drawn for phase in Phase)


def test_a_sealed_value_shows_itself_to_nothing() -> None:
    secret = Sealed(Choice("move", "attack-high"))
    shown = [
        repr(secret),
        str(secret),
        f"{secret}",
        f"{secret!r:>40}",
        f"{[secret]}",
        f"{secret}",
    ]
    assert not any("attack" in text for text in shown)
    assert secret != Sealed(Choice("move", "attack-high"))
    for leak in (pickle.dumps, copy.copy, copy.deepcopy, msgspec.json.encode, msgspec.to_builtins):
        with pytest.raises(TypeError) as caught:
            leak(secret)
        assert "attack" not in str(caught.value)
    with pytest.raises(AttributeError):
        secret.value  # noqa: B018
    assert not hasattr(secret, "__dict__")


def test_a_digest_is_bound_to_every_part_of_its_place() -> None:
    place = SealPlace("t", 1, 2, 3, "ada")
    opening = Opening("00" * 32, "move attack-high")
    others = [
        SealPlace("u", 1, 2, 3, "ada"),
        SealPlace("t", 2, 2, 3, "ada"),
        SealPlace("t", 1, 1, 3, "ada"),
        SealPlace("t", 1, 2, 4, "ada"),
        SealPlace("t", 1, 2, 3, "bo"),
        SealPlace("t", 12, 3, 3, "ada"),
    ]
    digests = {seal_digest(p, opening) for p in (place, *others)}
    digests.add(seal_digest(place, Opening("00" * 31 + "01", "move attack-high")))
    digests.add(seal_digest(place, Opening("00" * 32, "move attack-low")))
    assert len(digests) == 9
    with pytest.raises(ValueError, match="32 bytes"):
        seal_digest(place, Opening("00", "move attack-high"))


def test_the_digest_is_the_documented_one() -> None:
    """Worked by hand from the framing that ``seal_digest`` documents, with the shell's sha256sum:
    any other program must come to the same."""
    place = SealPlace("demo", 1, 2, 3, "ada")
    opening = Opening("11" * 32, "move attack-high")
    assert seal_digest(place, opening) == DOCUMENTED


DOCUMENTED = "a36db5724c17058916321279c1f9a9ad116c6d671ee9594de295e1f783c302a0"
