"""Playing a character in its player's place: the GM, if the player has left, or the hub."""

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from hub.games.game import GM
from hub.games.telling import Words
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, name, said
from hub.table.acts import commit, reveal
from hub.table.inputs import Command, Request, SeatPage
from hub.table.records import Record, TableEvent
from hub.table.sealed import from_hub
from hub.table.seating import cast, home_of, people, seated
from hub.table.state import HUB_PLAYER, Phase, SeatFault, TableState
from hub.table.transaction import Transaction

_MOST_ACTORS = 100


class PlayFor(Command, frozen=True, tag="play-for"):
    """Start to play a character whose player has left, as the GM, or (``on`` false) stop. A seat
    may take its own character back."""

    actor: str
    on: bool

    gm_only: ClassVar[bool] = False

    def is_for(self, page: SeatPage) -> bool:
        return self.actor in page.actors

    def judge(self, transaction: Transaction, request: Request) -> None:
        actor, state, by = self.actor, transaction.state, request.by
        seat = home_of(transaction.settings, state, actor)
        if by != GM and self.on:
            raise SeatFault(Reason("for-the-gm"))
        if by not in {GM, seat}:
            raise SeatFault(Reason("played-elsewhere", who=actor, seat=seat, asked=by))
        if seat in {GM, transaction.settings.gm_seat}:
            raise SeatFault(Reason("gm-plays-anyway", who=actor))
        if self.on == (actor in state.gm_plays):
            if self.on:
                raise SeatFault(Reason("gm-plays-already", who=actor))
            raise SeatFault(Reason("gm-plays-not", who=actor))
        if self.on and actor in state.hub_plays:
            _let_hub_play(transaction, (actor,), on=False)
        transaction.emit(PlayedByGm(actor=actor, on=self.on))


class PlayedByGm(TableEvent, frozen=True, kw_only=True, tag="played-by-gm"):
    """The GM starts or stops playing a character whose player has left. The player's seals stay
    sealed, even for the GM."""

    actor: str
    on: bool

    def fold(self, state: TableState, record: Record) -> TableState:
        others = state.gm_plays - {self.actor}
        return replace(state, gm_plays=others | {self.actor} if self.on else others)

    def told(self, words: Words) -> list[Said]:
        key = "gm.log.played-by-gm" if self.on else "gm.log.played-by-gm.over"
        return [said(key, name=name(self.actor))]


class LetHubPlay(Command, frozen=True, tag="let-hub-play"):
    """Let the hub start or (``on`` false) stop playing these actors. A seat may take its own
    characters back."""

    actors: Annotated[tuple[str, ...], Meta(min_length=1, max_length=_MOST_ACTORS)]
    """Characters, or ``gm``: then the hub makes the GM's decisions as referee."""
    on: bool

    gm_only: ClassVar[bool] = False

    def is_for(self, page: SeatPage) -> bool:
        return page.actors.issuperset(self.actors)

    def judge(self, transaction: Transaction, request: Request) -> None:
        for actor in self.actors:
            _check(transaction, actor, request.by, on=self.on)
        _let_hub_play(transaction, self.actors, on=self.on)


class PlayedByHub(TableEvent, frozen=True, kw_only=True, tag="played-by-hub"):
    """The hub starts or stops playing a character."""

    actor: str
    """A character, or ``gm``: then the hub makes the GM's decisions as referee."""
    on: bool

    def fold(self, state: TableState, record: Record) -> TableState:
        others = state.hub_plays - {self.actor}
        return replace(state, hub_plays=others | {self.actor} if self.on else others)

    def told(self, words: Words) -> list[Said]:
        return [said(f"gm.log.hub.{'on' if self.on else 'off'}", actor=name(self.actor))]


def _let_hub_play(transaction: Transaction, actors: tuple[str, ...], *, on: bool) -> None:
    for actor in dict.fromkeys(actors):
        if (actor in transaction.state.hub_plays) != on:
            if on and actor in transaction.state.gm_plays:
                transaction.emit(PlayedByGm(actor=actor, on=False))
            transaction.emit(PlayedByHub(actor=actor, on=on))
            if not on:
                _take_up_cards(transaction, actor)
    reveal.lock_if_complete(transaction)


def _check(transaction: Transaction, actor: str, by: str, *, on: bool) -> None:
    state, scene = transaction.state, transaction.state.scene
    if by == GM:
        playing = scene.rules.actors(scene.game) if scene else ()
        named = (*people(state, transaction.settings), *cast(state))
        # A character that has left can still be taken back from the hub.
        if actor not in {GM, *named, *playing, *state.hub_plays}:
            raise SeatFault(Reason("nobody-plays", who=ascii(actor)))
        return
    if on:
        raise SeatFault(Reason("for-the-gm"))
    settings = seated(transaction.settings, state)
    seats = scene.seats if scene and scene.seat_of(actor) else settings.seating([actor])
    seat = next((seat for seat, actors in seats.items() if actor in actors), None)
    if seat is None or actor == GM:
        raise SeatFault(Reason("nobody-plays", who=ascii(actor)))
    if seat != by:
        raise SeatFault(Reason("played-elsewhere", who=actor, seat=seat, asked=by))


def _take_up_cards(transaction: Transaction, actor: str) -> None:
    """Take back the hub's seals for an actor whose player chooses again, as far as still possible.
    Seals made by a page or a card remain."""
    scene = transaction.state.scene
    if scene is None or transaction.phase is not Phase.SEALED:
        return
    for each in scene.beside.get(actor, ()):
        if each.browser == HUB_PLAYER:
            commit.withdraw(transaction, each)
    seal = scene.seals.get(actor)
    if seal is not None and seal.origin == from_hub(seal.seat):
        commit.take_seal_back(transaction, seal)
