"""What a character's specials do and when, as values: its player's page tells it before use."""

from collections.abc import Iterable

from msgspec import Struct

from hub.games.triangle.rules.edition import Action, Edition, Special


class SpecialMeans(Struct, frozen=True, kw_only=True):
    """What is to be known of a special before it is used (R11)."""

    effect: str
    """The id of what it does."""
    windows: tuple[str, ...]
    """The steps before which it can be set down."""
    action: Action | None
    """Which variation it is."""
    times: int
    """How often it can be used in a conflict; if once, then not again before a rest."""
    any_rest: bool
    """Whether every rest brings it back, and not a full one only."""
    bystanders: bool
    """Whether it is open to those who are not in the turn."""
    on_top: bool
    """Whether it can be set down beside the one a turn."""
    tiring: bool
    """Whether whoever used it cannot take part in the next conflict."""


def means_of(specials: Iterable[Special], edition: Edition) -> dict[str, SpecialMeans]:
    """By the written form of the choice."""
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
