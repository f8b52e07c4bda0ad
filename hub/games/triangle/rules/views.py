"""What everybody at the table may see of a conflict: built field by field from what is public.

Energies are public to all, the moves of player characters too; those of NPCs show only
as they are played (Unroll, Reveal energy), unless a special made them public (R12).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct

from hub.games.game import GameView
from hub.games.triangle.rules.cards import available, run_side
from hub.games.triangle.rules.conflict import Conflict, Ending, Loss, Outcome, Run, Sheet, Turn, Why
from hub.games.triangle.rules.edition import Action, Energy, Move, Special
from hub.games.triangle.rules.effects import Calm, matches
from hub.games.triangle.rules.grammar import write_move, write_stance
from hub.games.triangle.rules.interplay import aimers_of, gains_due, taken
from hub.games.triangle.rules.specials import left_of, used_by
from hub.games.triangle.rules.windows import is_public
from hub.games.views import view_of


# book: reveal.energy, reveal.abilities
class CharacterView(Struct, frozen=True, kw_only=True):
    """A character as everybody sees it."""

    side: str
    energy: Energy
    max: Energy
    zero: tuple[Action, ...]
    """Types that stood at zero at the end of a turn."""
    face_up: tuple[str, ...]
    """Its disadvantage, oldest first."""
    turns: int
    surrendered: bool
    out: bool
    dead: bool
    moves: tuple[str, ...] | None
    """Known moves; None of an NPC, where they are not public unless it was scouted."""
    available: tuple[str, ...] | None
    """Those that can be played; None where the moves are not public."""
    combos: dict[str, tuple[str, ...]] | None
    """Follow-ups by starting move; None unless it was scouted (R12)."""
    specials: tuple[str, ...] | None
    """Known specials, also those that are used up; public as the moves are."""
    specials_left: tuple[str, ...] | None
    """Those that can still be used; public as the moves are."""
    used: tuple[str, ...]
    """Specials that were shown in this conflict, once for each use."""
    bound: str | None
    """Whom alone it can choose as opponent."""
    last_stand: bool
    """Whether nothing takes it out before the end, when it dies."""


class UseView(Struct, frozen=True, kw_only=True):
    """A special that was shown this turn."""

    player: str
    special: str
    copied: str | None
    """What it does, if it copies another."""
    person: str | None
    """Whom it concerns: protected, bound or scouted; None if nobody, or not said yet."""
    unsaid: bool
    """Whether its player has still to say whom it concerns."""
    does: str
    """What it does, under whatever name; of one that copies, what the other one does."""
    action: Action | None
    """For which action, if its effect comes in variations."""


class LossView(Struct, frozen=True, kw_only=True):
    """A loss by part (uncapped), what was really lost and, once decided, from which types."""

    total: int
    stance: int
    own_stance: int
    base: int
    combo: int
    disadvantage: int
    special: int
    """What specials, or the GM's word, add or, below zero, take away."""
    capped: bool
    committed: Action | None
    """The type from which at least ``own_stance`` has to be taken; null if nothing has to be."""
    split: Energy | None


class GainView(Struct, frozen=True, kw_only=True):
    """What a special gives back and its player has still to spread."""

    points: int
    """Exactly so many are regained."""
    room: Energy
    """At most so many of each type, once the loss of this turn is taken."""


class StanceUse(StrEnum):
    """What became of a stance in a turn that was won."""

    COMMITTED = "committed"
    FEINT = "feint"
    """It was of another type than the move."""
    CANCELLED = "cancelled"
    """A special of the loser's took it out."""


class Worth(Struct, frozen=True, kw_only=True):
    """What a move that wins takes by itself."""

    base: int
    times: int
    """How often it takes its player's stance, if that is of its type."""


class TurnView(Struct, frozen=True, kw_only=True):
    """The current turn, or between turns the last one; fields fill as they are revealed."""

    number: int
    active: str
    opponent: str | None
    kept: bool
    stances: dict[str, str] | None
    stance_uses: dict[str, StanceUse]
    moves: dict[str, str] | None
    worth: dict[str, Worth]
    """What the moves take that were shown; a surrender takes nothing and is left out."""
    outcome: Outcome | None
    why: Why | None
    winner: str | None
    loser: str | None
    losses: dict[str, LossView]
    combo_missed: int
    """What a combo against the loser would have added, had the winner's move been a follow-up."""
    specials: tuple[UseView, ...]
    """What was shown, in the order of the reveals."""
    gains: dict[str, Energy]
    """What each has regained by specials so far."""
    gains_due: dict[str, GainView]
    """What is regained once the losses are taken; empty when the turn is settled."""
    aims: dict[str, str]
    """Who splits whose loss: the loser by the one that aims."""
    replaced: dict[str, str]
    """Moves as they were shown first, where another was drawn in their place."""


class ComboView(Struct, frozen=True, kw_only=True):
    """The run that lies face up: moves against one victim, with who played each."""

    victim: str
    moves: tuple[str, ...]
    players: tuple[str, ...]
    bonus: int
    """What a follow-up that wins adds."""
    foes: tuple[str, ...]
    """Who is in on the side against which the victim stands: theirs is the chance to follow up."""


class ResultView(Struct, frozen=True, kw_only=True):
    """How the conflict ended; ``undecided`` as long as the GM has to name the winner."""

    winner: str | None
    reason: Ending
    undecided: bool


class TriangleView(GameView, frozen=True, kw_only=True):
    """A conflict of the Koeninger family."""

    house: str | None
    """The house rules that are played by; None: the book."""
    lethal: bool
    minor: bool
    sides: dict[str, tuple[str, ...]]
    characters: dict[str, CharacterView]
    turn: TurnView | None
    combo: ComboView | None
    may_act: tuple[str, ...]
    """Who may be named for the next turn; empty while a turn is played."""
    result: ResultView | None


class UnrollView(TriangleView, frozen=True, kw_only=True, tag="unroll"):
    """A conflict of Unroll."""


class IronTriangleView(TriangleView, frozen=True, kw_only=True, tag="iron-triangle"):
    """A conflict of Iron Triangle, second text."""


class IronTriangle1eView(TriangleView, frozen=True, kw_only=True, tag="iron-triangle-1e"):
    """A conflict of Iron Triangle, first text."""


ViewT = TypeVar("ViewT", bound=TriangleView)
ShownT = TypeVar("ShownT")


def public_view(view: type[ViewT], conflict: Conflict, may_act: tuple[str, ...]) -> ViewT:
    """Everything public, and nothing else."""
    scene, run, result = conflict.scene, conflict.run, conflict.result
    return view_of(
        view,
        scene,
        house=scene.edition.id if scene.edition.base else None,
        characters={name: _character(conflict, sheet) for name, sheet in scene.sheets.items()},
        turn=_turn(conflict, conflict.turn) if conflict.turn else None,
        combo=_combo(conflict, run) if run else None,
        may_act=may_act,
        result=view_of(ResultView, result) if result else None,
    )


def public_specials(conflict: Conflict) -> Iterator[Special]:
    """What everybody may know that somebody has: of public sheets all, of others what was shown."""
    for name, sheet in conflict.scene.sheets.items():
        yield from sheet.specials if is_public(conflict, name) else used_by(conflict, name)


def _combo(conflict: Conflict, run: Run) -> ComboView:
    players, moves = zip(*run.cards, strict=True)
    moves = tuple(map(str, moves))
    side = run_side(conflict)
    others = (name for name, sheet in conflict.scene.sheets.items() if sheet.side == side)
    foes = tuple(name for name in others if not conflict.fighters[name].out)
    return ComboView(victim=run.victim, moves=moves, players=players, bonus=len(moves), foes=foes)


def _character(conflict: Conflict, sheet: Sheet) -> CharacterView:
    fighter, public = conflict.fighters[sheet.name], is_public(conflict, sheet.name)
    return CharacterView(
        side=sheet.side,
        energy=fighter.energy,
        max=sheet.max,
        zero=fighter.zero,
        face_up=_cards(fighter.face_up),
        turns=fighter.turns,
        surrendered=fighter.surrendered,
        out=fighter.out,
        dead=fighter.dead,
        moves=_cards(sheet.moves) if public else None,
        available=_cards(available(conflict, sheet.name)) if public else None,
        combos={start: tuple(sorted(moves)) for start, moves in sheet.combos.items()}
        if fighter.scouted
        else None,
        specials=_cards(sheet.specials) if public else None,
        specials_left=_cards(left_of(conflict, sheet.name)) if public else None,
        used=_cards(used_by(conflict, sheet.name)),
        bound=conflict.bond(sheet.name) or None,
        last_stand=fighter.last_stand,
    )


def _cards(cards: Iterable[Move | Special]) -> tuple[str, ...]:
    return tuple(map(str, cards))


def _turn(conflict: Conflict, turn: Turn) -> TurnView:
    verdict = turn.verdict
    splits = turn.divided if turn.splits is None else turn.splits
    losses = verdict.losses if verdict else {}
    return view_of(
        TurnView,
        turn,
        opponent=turn.opponent or None,
        stances=_written(turn.stances, write_stance),
        stance_uses=dict(_stance_uses(turn)),
        moves=_written(turn.moves, write_move),
        worth={
            name: Worth(base=move.base, times=move.multiplier)
            for name, move in (turn.moves or {}).items()
            if move
        },
        **{key: getattr(verdict, key, None) for key in ("outcome", "why", "winner", "loser")},
        losses={name: _loss(loss, splits.get(name)) for name, loss in losses.items()},
        combo_missed=verdict.missed if verdict else 0,
        specials=tuple(
            view_of(
                UseView,
                use,
                special=str(use.special),
                copied=str(use.copied) if use.copied else None,
                person=use.person or None,
                unsaid=use in turn.unsaid,
                does=use.effect,
                action=use.does.action,
            )
            for use in (*turn.uses, *turn.unsaid)
        ),
        gains_due=_gains_due(conflict, turn) if turn.splits is None and not conflict.result else {},
        aims={aimer: loser for loser, aimer in aimers_of(turn).items() if loser in losses},
        replaced=_written(turn.replaced, write_move),
    )


def _written(
    shown: Mapping[str, ShownT] | None, write: Callable[[ShownT], str]
) -> dict[str, str] | None:
    return None if shown is None else {name: write(card) for name, card in shown.items()}


# book: stance.matching-win, stance.feint, calm.effect
def _stance_uses(turn: Turn) -> Iterator[tuple[str, StanceUse]]:
    verdict, moves = turn.verdict, turn.moves or {}
    if not verdict or not verdict.winner or verdict.outcome is not Outcome.WIN:
        return
    calmed = any(
        use.player == verdict.loser
        and use.effect == Calm.id
        and matches(use, moves.get(verdict.winner))
        for use in turn.uses
    ) and any(loss.special < 0 for name, loss in verdict.losses.items() if name != verdict.winner)
    for name, stance in (turn.stances or {}).items():
        move = moves.get(name)
        if stance and move and stance.action == move.action:
            cancelled = calmed and name == verdict.winner
            yield name, StanceUse.CANCELLED if cancelled else StanceUse.COMMITTED
        elif stance:
            yield name, StanceUse.FEINT


def _gains_due(conflict: Conflict, turn: Turn) -> dict[str, GainView]:
    lost = taken(conflict, turn, turn.divided)
    found = {}
    for name, due in gains_due(turn).items():
        left = conflict.fighters[name].energy.minus(lost.get(name, Energy()))
        room = conflict.scene.sheets[name].max.minus(left)
        found[name] = GainView(points=min(due, room.total), room=room)
    return found


def _loss(loss: Loss, split: Energy | None) -> LossView:
    return view_of(LossView, loss, capped=loss.raw > loss.total, split=split)
