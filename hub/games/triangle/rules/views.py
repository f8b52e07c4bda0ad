"""The public view of a conflict, built field by field from public data.

All energies are public, and so are the moves of player characters. An NPC's move is shown only once
it is played (Unroll, Reveal energy), unless a special has made its moves public (R12).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct

from hub.games.game import GameView, view_of
from hub.games.triangle.rules.cards import available, run_side
from hub.games.triangle.rules.conflict import Conflict, Ending, Outcome, Run, Sheet, Turn, Why
from hub.games.triangle.rules.edition import Action, Energy, Move, Special
from hub.games.triangle.rules.effects import Calm, matches
from hub.games.triangle.rules.grammar import write_move, write_stance
from hub.games.triangle.rules.interplay import aimers_of, gain_after, gains_due
from hub.games.triangle.rules.risks import risks
from hub.games.triangle.rules.specials import left_of, used_by
from hub.games.triangle.rules.windows import is_public
from hub.kernel.memo import Memo


# book: reveal.energy, reveal.abilities
class CharacterView(Struct, frozen=True, kw_only=True):
    """A character in a conflict, as everybody may see it."""

    side: str
    energy: Energy
    max: Energy
    zero: tuple[Action, ...]
    """The energy types that were at zero at the end of a turn."""
    face_up: tuple[str, ...]
    """The character's disadvantage: its lost moves, oldest first."""
    turns: int
    surrendered: bool
    out: bool
    dead: bool
    moves: tuple[str, ...] | None
    """Known moves; None for an NPC that was not scouted."""
    available: tuple[str, ...] | None
    """Moves that can be played now; None if the moves are not public."""
    combos: dict[str, tuple[str, ...]] | None
    """Starting move → its follow-ups; None unless the character was scouted (R12)."""
    specials: tuple[str, ...] | None
    """Known specials, including used ones; None if the moves are not public."""
    specials_left: tuple[str, ...] | None
    """Known specials that can still be used; None if the moves are not public."""
    used: tuple[str, ...]
    """Specials shown in this conflict, one entry per use."""
    bound: str | None
    """The only possible opponent; None if the character is free."""
    last_stand: bool
    """Whether the character stays in the conflict until its end, and then dies."""


class UseView(Struct, frozen=True, kw_only=True):
    """A special that was shown this turn."""

    player: str
    special: str
    copied: str | None
    """The special that is copied; None if none is."""
    person: str | None
    """The character that the special protects, binds or scouts; None if there is none, or none
    named yet."""
    unsaid: bool
    """Whether the special's player still has to name that character."""
    does: str
    """The id of the effect that applies, which may be that of a copied special."""
    action: Action | None
    """The action of the special's variation; None if it has no variations."""


class LossView(Struct, frozen=True, kw_only=True):
    """A loss: its parts, the actual total and, once decided, how it is divided among the types."""

    total: int
    stance: int
    own_stance: int
    base: int
    combo: int
    disadvantage: int
    special: int
    """Points that specials or the GM add; negative if they reduce the loss."""
    capped: bool
    """Whether the parts add up to more than ``total``."""
    committed: Action | None
    """The type from which at least ``own_stance`` must be taken; None if there is no such
    limit."""
    split: Energy | None


class GainView(Struct, frozen=True, kw_only=True):
    """A gain by a special that has not been spread yet."""

    points: int
    """The exact number of points regained."""
    room: Energy
    """The most points for each type, after the loss of this turn."""


class StanceUse(StrEnum):
    """How a stance counted in a turn with a winner."""

    COMMITTED = "committed"
    FEINT = "feint"
    """The stance's type differed from the move's."""
    CANCELLED = "cancelled"
    """The loser's special cancelled the winner's stance."""


class Worth(Struct, frozen=True, kw_only=True):
    """The numbers of a move that was shown, which count if it wins."""

    base: int
    times: int
    """The number that the player's stance is multiplied by, if that is of the move's type."""


class TurnView(Struct, frozen=True, kw_only=True):
    """The current turn or, between turns, the last one. Fields are None or empty until their
    content is revealed."""

    number: int
    active: str
    opponent: str | None
    kept: bool
    stances: dict[str, str] | None
    stance_uses: dict[str, StanceUse]
    risks: dict[str, dict[Action, int]]
    """While the moves are awaited: character → action of a move that can beat it → the most that it
    then loses, as far as is public, without specials. Otherwise empty."""
    moves: dict[str, str] | None
    worth: dict[str, Worth]
    """Player → the numbers of the shown move; surrenders are left out."""
    outcome: Outcome | None
    why: Why | None
    winner: str | None
    loser: str | None
    losses: dict[str, LossView]
    combo_missed: int
    """Points that the combo against the loser would have added; 0 if the winner continued it, or if
    there was none."""
    specials: tuple[UseView, ...]
    """The specials of the turn, in the order in which they were revealed."""
    gains: dict[str, Energy]
    """Character → energy regained by specials so far."""
    gains_due: dict[str, GainView]
    """Character → gain due after the losses; empty once the turn is settled."""
    aims: dict[str, str]
    """Player of an aiming special → the opponent whose loss that player splits."""
    replaced: dict[str, str]
    """Player → the move first shown, if a drawn one replaced it."""


class ComboView(Struct, frozen=True, kw_only=True):
    """The combo on the table: moves against one victim, oldest first, with the player of each."""

    victim: str
    moves: tuple[str, ...]
    players: tuple[str, ...]
    bonus: int
    """Points that a winning follow-up adds."""
    foes: tuple[str, ...]
    """The victim's foes who are still in."""


class ResultView(Struct, frozen=True, kw_only=True):
    """How the conflict ended. ``undecided``: the GM still has to name the winner."""

    winner: str | None
    reason: Ending
    undecided: bool


class TriangleView(GameView, frozen=True, kw_only=True):
    """A conflict of one of the three books."""

    house: str | None
    """The id of the house rules; None for the plain book."""
    lethal: bool
    minor: bool
    sides: dict[str, tuple[str, ...]]
    characters: dict[str, CharacterView]
    turn: TurnView | None
    combo: ComboView | None
    may_act: tuple[str, ...]
    """Characters who may be named for the next turn; empty during a turn."""
    result: ResultView | None


class UnrollView(TriangleView, frozen=True, kw_only=True, tag="unroll"):
    """A conflict of Unroll."""


class IronTriangleView(TriangleView, frozen=True, kw_only=True, tag="iron-triangle"):
    """A conflict of Iron Triangle, second text."""


class IronTriangle1eView(TriangleView, frozen=True, kw_only=True, tag="iron-triangle-1e"):
    """A conflict of Iron Triangle, first text."""


ViewT = TypeVar("ViewT", bound=TriangleView)
ShownT = TypeVar("ShownT")
_MADE = Memo()


def public_view(view: type[ViewT], conflict: Conflict, may_act: tuple[str, ...]) -> ViewT:
    """Return the public parts of a conflict. ``may_act``: the characters who may be named for the
    next turn; empty during a turn."""
    scene, run, result = conflict.scene, conflict.run, conflict.result
    return view_of(
        view,
        scene,
        house=scene.edition.id if scene.edition.base else None,
        characters=_characters(conflict),
        turn=_turn(conflict, conflict.turn) if conflict.turn else None,
        combo=_combo(conflict, run) if run else None,
        may_act=may_act,
        result=view_of(ResultView, result) if result else None,
    )


def public_specials(conflict: Conflict) -> Iterator[Special]:
    """Yield the specials that are public: all on public sheets, and of other characters those that
    were shown."""
    for name, sheet in conflict.scene.sheets.items():
        yield from sheet.specials if is_public(conflict, name) else used_by(conflict, name)


def _combo(conflict: Conflict, run: Run) -> ComboView:
    players, moves = zip(*run.cards, strict=True)
    side, sheets = run_side(conflict), conflict.scene.sheets
    foes = tuple(name for name in conflict.still_in() if sheets[name].side == side)
    cards = _cards(moves)
    return view_of(ComboView, run, moves=cards, players=players, bonus=len(cards), foes=foes)


def _characters(conflict: Conflict) -> dict[str, CharacterView]:
    """All characters. Most steps of a turn change none of them, so the last ones are kept."""
    scene, turn = conflict.scene, conflict.turn
    shown = (turn.uses, turn.unsaid) if turn else ()
    return _MADE.of(
        "characters",
        (scene, conflict.fighters, conflict.run, *shown),
        lambda: {name: _character(conflict, sheet) for name, sheet in scene.sheets.items()},
        (turn.active, turn.opponent, turn.splits is None) if turn and any(shown) else None,
    )


def _character(conflict: Conflict, sheet: Sheet) -> CharacterView:
    fighter, public = conflict.fighters[sheet.name], is_public(conflict, sheet.name)
    return view_of(
        CharacterView,
        fighter,
        side=sheet.side,
        max=sheet.max,
        face_up=_cards(fighter.face_up),
        moves=_cards(sheet.moves) if public else None,
        available=_cards(available(conflict, sheet.name)) if public else None,
        combos={start: tuple(sorted(moves)) for start, moves in sheet.combos.items()}
        if fighter.scouted
        else None,
        specials=_cards(sheet.specials) if public else None,
        specials_left=_cards(left_of(conflict, sheet.name)) if public else None,
        used=_cards(used_by(conflict, sheet.name)),
        bound=conflict.bond(sheet.name) or None,
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
        risks=risks(conflict, turn) if _awaits_moves(conflict, turn) else {},
        moves=_written(turn.moves, write_move),
        worth={
            name: Worth(base=move.base, times=move.multiplier)
            for name, move in (turn.moves or {}).items()
            if move
        },
        **{key: getattr(verdict, key, None) for key in ("outcome", "why", "winner", "loser")},
        losses={
            name: view_of(LossView, loss, capped=loss.raw > loss.total, split=splits.get(name))
            for name, loss in losses.items()
        },
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


def _awaits_moves(conflict: Conflict, turn: Turn) -> bool:
    return turn.stances is not None and turn.moves is None and conflict.result is None


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
    gains = {name: gain_after(conflict, turn, name) for name in gains_due(turn)}
    return {name: GainView(points=gain.points, room=gain.most) for name, gain in gains.items()}
