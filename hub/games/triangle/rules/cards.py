"""The moves that a character can play, and those that lie face up: R2, R3, R4, R12."""

from collections.abc import Iterator

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Sheet, Use
from hub.games.triangle.rules.edition import Move
from hub.games.triangle.rules.effects import doing


# book: disadvantage.begins, example-disadvantage.low-low-high
def at_disadvantage(conflict: Conflict, name: str, move: Move) -> bool:
    """Whether the move has the action or the element of the character's last lost move (R2). In
    rules without elements only the action counts (R19)."""
    fighter = conflict.fighters[name]
    if not fighter.face_up:
        return False
    last = fighter.face_up[-1]
    alike = conflict.scene.edition.elements and move.element == last.element
    return move.action == last.action or alike


# book: combo.begins, combo.ally, level-up.variant-in-combo
def follows(sheet: Sheet, last: Move, move: Move) -> bool:
    """Whether ``move`` is a follow-up of ``last`` for this character; variants count as originals
    (R3)."""
    return move.id in sheet.combos.get(last.id, ())


# book: combo.face-up
def face_up(conflict: Conflict, name: str) -> list[Move]:
    """The character's own moves that lie on the table, in its disadvantage or in the combo (R4)."""
    cards = list(conflict.fighters[name].face_up)
    if conflict.run:
        cards += [move for player, move in conflict.run.cards if player == name]
    return cards


# book: bar.effect
def bars(conflict: Conflict, name: str) -> list[Use]:
    """The specials that bar some of the character's moves in the current turn (R12)."""
    turn = conflict.turn
    if turn is None or not turn.uses or turn.splits is not None:
        return []
    if name not in (turn.active, turn.opponent):
        return []
    other = turn.other(name)
    return [use for use in turn.uses if doing(use).bars and use.player == other]


# book: disadvantage.face-up, combo.face-up
def available(conflict: Conflict, name: str) -> list[Move]:
    """The moves that the character can play, besides surrender (R4)."""
    lying = face_up(conflict, name)
    barred = [use.does.action for use in bars(conflict, name)]
    known = conflict.scene.sheets[name].moves
    if not lying and not barred:
        return [*known]
    return [move for move in known if move not in lying and move.action not in barred]


def may_play(conflict: Conflict, name: str) -> Reason:
    """The advice when a move is refused: the moves that the character can play."""
    return Reason("may-play", who=name, moves=[*map(str, available(conflict, name)), "surrender"])


# book: move.no-move
def why_not_move(conflict: Conflict, name: str, move: Move | None) -> Reason | None:
    """Why the character may not play this move now (R4, R12); None if it may. A ``move`` of None is
    a surrender, which is always allowed."""
    if move is None:
        return None
    if move not in conflict.scene.sheets[name].moves:
        return Reason("move-unknown", who=name, move=str(move), advice=may_play(conflict, name))
    if move in face_up(conflict, name):
        return Reason("move-face-up", move=str(move), advice=may_play(conflict, name))
    for use in bars(conflict, name):
        if move.action == use.does.action:
            who, special, advice = use.player, str(use.does), may_play(conflict, name)
            return Reason("move-barred", who=who, special=special, type=move.action, advice=advice)
    return None


def closed_moves(conflict: Conflict, name: str) -> Iterator[tuple[Move, Reason]]:
    """Yield each known move that the character cannot play now, with a short reason (R4, R12)."""
    lost = conflict.fighters[name].face_up
    lying, barring = face_up(conflict, name), bars(conflict, name)
    for move in conflict.scene.sheets[name].moves:
        use = next((use for use in barring if use.does.action == move.action), None)
        if move in lost:
            yield move, Reason("lost-with")
        elif move in lying:
            yield move, Reason("lies-in-combo")
        elif use:
            yield move, Reason("barred-by", who=use.player, special=str(use.does))


def run_side(conflict: Conflict) -> str | None:
    """The side that the combo belongs to: the side opposite its victim. None if there is no
    combo."""
    if conflict.run is None:
        return None
    victims = conflict.scene.sheets[conflict.run.victim].side
    return next(side for side in conflict.scene.sides if side != victims)
