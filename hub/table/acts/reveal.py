"""The lock and the reveal: all seals open at once, together with the random bytes that were drawn
before anyone chose."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from hub.games.game import Choice, Fall
from hub.games.telling import Words
from hub.kernel.texts import Said, name, said
from hub.table.fold import next_phase, scene_of, with_scene
from hub.table.records import Event, Groups, Record, secret_of, some_groups
from hub.table.sealed import CHANCE, HUB, Kept, Opening, SealKind, SealPlace, seal_digest
from hub.table.state import Phase, TableState
from hub.table.transaction import Transaction


class SealMade(Event, frozen=True, kw_only=True):
    """A seal was made in this phase. Its secret has the opening of ``digest``."""

    scene: int
    turn: int
    phase: int
    digest: str
    """The digest of the seal; see :func:`hub.table.sealed.seal_digest`."""

    kind: ClassVar[SealKind]

    def place(self, log: str, table: str) -> SealPlace:
        """Where and when the seal was made; ``log`` is the log's id, ``table`` the table's name."""
        return SealPlace(log, table, self.scene, self.turn, self.phase, "", self.kind, HUB)


def emit_sealed(
    transaction: Transaction, event: SealMade, opening: Opening, secret: Kept | Opening
) -> None:
    """Write ``event``, a seal, with the digest of ``opening``. ``secret`` is kept in the
    journal."""
    place = event.place(transaction.state.log, transaction.state.table)
    transaction.emit(replace(event, digest=seal_digest(place, opening)), secret)


class ChanceSealed(SealMade, frozen=True, kw_only=True, tag="chance-sealed"):
    """Random bytes were drawn before the choices that they will affect. The secret is an
    :class:`Opening` whose nonce is these bytes and whose choice is ``chance``; it has no actor."""

    kind: ClassVar[SealKind] = SealKind.CHANCE
    secret_type: ClassVar[Any] = Opening
    awaits_reveal: ClassVar[bool] = True

    def fold(self, state: TableState, record: Record) -> TableState:
        return with_scene(state, chance=secret_of(record, Opening))


class Locked(Event, frozen=True, kw_only=True, tag="locked"):
    """All awaited actors have committed: nothing can be taken back any more."""

    reveal_at_ms: int
    """When the reveal is due (ms since the Unix epoch)."""
    scene: int = 0
    turn: int = 0
    phase: int = 0
    awaited: tuple[str, ...] = ()
    """The actors that had to choose, in the rules' order."""
    digests: tuple[str, ...] = ()
    """Digests of everything locked: the seals of the awaited actors in that order, then the cards
    beside, by actor's name and then in the order of their :class:`SetBeside`."""
    one_of: Groups | UnsetType = UNSET
    """Groups in which one actor, listed in ``awaited``, chose for all; left out if none."""

    awaits_reveal: ClassVar[bool] = True

    def __post_init__(self) -> None:
        some_groups(self.one_of)

    def fold(self, state: TableState, record: Record) -> TableState:
        return with_scene(state, reveal_at_ms=self.reveal_at_ms)


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """All seals of the phase were opened at once. ``openings``: actor → opening."""

    phase: int = 0

    openings: dict[str, Opening]
    beside: dict[str, tuple[Opening, ...]] = msgspec.field(default_factory=dict)
    """The cards beside the step, by actor (sorted by name), in the order of :class:`SetBeside`."""
    chance: str = ""
    """The random bytes that were sealed, in hex; empty if the step has no chance."""
    one_of: Groups | UnsetType = UNSET
    """Groups in which one actor chose for all; left out if there are none."""
    fell: Fall | UnsetType = UNSET
    """The outcome of the bytes in ``chance``, if the rules tell it; left out otherwise."""

    def __post_init__(self) -> None:
        some_groups(self.one_of)

    def fold(self, state: TableState, record: Record) -> TableState:
        scene = scene_of(state)
        choices = {actor: Choice.parse(opened.choice) for actor, opened in self.openings.items()}
        beside = {a: [Choice.parse(o.choice) for o in lay] for a, lay in self.beside.items()}
        chance = bytes.fromhex(self.chance)
        advanced = scene.rules.advance(scene.game, choices, chance, beside)
        after = next_phase(scene, advanced)
        after = replace(after, checkpoint_seq=record.seq, step=None, step_seq=0)
        after = replace(after, checkpoint=after)
        return replace(state, scene=after, revealed_at_ms=record.at_ms)

    def cards(self) -> Mapping[str, Choice]:
        return {actor: Choice.written(opened.choice) for actor, opened in self.openings.items()}

    def told(self, words: Words) -> list[Said]:
        told = [
            said("gm.log.shown", actor=name(actor), card=words.card(choice))
            for actor, choice in self.cards().items()
        ]
        for actor, lay in self.beside.items():
            for opened in lay:
                special = words.card(Choice.written(opened.choice))
                told.append(said("gm.log.beside", actor=name(actor), special=special))
        return told


def draw_chance(transaction: Transaction) -> None:
    """Draw the random bytes of a step that has chance, and publish their digest."""
    scene = transaction.state.scene
    if scene is None or not scene.pending.chance:
        return
    drawn = ChanceSealed(scene=scene.number, turn=scene.turn, phase=scene.phase_no, digest="")
    opening = Opening(transaction.nonce(), CHANCE)
    emit_sealed(transaction, drawn, opening, opening)


def chance_of(transaction: Transaction) -> str:
    """The random bytes sealed when the step began, in hex; empty if the step uses none."""
    chance = transaction.scene.chance
    return chance.unseal().nonce if chance else ""


def fall_of(
    transaction: Transaction,
    choices: Mapping[str, Choice],
    beside: Mapping[str, Sequence[Choice]] = {},
) -> Fall | UnsetType:
    """The outcome of the random bytes with these choices; unset if the rules do not tell it."""
    scene, chance = transaction.scene, chance_of(transaction)
    if not chance or not scene.rules.tells_falls:
        return UNSET
    on = scene.rules.falls_on(scene.game, choices, beside)
    came = scene.rules.fall(on, choices, bytes.fromhex(chance))
    return Fall(on={**on}, came={**came})


def lock_if_complete(transaction: Transaction) -> None:
    """Lock all seals when the last awaited one is in, and no sealed card is in doubt.

    A card that the reader's last look missed may have been lifted before the others had
    committed, so the lock waits for the few looks that decide it.
    """
    if transaction.phase is not Phase.SEALED:
        return
    scene = transaction.scene
    if scene.waits_for() or scene.answers:
        return
    if not any(s.doubtful and s.bound in scene.seals for s in transaction.desk.values()):
        cards = [scene.seals[actor] for actor in scene.awaited()]
        cards += [seal for _, lie in sorted(scene.beside.items()) for seal in lie]
        transaction.emit(
            Locked(
                reveal_at_ms=transaction.now_ms + transaction.settings.reveal_delay_ms,
                scene=scene.number,
                turn=scene.turn,
                phase=scene.phase_no,
                awaited=scene.awaited(),
                digests=tuple(seal.digest for seal in cards),
                one_of=scene.pending.one_of or UNSET,
            )
        )
        reveal_if_due(transaction)


def reveal_if_due(transaction: Transaction) -> None:
    """Open all seals at once when the reveal is due."""
    scene = transaction.scene
    if scene.reveal_at_ms is None or transaction.now_ms < scene.reveal_at_ms:
        return
    made = {actor: scene.seals[actor] for actor in scene.awaited()}
    lie = scene.beside
    transaction.emit(
        Revealed(
            phase=scene.phase_no,
            openings={actor: seal.opening() for actor, seal in made.items()},
            beside={a: tuple(seal.opening() for seal in each) for a, each in lie.items()},
            chance=chance_of(transaction),
            one_of=scene.pending.one_of or UNSET,
            fell=fall_of(
                transaction,
                {actor: seal.choice() for actor, seal in made.items()},
                {a: [seal.choice() for seal in each] for a, each in lie.items()},
            ),
        )
    )
