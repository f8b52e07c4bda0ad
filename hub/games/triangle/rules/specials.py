"""Setting specials down: who may, how often, and which effects come at once (R11, R12).

At the table a special is checked when its card is set down, and :func:`set_down` follows when it is
shown. A script does both at once. ``interplay`` handles effects that depend on the moves.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import view_of
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.cards import why_not_move
from hub.games.triangle.rules.conflict import Conflict, Turn, Use
from hub.games.triangle.rules.edition import Action, Edition, Move, Special
from hub.games.triangle.rules.effects import Concern, doing, effect_of
from hub.kernel.faults import shown

Refusal = tuple[str, Reason]
"""A refusal of a special: the key that is wrong in a script, such as ``for``, and the reason. The
key is empty if the special itself is wrong."""

AS, FOR, TARGET = "as", "for", "target"
PERSON = {Concern.WARD: FOR, Concern.FOE: TARGET}
"""The key in a script that names the character a special concerns."""


# book: specials.once, specials.one-a-turn, nothing.effect, bear.on-top, copy.order, last.not-npcs
def why_not_use(conflict: Conflict, turn: Turn, use: Use) -> Refusal | None:
    """Why this special cannot be set down in this turn, copying ``use.copied`` and concerning
    ``use.person``; None if it can."""
    if why := why_not_card(conflict, turn, use):
        return "", why
    return why_not_so(conflict, turn, use)


def why_not_so(conflict: Conflict, turn: Turn, use: Use) -> Refusal | None:
    """The same as :func:`why_not_use`, for a use that has already passed :func:`why_not_card`."""
    if why := _why_not_copy(conflict, use):
        return AS, why
    if why := _why_not_moment(conflict, turn, use):
        return "", why
    concerns = doing(use).concerns
    if concerns is Concern.WARD and (why := _why_not_ward(conflict, turn, use)):
        return FOR, why
    if concerns is Concern.FOE and (why := _why_not_target(conflict, use)):
        return TARGET, why
    return None


def set_down(conflict: Conflict, turn: Turn, use: Use) -> Conflict:
    """Return the conflict with the use recorded, and its effect applied if that comes before the
    moves (scout, last)."""
    fighters, gains = doing(use).at_once(conflict, use)
    turn = replace(turn, uses=(*turn.uses, use), gains={**turn.gains, **gains})
    return replace(conflict, fighters={**conflict.fighters, **fighters}, turn=turn)


def used_by(conflict: Conflict, name: str) -> list[Special]:
    """The shown specials of a character in this conflict, one entry per use."""
    turn = conflict.turn
    now = (*turn.uses, *turn.unsaid) if turn and turn.splits is None else ()
    return [*conflict.fighters[name].used, *(use.special for use in now if use.player == name)]


def left_of(conflict: Conflict, name: str) -> list[Special]:
    """The specials that a character can still use (R11)."""
    used, spent = used_by(conflict, name), conflict.fighters[name].spent
    known = conflict.scene.sheets[name].specials
    return [each for each in known if each not in spent and used.count(each) < each.times]


# book: redraw.effect
def redraws(conflict: Conflict, turn: Turn, name: str) -> bool:
    """Whether the character may have its shown move replaced this turn (R12, redraw)."""
    earlier = any(effect_of(special).redraws for special in conflict.fighters[name].used)
    now = any(doing(use).redraws and use.player == name for use in turn.uses)
    return (earlier or now) and name in (turn.active, turn.opponent)


def why_not_redraw(
    conflict: Conflict, name: str, revealed: Move | None, drawn: Move | None
) -> Reason | None:
    """Why ``drawn`` cannot replace the shown move, ``revealed`` (R12); None if it can. A move of
    None is a surrender."""
    if drawn is None:
        return Reason("surrender-not-drawn")
    if drawn == revealed:
        return Reason("shown-move", move=str(drawn))
    return why_not_move(conflict, name, drawn)


def why_not_card(conflict: Conflict, turn: Turn, use: Use) -> Reason | None:
    """Why the player of ``use`` cannot use this card: the character is out, does not know it, or
    has used it up (R11). None if nothing is against it."""
    player, special = use.player, use.special
    fighter, known = conflict.fighters[player], conflict.scene.sheets[player].specials
    if fighter.out:
        return Reason("out-of-specials", who=player)
    if special not in known:
        knows = [*map(str, known)] or Reason("none")
        return Reason(
            "special-unknown", who=player, special=str(special), other=player, specials=knows
        )
    if special in fighter.spent or used_by(conflict, player).count(special) >= special.times:
        often = Reason("twice-a-conflict") if special.times > 1 else Reason("once-until-full-rest")
        return Reason("special-used", who=player, special=str(special), often=often)
    return None


def _why_not_copy(conflict: Conflict, use: Use) -> Reason | None:
    """Why the special cannot be copied: it must be higher on the list, and used by another
    character before this turn (R12). None if it can, or if nothing is copied."""
    copied = use.copied
    if copied is None:
        return None
    if copied.rank >= use.special.rank:
        return Reason("not-above", special=str(copied), copying=str(use.special))
    others = (fighter for name, fighter in conflict.fighters.items() if name != use.player)
    if not any(copied in fighter.used for fighter in others):
        return Reason("not-used-by-others", who=use.player, special=str(copied))
    return None


def _why_not_moment(conflict: Conflict, turn: Turn, use: Use) -> Reason | None:
    """Why the player may not set down a special of this kind now (R11, R12); None if it may."""
    player, does, scene = use.player, use.does, conflict.scene
    if not does.bystanders and player not in (turn.active, turn.opponent):
        open_ones = [s.id for s in scene.edition.specials.values() if s.bystanders]
        return Reason("bystander-only", who=player, specials=[*open_ones])
    earlier = (other.does for other in turn.uses if other.player == player)
    if not does.on_top and not all(special.on_top for special in earlier):
        bearers = [s.id for s in scene.edition.specials.values() if s.on_top]
        return Reason("one-a-turn", who=player, specials=[*bearers])
    if doing(use).bluffs and all(each == use.does for each in scene.sheets[player].specials):
        return Reason("no-other-special", who=player)
    if not does.npcs and scene.sheets[player].npc:
        return Reason("npc-special", who=player, special=str(use.does))
    return None


def _why_not_ward(conflict: Conflict, turn: Turn, use: Use) -> Reason | None:
    """Why the special cannot protect this character, who must be another one of the same side and
    in the turn; None if it can."""
    player, ward, sheets = use.player, use.person, conflict.scene.sheets
    mine = [n for n in (turn.active, turn.opponent) if sheets[n].side == sheets[player].side]
    wards = [name for name in mine if name != player]
    if ward in wards:
        return None
    advice = Reason("may-protect", who=player, names=[*wards] or Reason("nobody"))
    if ward not in sheets:
        return Reason("nobody-called", name=shown(ward), advice=advice)
    if ward == player:
        return Reason("no-self-protection", who=player, advice=advice)
    if sheets[ward].side != sheets[player].side:
        return Reason("on-other-side", who=ward, advice=advice)
    return Reason("not-in-turn-but", who=ward, advice=advice)


def _why_not_target(conflict: Conflict, use: Use) -> Reason | None:
    """Why the special cannot bind this character, who must be a foe who is still in; None if it
    can."""
    player, target, sheets = use.player, use.person, conflict.scene.sheets
    foes = [n for n in conflict.still_in() if sheets[n].side != sheets[player].side]
    if target in foes:
        return None
    advice = Reason("may-bind", who=player, names=[*foes])
    if target not in sheets:
        return Reason("nobody-called", name=shown(target), advice=advice)
    if sheets[target].side == sheets[player].side:
        return Reason("on-own-side", who=target, other=player, advice=advice)
    return Reason("out", who=target, advice=advice)


class SpecialMeans(Struct, frozen=True, kw_only=True):
    """The facts that a player needs before using a special (R11)."""

    effect: str
    """The id of the special's effect."""
    windows: tuple[str, ...]
    """The steps before which the special can be set down."""
    action: Action | None
    """The action of the special's variation; None if it has no variations."""
    times: int
    """How often the special can be used in a conflict. If once, it comes back only after a rest."""
    any_rest: bool
    """Whether any rest restores the special; otherwise only a full rest does."""
    bystanders: bool
    """Whether characters who are not in the turn can use the special."""
    on_top: bool
    """Whether the special is exempt from the limit of one a turn."""
    tiring: bool
    """Whether the special's user must sit out the next conflict."""


def means_of(specials: Iterable[Special], edition: Edition) -> dict[str, SpecialMeans]:
    """Map the choice of each special, such as ``special wax-on-attack``, to the facts about it."""
    any_rest = edition.any_rest_returns_specials
    return {f"special {s.id}": view_of(SpecialMeans, s, any_rest=any_rest) for s in specials}
