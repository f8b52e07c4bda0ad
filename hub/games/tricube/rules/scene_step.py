"""The step between rolls: the GM calls for what comes next, players use perks."""

# ruff: noqa: D102  (the base class Step documents the methods)

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from hub.games.game import GM
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import calls, perks
from hub.games.tricube.rules import said as s
from hub.games.tricube.rules.perks import Use, check_perks
from hub.games.tricube.rules.roll import check_affliction, check_quirk
from hub.games.tricube.rules.said import check_told, read
from hub.games.tricube.rules.step import Declaration, GmsDeclaration, Step, check_length
from hub.games.tricube.rules.table import Asking, Table
from hub.games.tricube.rules.tale import Tale, next_turn

TURN, END = "turn", "end"


def _offer(state: Table, said: s.OfferSaid) -> Table:
    """The table after the GM offered a complication for a karma; the player accepts or refuses."""
    calls.check_here(state, said.who)
    if said.told:
        check_told(said.told, "told")
    if said.quirk is not None:
        check_quirk(state.tale, said.who, said.quirk)
    if said.affliction is not None:
        check_affliction(state.tale, said.who, said.affliction)
    asking = Asking(
        what="complication",
        who=said.who,
        told=said.told,
        quirk=said.quirk,
        affliction=said.affliction,
    )
    return replace(state, asking=asking)


def _changing(change: Callable[[Tale, Any], Tale]) -> Callable[[Table, Any], Table]:
    """The effect of a declaration that changes the tale by ``change``."""
    return lambda state, said: replace(state, tale=change(state.tale, said)).stopped()


def _ending(end: Callable[[Tale, str, str], Tale]) -> Callable[[Table, Any], Table]:
    return _changing(lambda tale, said: end(tale, said.who, said.affliction))


_GMS = (
    GmsDeclaration("oppose", s.Oppose, calls.opposed),
    GmsDeclaration("npcs", s.Npcs, calls.npcs),
    GmsDeclaration("offer", s.OfferSaid, _offer),
    GmsDeclaration("challenge", s.NewChallenge, _changing(calls.begin_challenge)),
    GmsDeclaration("recover", s.AfflictionSaid, _ending(perks.recover)),
    GmsDeclaration("convert", s.AfflictionSaid, _ending(perks.convert)),
)
"""The declarations that the GM may make between two rolls."""


# book: deeper-look.automatic, deeper-look.bypass, deeper-look.attempt, deeper-look.flavour
class UsePerk(Declaration):
    """A player uses perks without a roll; if it costs karma, the GM has to agree (C12)."""

    word = "perk"

    def said(self, state: Table, actor: str, value: str) -> Table:
        check_length(value)
        said = read(value, s.PerkSaid, self.word)
        calls.check_here(state, actor)
        if said.told:
            check_told(said.told, "told")
        tale = state.tale
        instead = None if tale.characters[actor].karma or said.use.is_free else "…"
        perks.use_perk(tale, actor, said.perks, said.use, said.challenge, complication=instead)
        if said.use.is_free:
            return state.stopped()
        asking = Asking(
            what="perk",
            who=actor,
            perks=said.perks,
            use=said.use,
            challenge=said.challenge,
            told=said.told,
        )
        return replace(state, asking=asking)


# book: recovery.cure, recovery.permanent, c15.cure
class Cure(Declaration):
    """A player wants to end an affliction by perks; the GM has to agree (C11)."""

    word = "cure"

    def said(self, state: Table, actor: str, value: str) -> Table:
        check_length(value)
        said = read(value, s.CureSaid, self.word)
        tale, patient = state.tale, said.who or actor
        payer = tale.named(actor)
        if actor in state.away:
            raise Refused("who", Reason("player-has-left", who=actor))
        check_perks(tale, actor, said.perks)
        asking = Asking(
            what="cure", who=actor, patient=patient, affliction=said.affliction, perks=said.perks
        )
        permanent = tale.living(patient).has_permanent(said.affliction)
        cured(state, asking, None if payer.karma or permanent else "…")
        return replace(state, asking=asking)


def cured(state: Table, asking: Asking, complication: str | None) -> Table:
    """The table after a requested cure, for karma or a ``complication``. Raises
    :class:`Refused`."""
    patient = asking.patient or asking.who
    tale, _ = perks.cure(
        state.tale,
        patient,
        asking.affliction or "",
        asking.perks,
        None if patient == asking.who else asking.who,
        complication=complication,
        though_out=True,
    )
    return replace(state, tale=tale)


def used(state: Table, asking: Asking, complication: str | None) -> Table:
    """The table after a requested use of perks, for karma or a ``complication``. Raises
    :class:`Refused`."""
    tale, _ = perks.use_perk(
        state.tale,
        asking.who,
        asking.perks,
        asking.use or Use.IMPACT,
        asking.challenge,
        complication=complication,
    )
    return replace(state, tale=tale)


class SceneStep(Step):
    """The GM calls for the next roll, or ends the turn or the scene."""

    name = "scene"
    word = "call"
    others = (TURN, END)
    is_text = True
    settled = True
    declarations: Sequence[Declaration] = (*_GMS, UsePerk(), Cure())

    def must(self, state: Table) -> tuple[str, ...]:
        return (GM,)

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield TURN
        yield END

    # book: turns.one-defense
    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value == TURN:
            passed = next_turn(state.tale)
            return replace(state, tale=passed, turn=state.turn + 1).stopped()
        if value == END:
            return replace(state, over=True).stopped()
        check_length(value)
        return calls.called(state, read(value, s.Call, self.word))
