"""Effects and timing of a character's specials, as values that the player's page explains."""

from collections.abc import Iterable

from msgspec import Struct

from hub.games.triangle.rules.edition import Action, Edition, Special


class SpecialMeans(Struct, frozen=True, kw_only=True):
    """Facts that a player needs before using a special (R11)."""

    effect: str
    """The id of its effect."""
    windows: tuple[str, ...]
    """The steps before which it can be set down."""
    action: Action | None
    """The action of its variation; None if it has no variations."""
    times: int
    """How often it can be used in a conflict; if once, only a rest restores it."""
    any_rest: bool
    """Whether any rest restores it; otherwise only a full rest does."""
    bystanders: bool
    """Whether characters who are not in the turn can use it."""
    on_top: bool
    """Whether it is exempt from the limit of one special a turn."""
    tiring: bool
    """Whether its user must sit out the next conflict."""


def means_of(specials: Iterable[Special], edition: Edition) -> dict[str, SpecialMeans]:
    """Map each special's choice, in written form, to its explanation."""
    return {
        f"special {each.id}": SpecialMeans(
            effect=each.effect,
            windows=each.windows,
            action=each.action,
            times=each.times,
            any_rest=edition.any_rest_returns_specials,
            bystanders=each.bystanders,
            on_top=each.on_top,
            tiring=each.tiring,
        )
        for each in specials
    }
