"""Signals that a seat's own lamp and page show about its reader."""

from enum import StrEnum


class Signal(StrEnum):
    """One word for each situation a player has to know. Every legal card gets the same word."""

    EMPTY = "empty"
    SEALED = "sealed"
    TAKEN_BACK = "taken-back"
    NOT_AWAITED = "not-awaited"
    COUNTED = "counted"
    """A point was counted."""
    WAITS = "waits"
    """A card for the next step: it is read when that step begins."""
    CLEAR = "clear"
    """An earlier problem is over."""

    # Read, and not a choice
    REFUSED = "refused"
    TWO_CARDS = "two-cards"
    BOTH_ENDS = "both-ends"
    """Both ends of one card, whose meaning depends on which end is on the reader."""
    CROSSED = "crossed"
    """Another reader hears the same tag, because the fields of both overlap."""
    NOT_YOURS = "not-yours"
    """A card of a set that belongs to another seat."""
    UNKNOWN = "unknown"
    """The tag of a card of another deck."""
    NO_DECK = "no-deck"
    """The tag of a card, but this table's deck has no cards."""
    STRUCK_OFF = "struck-off"
    """The tag of a card that was lost; another card has replaced it."""
    UNNAMED = "unnamed"
    """A card of the deck that has no meaning yet."""
    PHONE = "phone"
    CHIP_CARD = "chip-card"
    KEY_CARD = "key-card"
    BLANK = "blank"
    UNFINISHED = "unfinished"
    OTHER_VERSION = "other-version"
    FOREIGN = "foreign"
    GUARDED = "guarded"
    UNREADABLE = "unreadable"

    # Not read until lifted
    UNSEEN = "unseen"
    """The card was laid while the reader was away."""
    MISSED = "missed"
    """The card was laid while the hub was down."""
    PAUSED = "paused"
    """The card was laid while the table was paused."""
    LEFT = "left"
    """The card was laid before this step began, or when nothing was awaited."""
    ENDED = "ended"
    """The card's seal is gone, or a page has chosen since the card was laid."""

    NOTHING_SEEN = "nothing-seen"
    """All other players have chosen, and this reader, which cannot tell a dead radio from an empty
    field, sees nothing: there may be a card on it all the same."""

    # The seal remains, but its card left the reader unobserved
    GONE = "gone"
    EXCHANGED = "exchanged"
    """Another card is on the reader instead of the sealed one."""


OF_THE_CARD = frozenset(
    {
        *(Signal.REFUSED, Signal.TWO_CARDS, Signal.BOTH_ENDS, Signal.NOT_YOURS),
        *(Signal.UNKNOWN, Signal.NO_DECK, Signal.STRUCK_OFF, Signal.UNNAMED),
        *(Signal.PHONE, Signal.CHIP_CARD, Signal.KEY_CARD, Signal.BLANK, Signal.UNFINISHED),
        *(Signal.OTHER_VERSION, Signal.FOREIGN, Signal.GUARDED, Signal.UNREADABLE),
    }
)
"""Signals shown as long as the card is on the reader, whether or not the seat has to lay one."""

TO_BE_LAID_AGAIN = frozenset(
    {Signal.UNSEEN, Signal.MISSED, Signal.PAUSED, Signal.LEFT, Signal.ENDED}
)
"""Signals shown only while the seat has to lay a card."""
