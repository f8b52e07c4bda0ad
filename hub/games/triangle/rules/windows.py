"""When a special may be set down at the table, and what its card means (R11, R12).

A *window* is named after the step before which specials are set down; only ``split`` is open
during its own. ``specials`` says who may set down which special. This module adds the timing, and
fills in what a card, unlike a JSON script, does not say.
"""

from collections.abc import Collection, Iterator, Set

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Turn, Use
from hub.games.triangle.rules.edition import WINDOWS, Special
from hub.games.triangle.rules.effects import Concern, doing, effect_of
from hub.games.triangle.rules.interplay import bearers_of
from hub.games.triangle.rules.specials import set_down, why_not_card, why_not_so
from hub.kernel.faults import shown

OPPONENT, STANCE, MOVE, SPLIT = WINDOWS
BEFORE = {OPPONENT: Reason("an-opponent"), STANCE: Reason("a-stance"), MOVE: Reason("a-move")}
MOMENTS = {
    **{window: Reason("before-choosing", what=what) for window, what in BEFORE.items()},
    SPLIT: Reason("moves-shown"),
}
AS = " as "
"""Separates a copying special from the special that it copies."""


# book: copy.moment
def read_use(conflict: Conflict, turn: Turn, window: str, player: str, text: str) -> Use:
    """Return what a card, such as ``wax-on-attack`` or ``mimic as precise``, means in this window.

    Its ``person`` is empty if the player still has to name the character that the special concerns.
    Raises :class:`IllegalChoice` if the special cannot be set down now.
    """
    name, copies, copied = text.partition(AS)
    special = _listed(conflict, name)
    _refuse(why_not_card(conflict, turn, Use(player, special)))
    use = Use(player, special)
    if effect_of(special).copies:
        use = replace(use, copied=_copied(conflict, turn, window, use, copied))
    elif copies:
        raise IllegalChoice(Reason("copies-nothing", special=str(special)))
    _refuse(_why_not_window(conflict, turn, window, use))
    found = persons(conflict, turn, use)
    tried = replace(use, person=found[0]) if found else use
    refusal = why_not_so(conflict, turn, tried)
    _refuse(refusal and refusal[1])
    return tried if len(found) == 1 else use


def why_not_window(
    conflict: Conflict, turn: Turn, window: str, player: str, text: str
) -> Reason | None:
    """Why this card cannot be set down in this window; None if it can."""
    try:
        read_use(conflict, turn, window, player, text)
    except IllegalChoice as illegal:
        return illegal.reason
    return None


def persons(conflict: Conflict, turn: Turn, use: Use) -> list[str]:
    """The characters that a special can concern; empty if it concerns no character."""
    sheets, player = conflict.scene.sheets, use.player
    concerns = doing(use).concerns
    if concerns is Concern.WARD:
        mine = sheets[player].side
        return [n for n in (turn.active, turn.opponent) if sheets[n].side == mine]
    if concerns is Concern.OPPONENT and turn.opponent:
        return [turn.other(player)]
    if concerns:
        return [n for n in conflict.still_in() if sheets[n].side != sheets[player].side]
    return []


def cards(conflict: Conflict, turn: Turn, window: str, player: str) -> Iterator[str]:
    """The player's cards for this window, allowed or not. If there are several specials that a
    copying special could copy, there is a card for each."""
    for special in conflict.scene.sheets[player].specials:
        found: list[Special] = []
        if effect_of(special).copies:
            found = _copyable(conflict, turn, window, Use(player, special))
        if len(found) > 1:
            yield from (f"{special}{AS}{copied}" for copied in found)
        else:
            yield str(special)


# book: reveal.abilities, scout.effect
def is_public(conflict: Conflict, name: str) -> bool:
    """Whether the character's moves and specials are public: those of player characters, and of
    NPCs who were scouted (R12)."""
    return not conflict.scene.sheets[name].npc or conflict.fighters[name].scouted


# book: specials.answered
def may_use(conflict: Conflict, turn: Turn, window: str, name: str) -> bool:
    """Whether, by public information, the character could set a special down in this window."""
    if conflict.fighters[name].out:
        return False
    if is_public(conflict, name):
        return any(
            why_not_window(conflict, turn, window, name, card) is None
            for card in cards(conflict, turn, window, name)
        )
    if name not in (turn.active, turn.opponent):
        specials = conflict.scene.edition.specials.values()
        open_ones = [s for s in specials if s.bystanders and window in s.windows]
        if any(special.on_top for special in open_ones):
            return True
        if not open_ones:
            return False
    return not any(use.player == name for use in turn.uses)


# book: specials.shown-later
def show(conflict: Conflict, turn: Turn, uses: list[Use]) -> Conflict:
    """Return the conflict with these specials shown. A special whose player still has to name a
    character takes effect only after that."""
    named = (Concern.FOE, Concern.OPPONENT)
    unsaid = tuple(use for use in uses if doing(use).concerns in named and not use.person)
    conflict = replace(conflict, turn=replace(turn, window="", asked_by="", unsaid=unsaid))
    for use in uses:
        if use not in unsaid:
            conflict = set_down(conflict, conflict.turn or turn, use)
    return conflict


def _refuse(why: Reason | None) -> None:
    if why:
        raise IllegalChoice(why)


def _listed(conflict: Conflict, name: str) -> Special:
    edition = conflict.scene.edition
    if name not in edition.specials:
        raise IllegalChoice(Reason("no-special", text=shown(name), book=edition.id))
    return edition.specials[name]


def wards(conflict: Conflict, turn: Turn) -> tuple[str, ...]:
    """The characters in the turn whose loss another could bear, or already bears (R17)."""
    if turn.verdict is None or turn.splits is not None:
        return ()
    bearers, losses = bearers_of(turn), turn.verdict.losses
    losers = {name: losses.get(bearers.get(name, name)) for name in (turn.active, turn.opponent)}
    return tuple(name for name, loss in losers.items() if loss and loss.total)


def bystanders(conflict: Conflict, turn: Turn) -> tuple[str, ...]:
    """The characters outside the turn who may act until the losses are settled: those on a loser's
    side who, by public information, could still set a special down (R17)."""
    sheets = conflict.scene.sheets
    return _heard(conflict, turn, {sheets[name].side for name in wards(conflict, turn)})


def unheard(conflict: Conflict, turn: Turn) -> tuple[str, ...]:
    """The characters outside the turn that the table waits for, because they may still bear a loss
    that no character bears yet."""
    sheets, bearers = conflict.scene.sheets, bearers_of(turn)
    open_sides = {sheets[name].side for name in wards(conflict, turn) if name not in bearers}
    return _heard(conflict, turn, open_sides, but=turn.let_be)


def _heard(
    conflict: Conflict, turn: Turn, sides: Set[str], but: Collection[str] = ()
) -> tuple[str, ...]:
    if not sides:
        return ()
    return tuple(
        name
        for name, sheet in conflict.scene.sheets.items()
        if sheet.side in sides
        and name not in (turn.active, turn.opponent)
        and name not in but
        and may_use(conflict, turn, SPLIT, name)
    )


def _why_not_window(conflict: Conflict, turn: Turn, window: str, use: Use) -> Reason | None:
    """Why the special cannot be set down in this window; None if it can."""
    if window == SPLIT and (why := _why_not_late(conflict, turn, use.player)):
        return why
    if doing(use).bluffs:
        known = conflict.scene.sheets[use.player].specials
        others = (other for other in known if not effect_of(other).bluffs)
        if any(window in other.windows for other in others):
            return None
        return Reason("nothing-at-moment", who=use.player, moment=MOMENTS[window])
    windows = use.does.windows
    if window in windows:
        return None
    when = [BEFORE[name] for name in windows if name in BEFORE]
    return Reason("not-this-moment", special=str(use.does), when=when, moment=MOMENTS[window])


def _why_not_late(conflict: Conflict, turn: Turn, player: str) -> Reason | None:
    """Why the player may not set down a special after the moves are shown; None if it may (R17)."""
    sheets = conflict.scene.sheets
    losing = {sheets[name].side for name in wards(conflict, turn)}
    if not losing:
        return Reason("nothing-to-bear")
    if player in (turn.active, turn.opponent) or sheets[player].side not in losing:
        return Reason("beside-no-loser", who=player)
    return None


def _copyable(conflict: Conflict, turn: Turn, window: str, use: Use) -> list[Special]:
    """The specials that a copying special could imitate in this window."""
    found: list[Special] = []
    if why_not_card(conflict, turn, use):
        return found
    for special in conflict.scene.edition.specials.values():
        copy = replace(use, copied=special)
        if _why_not_window(conflict, turn, window, copy):
            continue
        if people := persons(conflict, turn, copy):
            copy = replace(copy, person=people[0])
        if why_not_so(conflict, turn, copy) is None:
            found.append(special)
    return found


def _copied(conflict: Conflict, turn: Turn, window: str, use: Use, named: str) -> Special:
    if named:
        return _listed(conflict, named)
    found, name = _copyable(conflict, turn, window, use), str(use.special)
    if len(found) == 1:
        return found[0]
    if not found:
        moment = MOMENTS[window]
        raise IllegalChoice(Reason("nothing-to-copy", special=name, who=use.player, moment=moment))
    several, written = [*map(str, found)], f"special {name}{AS}{found[0]}"
    raise IllegalChoice(Reason("copy-which", special=name, specials=several, written=written))
