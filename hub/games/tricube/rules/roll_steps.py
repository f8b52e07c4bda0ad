"""The steps of a roll, from the approach to the fallen dice and the karma given for them."""

# ruff: noqa: D102  (the base class Step documents the methods)

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice, Kind, Tally
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import roll as rolls
from hub.games.tricube.rules.flow import easier, helped_by, helpers, with_roll
from hub.games.tricube.rules.perks import check_perks
from hub.games.tricube.rules.roll import FACES
from hub.games.tricube.rules.said import KarmaSaid, read, write
from hub.games.tricube.rules.step import NONE, Step, check_length, one_word
from hub.games.tricube.rules.table import Rolling, Table, Want, rolling_of
from hub.games.tricube.rules.tale import DIFFICULTIES
from hub.games.tricube.rules.throwing import thrown
from hub.kernel.faults import shown

APPROACH = "approach"
PLAIN, QUIRK = "plain", "quirk"
DIE = "die"


# book: quirks.declared, c5.moment
class ApproachStep(Step):
    """Each roller chooses an approach; the GM sets the difficulty, if it is sealed."""

    name = "approach"
    kind = Kind.SEALED
    word = APPROACH

    def must(self, state: Table) -> tuple[str, ...]:
        rolling = state.rolling
        if rolling is None:
            return ()
        return (*rolling.rolls, *((GM,) if rolling.sealed else ()))

    def word_for(self, state: Table, actor: str) -> str:
        return "difficulty" if actor == GM else self.word

    def values(self, state: Table, actor: str) -> Iterator[str]:
        if actor == GM:
            yield from map(str, DIFFICULTIES)
            return
        yield PLAIN
        for quirk in state.tale.characters[actor].quirks:
            yield f"{QUIRK} {quirk}"

    def default(self, state: Table, actor: str) -> str | None:
        return None if actor == GM else PLAIN

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        rolling = rolling_of(state)
        if actor == GM:
            one_word(value, tuple(map(str, DIFFICULTIES)))
            hard = {
                name: rolls.with_difficulty(roll, int(value))
                for name, roll in rolling.rolls.items()
            }
            return replace(_known(state, rolling, int(value)), rolling=replace(rolling, rolls=hard))
        word, _, quirk = value.partition(" ")
        if value != PLAIN:
            one_word(word, (PLAIN, QUIRK))
            made = rolls.with_quirk(state.tale, rolling.rolls[actor], quirk)
            rolling = with_roll(rolling, actor, made)
        return replace(state, rolling=rolling)

    def all_taken(self, state: Table, chance: bytes) -> Table:
        rolling = replace(rolling_of(state), approached=True)
        return replace(state, rolling=rolling)


def _known(state: Table, rolling: Rolling, difficulty: int) -> Table:
    """The table after a challenge's sealed difficulty is revealed."""
    name = rolling.challenge
    if not rolling.is_new or name is None:
        return state
    met = replace(state.tale.challenges[name], difficulty=difficulty)
    return replace(
        state,
        tale=state.tale.with_challenge(name, met),
        sealed_challenges=state.sealed_challenges - {name},
    )


# book: c3.committed
class TableApproachStep(ApproachStep):
    """Like :class:`ApproachStep`, but the table throws the dice, by the random bytes that it sealed
    beforehand."""

    chance: ClassVar[bool] = True

    def all_taken(self, state: Table, chance: bytes) -> Table:
        state = super().all_taken(state, chance)
        return replace(state, rolling=fallen(rolling_of(state), chance))

    def falls_on(self, state: Table, values: Mapping[str, str]) -> dict[str, Any]:
        return counts_of(rolling_of(state))


def fallen(rolling: Rolling, chance: bytes) -> Rolling:
    """The rolls with the dice that the table throws by ``chance``."""
    made = {
        name: rolls.throw(roll, thrown(chance, name, roll.count))
        for name, roll in rolling.rolls.items()
    }
    return replace(rolling, rolls=made)


def counts_of(rolling: Rolling) -> dict[str, Any]:
    """The public input for a throw, under the key ``dice``: roller → how many dice it throws."""
    return {"dice": {name: roll.count for name, roll in rolling.rolls.items()}}


# book: opposed.npcs
class ThrowStep(Step):
    """The GM, or a player that the GM has named, lets the table throw an NPC's dice."""

    name = word = "throw"
    chance: ClassVar[bool] = True

    def must(self, state: Table) -> tuple[str, ...]:
        return throwers(state)

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        one_word(value, ("",))
        return state

    def all_taken(self, state: Table, chance: bytes) -> Table:
        return replace(state, rolling=fallen(rolling_of(state), chance))

    def falls_on(self, state: Table, values: Mapping[str, str]) -> dict[str, Any]:
        return counts_of(rolling_of(state))


def throwers(state: Table) -> tuple[str, ...]:
    """The actors that still have dice to throw, each once."""
    rolling = state.rolling
    if rolling is None:
        return ()
    left = (name for name, roll in rolling.rolls.items() if not roll.dice)
    return tuple(dict.fromkeys(rolling.throwers.get(name, name) for name in left))


# book: c3.by-hand
class DiceStep(Step):
    """Actors enter the dice that they threw by hand, in writing or one by one with cards. Dice
    cannot be changed once entered, because they are on the table."""

    name = word = "dice"
    stands = True

    def must(self, state: Table) -> tuple[str, ...]:
        return throwers(state)

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield from ()

    def _name(self, state: Table, actor: str) -> str:
        rolling = rolling_of(state)
        left = (name for name, roll in rolling.rolls.items() if not roll.dice)
        return next(name for name in left if rolling.throwers.get(name, name) == actor)

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        rolling, name = rolling_of(state), self._name(state, actor)
        words = value.split()
        roll = rolling.rolls[name]
        if len(words) != roll.count or any(word not in map(str, FACES) for word in words):
            example = " ".join("532"[: roll.count])
            raise Refused("", Reason("dice-written", count=roll.count, example=example))
        made = rolls.throw(roll, [int(word) for word in words])
        return replace(state, rolling=with_roll(rolling, name, made))

    def counts(self, state: Table, actor: str, card: Choice) -> tuple[str, ...]:
        return (card.value,) if card.kind == DIE and card.value in map(str, FACES) else ()

    def tally(self, state: Table, actor: str, points: Sequence[str]) -> Tally:
        count = rolling_of(state).rolls[self._name(state, actor)].count
        if len(points) > count:
            raise IllegalChoice(Reason("so-many-dice", count=count, n=len(points)))
        choice = Choice(self.word, " ".join(points)) if len(points) == count else None
        return Tally(tuple(points), count, choice)


# book: perks.reduce, assisting.roll, assisting.one, c12.instead
class KarmaStep(Step):
    """Characters with a helpful perk use it or decline (C5). A character that promised karma for
    one of several rolls is asked again while another roll can be helped."""

    name = word = "karma"
    is_text = True

    def must(self, state: Table) -> tuple[str, ...]:
        return helpers(state)

    def values(self, state: Table, actor: str) -> Iterator[str]:
        able = helped_by(state, actor)
        own = state.tale.characters[actor].perks
        if actor in able:
            yield from (perk for perk in own if perk != NONE)
        for name in able:
            if name != actor:
                yield from (write(KarmaSaid((perk,), name)) for perk in own)
        yield NONE

    def default(self, state: Table, actor: str) -> str | None:
        return NONE

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value == NONE:
            return state
        check_length(value)
        rolling = rolling_of(state)
        said = read(value, KarmaSaid, self.word) if value.startswith("{") else KarmaSaid((value,))
        name = said.roll or actor
        if name not in rolling.rolls:
            names = [*rolling.rolls]
            raise Refused("for", Reason("no-roll-of", text=shown(name), names=names))
        check_perks(state.tale, actor, said.perks)
        if name not in easier(rolling):
            raise Refused("", Reason("karma-changes-nothing", who=name))
        if rolling.asked_again is not None and name not in helped_by(state, actor):
            by = state.promised_by(name) or actor
            raise Refused("", Reason("karma-promised", who=by))
        promising = {**rolling.promising, actor: (name, Want(actor, said.perks))}
        return replace(state, rolling=replace(rolling, promising=promising))

    def all_taken(self, state: Table, chance: bytes) -> Table:
        rolling = rolling_of(state)
        wants = dict(rolling.wants)
        for actor, (name, want) in rolling.promising.items():
            others = wants.get(name, ())
            wants[name] = (want, *others) if actor == name else (*others, want)
        again = replace(rolling, wants=wants, asked_again=(*rolling.promising,), promising={})
        return replace(state, rolling=again)
