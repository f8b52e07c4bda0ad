"""The steps that settle a roll (gain, price, fate), and the answers to requests and offers."""

# ruff: noqa: D102  (the base class Step documents the methods)

from collections.abc import Iterator

from msgspec.structs import replace

from hub.games.game import GM
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import flow, perks
from hub.games.tricube.rules.roll import has_won
from hub.games.tricube.rules.said import FateSaid, PriceSaid, check_name, check_told, read
from hub.games.tricube.rules.scene_step import cured, used
from hub.games.tricube.rules.settling import Token
from hub.games.tricube.rules.step import NO, YES, Step, check_length, one_word, settling_now
from hub.games.tricube.rules.table import Asking, Table, What, rolling_of


# book: quirks.karma, quirks.resolve
class RegainStep(Step):
    """A player regains karma or, after a success, resolve for a quirk or an affliction (C6)."""

    name = word = "regain"

    def must(self, state: Table) -> tuple[str, ...]:
        return (settling_now(state),)

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield from Token

    def default(self, state: Table, actor: str) -> str | None:
        return Token.KARMA

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        one_word(value, tuple(Token))
        return flow.regained(state, actor, Token(value))


# book: failure-and-success.which, c9.which, c9.asked
class PriceStep(Step):
    """The GM sets the price of a failure (C9)."""

    name = word = "price"
    is_text = True

    def must(self, state: Table) -> tuple[str, ...]:
        return (GM,)

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        name = settling_now(state)
        if not value:
            return flow.charged(state, name, None)
        check_length(value)
        said = read(value, PriceSaid, self.word)
        for text, part in ((said.complication, "complication"), (said.told, "told")):
            if text:
                check_told(text, part)
        return flow.charged(state, name, said.price())


# book: defeat.victor, c10.stays, c10.fatal
class FateStep(Step):
    """The GM, or the winner of opposed rolls, tells the fate of a defeated character (C10)."""

    name = word = "fate"
    is_text = True

    def must(self, state: Table) -> tuple[str, ...]:
        rolling = rolling_of(state)
        if rolling.what is What.OPPOSED:
            won = (name for name, judged in rolling.judged.items() if has_won(judged))
            return (next((who for who in won if who not in state.away), GM),)
        return (GM,)

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield from ()

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        check_length(value)
        said = read(value, FateSaid, self.word)
        check_name(said.affliction, "affliction")
        return flow.befallen(state, settling_now(state), said.fate())


# book: c10.foe
class VictorStep(Step):
    """The character that took the last effort token tells what becomes of the foe (C10)."""

    name = "victor"
    word = "told"
    is_text = True

    def must(self, state: Table) -> tuple[str, ...]:
        return (rolling_of(state).victor or GM,)

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value:
            check_length(value)
            check_told(value, "")
        return replace(state, rolling=replace(rolling_of(state), victor=None))


def asking_of(state: Table) -> Asking:
    """The open question. Raises :class:`Refused` if there is none."""
    if state.asking is None:
        raise Refused("", Reason("nothing-asked"))
    return state.asking


# book: perks.uses, perks.impact
class NodStep(Step):
    """The GM allows or refuses what a player wants to spend karma on."""

    name = word = "nod"

    def must(self, state: Table) -> tuple[str, ...]:
        return (GM,)

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield YES
        yield NO

    def default(self, state: Table, actor: str) -> str | None:
        return YES

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        one_word(value, (YES, NO))
        return granted(state, None) if value == YES else without(state)


def granted(state: Table, complication: str | None) -> Table:
    """The table after the player's request is carried out, for karma or a ``complication``. Raises
    :class:`Refused`."""
    asking = asking_of(state)
    free = replace(state, asking=None)
    match asking.what:
        case "perk":
            return used(free, asking, complication).stopped()
        case "cure":
            return cured(free, asking, complication).stopped()
        case _:
            return flow.pay(free, asking.roll or "", asking.who, asking.perks, complication)


def without(state: Table) -> Table:
    """The table after the player's request is dropped."""
    stopped = state if state.rolling else state.stopped()
    return replace(stopped, asking=None)


# book: perspective.instead, c12.instead
class InsteadStep(Step):
    """The GM offers a complication to a character without karma, or declines to (C12)."""

    name = "instead"
    word = "complication"
    is_text = True

    def must(self, state: Table) -> tuple[str, ...]:
        return (GM,)

    def default(self, state: Table, actor: str) -> str | None:
        return None

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if not value:
            return without(state)
        check_length(value)
        check_told(value, "")
        return replace(state, asking=replace(asking_of(state), complication=value))


# book: offers.karma, c15.told-first
class AcceptStep(Step):
    """A player accepts or refuses a complication that the GM offers."""

    name = word = "accept"

    def must(self, state: Table) -> tuple[str, ...]:
        who = state.asking.who if state.asking else GM
        return (GM,) if who in state.away else (who,)

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield YES
        yield NO

    def default(self, state: Table, actor: str) -> str | None:
        return None

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        one_word(value, (YES, NO))
        asking = asking_of(state)
        if asking.what != "complication":
            return granted(state, asking.complication) if value == YES else without(state)
        tale, _ = perks.take_complication(
            state.tale, asking.who, asking.quirk, asking.affliction, accepted=value == YES
        )
        return replace(state, tale=tale, asking=None).stopped()
