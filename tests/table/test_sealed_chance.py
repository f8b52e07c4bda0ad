"""Chance in a sealed step: drawn before the cards lie, met by them, shown with them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from hub.rules.game import Choice, GameView, IllegalChoice, Kind, Offer, Pending, Word
from hub.rules.reasons import Reason
from hub.rules.rulebooks import Rulebooks
from hub.table import inputs as i
from hub.table import records as r
from hub.table.fold import fold_all
from hub.table.preview import preview
from hub.table.sealed import Opening
from hub.table.state import HubMisuse, Phase, TableState, Undoes
from hub.wire.log import decode_line
from hub.wire.verify import verify_log
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk

PLAYERS = ("ada", "bo")


class Bets(Struct, frozen=True):
    """Both have bet and the dice fell so far."""

    rolls: tuple[bytes, ...] = ()
    chance: bool = True


class Dice:
    """Everybody seals a bet; the dice that meet the bets are drawn before the first one lies."""

    ruleset = "toy-dice"
    rulings = 1

    def begin(self, setup: Mapping[str, Any], rulings: int = 2) -> Bets:
        return Bets(chance=setup.get("chance", True))

    def actors(self, state: Bets) -> tuple[str, ...]:
        return PLAYERS

    def sides(self, state: Bets) -> tuple[str, ...]:
        return ()

    def pending(self, state: Bets) -> Pending:
        return Pending("bet", Kind.SEALED, PLAYERS, ("bet",), chance=state.chance)

    def why_not(
        self, state: Bets, actor: str, choice: Choice, beside: Sequence[Choice] = ()
    ) -> Reason | None:
        return None if choice.kind == "bet" else Reason("wrong-kind", what="bet", kind=choice.kind)

    def offers(self, state: Bets, actor: str) -> tuple[Offer, ...]:
        return (Offer(Choice("bet", "6")),)

    def advance(
        self,
        state: Bets,
        choices: Mapping[str, Choice],
        chance: bytes = b"",
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> Bets:
        return Bets((*state.rolls, chance), state.chance)

    def declare(self, state: Bets, actor: str, choice: Choice) -> Bets:
        raise IllegalChoice(Reason("alone", what=choice.kind))

    def overrules(self, state: Bets) -> tuple[str, ...]:
        return ()

    def word(self, state: Bets, given: Word | str) -> Word:
        raise IllegalChoice(Reason("word-as-values"))

    def overrule(self, state: Bets, word: Word) -> Bets:
        raise IllegalChoice(Reason("word-as-values"))

    def turn(self, state: Bets) -> int:
        return len(state.rolls) + 1

    def view(self, state: Bets) -> GameView:
        return GameView()


class Rolled(GameView, frozen=True, kw_only=True):
    """Everybody sees how the dice fell."""

    result: str


class OpenDice(Dice):
    """The bets are made by word."""

    ruleset = "open-dice"

    def pending(self, state: Bets) -> Pending:
        return Pending("bet", Kind.DECISION, PLAYERS, ("bet",), chance=state.chance)

    def view(self, state: Bets) -> GameView:
        return Rolled(result="".join(roll.hex() for roll in state.rolls))


TOYS = Rulebooks({dice.ruleset: dice for dice in (Dice(), OpenDice())}, {})


def bets(ruleset: str = "toy-dice", **setup: Any) -> TableTalk:
    talk = TableTalk({"ruleset": ruleset, **setup}, rulebooks=TOYS)
    talk.settings = type(talk.settings)(seats={"ada": ("ada",), "bo": ("bo",), "gm": ()})
    talk.start()
    return talk


def play(talk: TableTalk) -> None:
    for seat in PLAYERS:
        talk.place(seat, "bet 6")
    talk.reveal()
    talk.clear()


def events(talk: TableTalk, kind: type) -> list[Any]:
    return [record.event for record in talk.records if isinstance(record.event, kind)]


def problems(records: list[r.Record]) -> tuple[str, ...]:
    return verify_log(log_of(records), "test").problems


def with_revealed(talk: TableTalk, chance: str) -> list[r.Record]:
    """The log of a hub that shows other bytes at the reveal than those it has drawn."""
    return [
        r.Record(
            record.seq,
            record.at_ms,
            replace(record.event, chance=chance),
            record.secret,
        )
        if isinstance(record.event, r.Revealed)
        else record
        for record in talk.records
    ]


def test_the_bytes_that_were_announced_meet_the_cards() -> None:
    talk = bets()
    assert talk.events()[-1] == "ChanceSealed"
    play(talk)
    play(talk)
    drawn = [record.secret for record in talk.records if isinstance(record.event, r.ChanceSealed)]
    openings = [secret.unseal() for secret in drawn if secret is not None]
    assert all(isinstance(opening, Opening) for opening in openings)
    game: Any = talk.state.scene and talk.state.scene.game
    assert [roll.hex() for roll in game.rolls] == [opening.nonce for opening in openings[:2]]
    assert [e.chance for e in events(talk, r.Revealed)] == [roll.hex() for roll in game.rolls]
    assert game.rolls[0] != game.rolls[1]
    assert problems(talk.records) == ()


def test_a_restart_draws_nothing_anew_and_an_undo_does() -> None:
    talk = bets()
    talk.place("ada", "bet 6")
    talk.restart()
    talk.place("bo", "bet 6")
    talk.reveal()
    talk.clear()
    assert len(events(talk, r.ChanceSealed)) == 2, "one for each step"
    game: Any = talk.state.scene and talk.state.scene.game
    again: Any = fold_all(TableState("test", TOYS), talk.records).scene
    assert again.game == game
    talk.place("ada", "bet 6")
    talk.give(i.Undo())
    talk.clear()
    play(talk)
    digests = [e.digest for e in events(talk, r.ChanceSealed)]
    assert len(set(digests)) == len(digests) == 4
    assert problems(talk.records) == ()


def test_what_is_drawn_shows_itself_to_nobody_who_looks_first() -> None:
    talk = bets("open-dice")
    talk.decide("ada", "bet 6")
    assert preview(talk.state, talk.settings, i.Decide("bo", Choice("bet", "1"), "bo")) == ()
    talk.decide("bo", "bet 1")
    assert events(talk, r.Decided)[-1].chance in talk.view.game.result  # type: ignore[union-attr]


@pytest.mark.parametrize("paused", [False, True], ids=["", "paused"])
@pytest.mark.parametrize("ruleset", ["toy-dice", "open-dice"])
def test_a_scene_that_is_brought_back_draws_anew(ruleset: str, paused: bool) -> None:
    talk = bets(ruleset)
    if ruleset == "toy-dice":
        talk.place("ada", "bet 6")
    else:
        talk.decide("ada", "bet 6")
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
    if ruleset == "toy-dice":
        play(talk)
    else:
        for actor in PLAYERS:
            talk.decide(actor, "bet 6")
    assert problems(talk.records) == ()


def test_a_step_without_chance_shows_none() -> None:
    talk = bets(chance=False)
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
def test_other_dice_than_those_announced_are_found(shown: str, said: str) -> None:
    talk = bets()
    play(talk)
    (problem,) = problems(with_revealed(talk, shown))
    assert said in problem


def test_dice_that_nobody_announced_are_found() -> None:
    talk = bets(chance=False)
    play(talk)
    (problem,) = problems(with_revealed(talk, "00" * 32))
    assert "never drawn" in problem


def test_a_journal_whose_dice_are_no_bytes_is_refused() -> None:
    talk = bets()
    play(talk)
    with pytest.raises(HubMisuse, match="does not fit"):
        fold_all(TableState("test", TOYS), with_revealed(talk, "zz"))


def test_a_log_from_before_shows_no_bytes_at_its_reveals() -> None:
    line = (
        b'{"at_ms":1,"beside":{},"openings":{},"prev":"' + b"0" * 64 + b'","schema":1,"seq":1,'
        b'"type":"revealed"}'
    )
    assert decode_line(line).event == r.Revealed(openings={})
