"""Who may take the next turn: R9.

A turn counts for its active character. After a win the next turn goes to a member of the winner's
side who has had fewer turns than another, or to any member if all have had the same number. Or the
winner *keeps* the turn, to continue its combo.
"""

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.cards import available, follows, run_side
from hub.games.triangle.rules.conflict import Conflict
from hub.kernel.faults import shown

# book: combo.three-wins
WINS_IN_A_ROW = 3
"""After this many wins in a row the winner must pass, if a teammate is still in."""


# book: passing.fewer-turns, combo.one-turn
def by_count(conflict: Conflict) -> list[str]:
    """The characters whose number of turns so far lets them take an ordinary turn now."""
    winner = conflict.winner
    if winner is None:  # before the first turn, after a tie, after a double surrender
        return conflict.still_in()
    side = conflict.members(conflict.scene.sheets[winner].side)
    fighters = conflict.fighters
    candidates = [name for name in side if not fighters[name].out]
    if conflict.streak >= WINS_IN_A_ROW:
        candidates = [name for name in candidates if name != winner] or candidates
    highest = max(fighters[name].turns for name in side)
    return [name for name in candidates if fighters[name].turns < highest] or candidates


# book: combo.three-wins, example-combo.ally
def may_keep(conflict: Conflict) -> bool:
    """Whether the last winner may keep the turn, because it knows a follow-up of the combo.

    It may not after three wins in a row, if it is out, if it is bound to a character other than the
    victim (R12), or if the GM has set a combo against its own side (R11).
    """
    winner, run = conflict.winner, conflict.run
    if winner is None or run is None or conflict.streak >= WINS_IN_A_ROW:
        return False
    if conflict.fighters[winner].out or conflict.bond(winner) not in ("", run.victim):
        return False
    sheet = conflict.scene.sheets[winner]
    if sheet.side != run_side(conflict):
        return False
    return any(follows(sheet, run.last, move) for move in available(conflict, winner))


# book: passing.winner, passing.tie
def may_act(conflict: Conflict) -> tuple[str, ...]:
    """All characters who may be named for the next turn, in setup order; empty once the conflict is
    over."""
    if conflict.result:
        return ()
    allowed = by_count(conflict)
    keeper = conflict.winner if may_keep(conflict) else None
    return tuple(name for name in conflict.fighters if name in allowed or name == keeper)


# book: passing.otherwise-agreed
def why_not_named(conflict: Conflict, name: str, *, agreed: bool = False) -> Reason | None:
    """Why this character may not be named for the next turn; None if it may.

    With ``agreed``, any character still in may be named.
    """
    if conflict.result:
        return Reason("conflict-over")
    allowed = conflict.still_in() if agreed else may_act(conflict)
    if name in allowed:
        return None
    advice = Reason("may-act", names=[*allowed])
    if name not in conflict.fighters:
        return Reason("nobody-called", name=shown(name), advice=advice)
    if conflict.fighters[name].out:
        return Reason("out", who=name, advice=advice)
    winner, sheets = conflict.winner, conflict.scene.sheets
    if winner and sheets[name].side != sheets[winner].side:
        return Reason("other-side-goes-on", who=name, winner=winner, advice=advice)
    if name == winner and conflict.streak >= WINS_IN_A_ROW:
        return Reason("won-in-a-row", who=name, n=WINS_IN_A_ROW, advice=advice)
    return Reason("had-turn", who=name, advice=advice)
