"""The steps before, between and after rounds: Reserves, Losses, narration and concessions."""

# ruff: noqa: D102  (the base class Step documents the methods)

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from hub.games.game import GM
from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules import ending
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.rules.declarations import CONCEDE, REFRAME, Declaration
from hub.games.tourists.rules.step import (
    PASS,
    Laying,
    Step,
    Telling,
    characters_of,
    lies_in_reserve,
    telling_of,
)
from hub.games.tourists.rules.table import Table, ended, parted, suffering
from hub.kernel.faults import shown


class _ReserveCards(Laying):
    """A step between rounds: each actor lays or draws Reserve Cards on its own, or passes."""

    others = (PASS,)

    def one_of(self, state: Table) -> tuple[tuple[str, ...], ...]:
        return ()

    def all_taken(self, state: Table, chance: bytes) -> Table:
        return state.stopped()

    def gone(self, state: Table) -> frozenset[int]:
        """The numbers of the cards that are not in the deck."""
        return state.conflict.not_in_deck()

    def open_to(self, state: Table) -> Iterator[int]:
        gone = self.gone(state)
        return (number for number in sorted(state.conflict.deck) if number not in gone)


# book: npc-reserve.before, parties-and-goals.established
class ReserveStep(_ReserveCards):
    """Players register Reserves drawn earlier, card by card (T14)."""

    name = "reserve"

    def must(self, state: Table) -> tuple[str, ...]:
        return state.registering

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        conflict = state.conflict
        lie = (*conflict.reserves[actor], card)
        conflict = replace(conflict, reserves=conflict.reserves | {actor: lie})
        laid = replace(state, conflict=conflict)
        return self.leave_it(laid, actor) if ending.is_full(conflict, actor) else laid

    def leave_it(self, state: Table, actor: str) -> Table:
        left = tuple(who for who in state.registering if who != actor)
        return replace(state, registering=left)


# book: counting-losses.own-words, t10.choice, t15.before
class LossesStep(Step):
    """Each party that suffers a Loss names the cards that mark it and describes it (T10)."""

    name = word = "losses"
    is_text = True

    def must(self, state: Table) -> tuple[str, ...]:
        return characters_of(state.conflict, suffering(state.conflict))

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        ended(state, {state.conflict.party_of[actor]: telling_of(value)})
        return state

    def follow(self, state: Table, values: Mapping[str, str], chance: bytes) -> Table:
        told = {state.conflict.party_of[who]: telling_of(value) for who, value in values.items()}
        return ended(state, told)


# book: narration.order, conceding.wiped-out, t9.telling
class TellStep(Telling):
    """The parties tell in turn how the round went for them: winners, losers, then the others."""

    name = "tell"
    word = "told"
    declarations: Sequence[Declaration] = (REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        narrate = state.conflict.playing().narrate
        return state.conflict.characters_in(narrate[len(state.told)])

    def tell(self, state: Table, party: str, text: str) -> Table:
        return replace(state, told={**state.told, party: text}).stopped()


# book: conceding.moment
class PartStep(Step):
    """Characters may concede; then the GM goes on (T11)."""

    name = "part"
    word = "go-on"
    declarations: Sequence[Declaration] = (CONCEDE, REFRAME)

    def must(self, state: Table) -> tuple[str, ...]:
        return (GM,)

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value:
            raise Refused("", Reason("alone-without", what=self.word, more=shown(value)))
        return parted(state)


# book: using-reserve.refill
class RefillStep(_ReserveCards):
    """Winners may draw a Reserve Card (T12)."""

    name = "refill"
    declarations: Sequence[Declaration] = (REFRAME,)

    def must(self, state: Table) -> tuple[str, ...]:
        return state.refilling

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        drawn = ending.refill(state.conflict, actor, card)
        return self.leave_it(replace(state, conflict=drawn), actor)

    def leave_it(self, state: Table, actor: str) -> Table:
        left = tuple(who for who in state.refilling if who != actor)
        return replace(state, refilling=left)


# book: using-reserve.concede, t11.draw
class PartingStep(RefillStep):
    """Characters that conceded draw for their Reserves when the Conflict has ended (T11)."""

    name = "parting-draw"
    declarations: Sequence[Declaration] = ()

    def must(self, state: Table) -> tuple[str, ...]:
        return tuple(state.leaving)

    def elsewhere(self, state: Table, card: Card) -> Reason | None:
        return lies_in_reserve(state.conflict, card)

    def gone(self, state: Table) -> frozenset[int]:
        return state.conflict.in_reserves()

    def lay(self, state: Table, actor: str, card: Card) -> Table:
        drawn = replace(state, conflict=ending.draw_for_leaving(state.conflict, actor, card))
        more = {**state.leaving, actor: state.leaving[actor] - 1}
        return replace(drawn, leaving={who: n for who, n in more.items() if n})

    def leave_it(self, state: Table, actor: str) -> Table:
        return replace(state, leaving={w: n for w, n in state.leaving.items() if w != actor})
