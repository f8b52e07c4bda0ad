"""Chance in a sealed step: drawn before the cards are laid, revealed together with them."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.audit.verify import verify_log
from hub.games.game import Kind
from hub.games.rulebooks import Rulebooks
from hub.table import acts as i
from hub.table import acts as r
from hub.table.fold import fold_all
from hub.table.preview import preview
from hub.table.sealed import Opening
from hub.table.state import HubMisuse, Phase, TableState, Undoes
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk
from tests.toy.rules import Approach, Reach, ReachGame, dice_of

PLAYERS = ("ada", "bo")


class Rounds(ReachGame):
    """The toy game reduced to its approach, repeated."""

    def __init__(self, ruleset: str, kind: Kind = Kind.SEALED, *, chance: bool = True) -> None:
        self.ruleset = ruleset
        self.approach = Approach()
        self.approach.kind, self.approach.chance = kind, chance

    def step_of(self, state: Reach) -> Approach:
        return self.approach


DICE = "toy-dice"
GAMES = (Rounds(DICE), Rounds("open-dice", Kind.DECISION), Rounds("no-dice", chance=False))
TOYS = Rulebooks({game.ruleset: game for game in GAMES}, {})


def scene(ruleset: str = DICE) -> dict[str, Any]:
    return {"ruleset": ruleset, "number": 7, "players": {name: {} for name in PLAYERS}}


def begun(ruleset: str = DICE) -> TableTalk:
    talk = TableTalk(scene(ruleset), rulebooks=TOYS)
    talk.settings = type(talk.settings)(seats={"ada": ("ada",), "bo": ("bo",), "gm": ()})
    talk.start()
    return talk


def fallen(talk: TableTalk) -> Any:
    """Each player's dice, from the public view."""
    game: Any = talk.view.game
    return {name: player.dice for name, player in game.players.items()}


def dice(chance: str) -> dict[str, tuple[int, ...]]:
    return {name: dice_of(bytes.fromhex(chance), name, 2) for name in PLAYERS}


def play(talk: TableTalk) -> None:
    for seat in PLAYERS:
        talk.place(seat, "approach careful")
    talk.reveal()
    talk.clear()


def events(talk: TableTalk, kind: type) -> list[Any]:
    return [record.event for record in talk.records if isinstance(record.event, kind)]


def problems(records: list[r.Record]) -> tuple[str, ...]:
    return verify_log(log_of(records), "test").problems


def with_revealed(talk: TableTalk, chance: str) -> list[r.Record]:
    """The log of a hub that reveals bytes other than those it has drawn."""
    return [
        r.Record(record.seq, record.at_ms, replace(record.event, chance=chance), record.secret)
        if isinstance(record.event, r.Revealed)
        else record
        for record in talk.records
    ]


def test_the_announced_bytes_decide_the_dice() -> None:
    talk = begun()
    assert talk.events()[-1] == "ChanceSealed"
    for _ in range(2):
        play(talk)
        shown = events(talk, r.Revealed)[-1].chance
        assert fallen(talk) == dice(shown)
    drawn = [record.secret for record in talk.records if isinstance(record.event, r.ChanceSealed)]
    openings = [secret.unseal() for secret in drawn if secret is not None]
    assert all(isinstance(opening, Opening) for opening in openings)
    first, second, _ = (opening.nonce for opening in openings)
    assert [e.chance for e in events(talk, r.Revealed)] == [first, second]
    assert first != second
    assert problems(talk.records) == ()


def test_an_undo_draws_again_but_a_restart_does_not() -> None:
    talk = begun()
    talk.place("ada", "approach careful")
    talk.restart()
    talk.show(bo="approach careful")
    assert len(events(talk, r.ChanceSealed)) == 2, "one for each step"
    game: Any = talk.state.scene and talk.state.scene.game
    again: Any = fold_all(TableState("test", TOYS), talk.records).scene
    assert again.game == game
    talk.place("ada", "approach careful")
    talk.give(i.Undo())
    talk.clear()
    play(talk)
    digests = [e.digest for e in events(talk, r.ChanceSealed)]
    assert len(set(digests)) == len(digests) == 4
    assert problems(talk.records) == ()


def test_a_preview_does_not_show_the_dice() -> None:
    talk = begun("open-dice")
    talk.decide("ada", "approach careful")
    boldly = i.Request(i.Decide("bo", "approach bold"), "bo")
    assert preview(talk.state, talk.settings, boldly) == ()
    talk.decide("bo", "approach bold")
    drawn = bytes.fromhex(events(talk, r.Decided)[-1].chance)
    assert fallen(talk) == {"ada": dice_of(drawn, "ada", 2), "bo": dice_of(drawn, "bo", 3)}


@pytest.mark.parametrize("paused", [False, True], ids=["", "paused"])
@pytest.mark.parametrize("ruleset", [DICE, "open-dice"])
def test_a_scene_that_is_brought_back_draws_again(ruleset: str, paused: bool) -> None:
    talk = begun(ruleset)
    if ruleset == DICE:
        talk.place("ada", "approach careful")
    else:
        talk.decide("ada", "approach careful")
    if paused:
        talk.give(i.Pause())
    talk.give(i.EndScene())
    talk.give(i.Undo(Undoes.END))
    assert talk.view.committed == ()
    assert talk.phase is Phase.PAUSED or not paused
    digests = [e.digest for e in events(talk, r.ChanceSealed)]
    assert len(set(digests)) == len(digests) == 2
    if paused:
        talk.give(i.Resume())
    talk.clear()
    if ruleset == DICE:
        play(talk)
    else:
        for actor in PLAYERS:
            talk.decide(actor, "approach careful")
    assert problems(talk.records) == ()


def test_a_step_without_chance_shows_none() -> None:
    talk = begun("no-dice")
    play(talk)
    (revealed,) = events(talk, r.Revealed)
    assert revealed.chance == "" and not events(talk, r.ChanceSealed)
    assert problems(talk.records) == ()


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("00" * 32, "chance is not the one that was drawn"),
        ("", "the chance that was drawn is not shown"),
        ("zz", "malformed"),
    ],
)
def test_dice_other_than_those_announced_are_found(shown: str, said: str) -> None:
    talk = begun()
    play(talk)
    assert any(said in problem for problem in problems(with_revealed(talk, shown)))


def test_unannounced_dice_are_found() -> None:
    talk = begun("no-dice")
    play(talk)
    (problem,) = problems(with_revealed(talk, "00" * 32))
    assert "never drawn" in problem


def test_a_journal_with_malformed_chance_is_refused() -> None:
    talk = begun()
    play(talk)
    with pytest.raises(HubMisuse, match="does not fit"):
        fold_all(TableState("test", TOYS), with_revealed(talk, "zz"))
