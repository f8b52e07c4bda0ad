"""What a seat's own lamp and page say about its reader."""

from enum import StrEnum


class Signal(StrEnum):
    """One word for each thing that a player has to know. Every legal card gets the same word."""

    EMPTY = "empty"
    SEALED = "sealed"
    TAKEN_BACK = "taken-back"
    NOT_AWAITED = "not-awaited"
    COUNTED = "counted"
    """A point of those that are spread."""
    WAITS = "waits"
    """A card for the step after this one: it is read when that begins."""
    CLEAR = "clear"
    """Whatever was wrong is over."""

    # What lies there has been read, and is no choice
    REFUSED = "refused"
    TWO_CARDS = "two-cards"
    BOTH_ENDS = "both-ends"
    """Both ends of one card, which means one thing or the other by the end that lies there."""
    CROSSED = "crossed"
    """Another reader hears the same tag: their fields overlap."""
    NOT_YOURS = "not-yours"
    """A card of a set that belongs to another seat."""
    UNKNOWN = "unknown"
    """A card's tag, of another deck."""
    NO_DECK = "no-deck"
    """A card's tag, and this table's deck has no cards."""
    STRUCK_OFF = "struck-off"
    """A card's tag that was lost; another card stands in its place."""
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

    # What lies there is not read until it has been lifted
    UNSEEN = "unseen"
    """Laid while the reader was away."""
    MISSED = "missed"
    """Laid while the hub was down."""
    PAUSED = "paused"
    """Laid while the table was paused."""
    LEFT = "left"
    """Laid before this step began, or when nothing was awaited."""
    ENDED = "ended"
    """It was sealed and is no longer, or a page has chosen since it was laid."""

    NOTHING_SEEN = "nothing-seen"
    """All others have chosen, and this reader, which cannot tell a dead radio from an empty field,
    sees nothing: a card may lie there all the same."""

    # A seal stands, but its card does not lie there any more: nobody saw it leave
    GONE = "gone"
    EXCHANGED = "exchanged"
    """Another card lies there."""


OF_THE_CARD = frozenset(
    {
        *(Signal.REFUSED, Signal.TWO_CARDS, Signal.BOTH_ENDS, Signal.NOT_YOURS),
        *(Signal.UNKNOWN, Signal.NO_DECK),
        *(Signal.STRUCK_OFF, Signal.UNNAMED),
        *(Signal.PHONE, Signal.CHIP_CARD, Signal.KEY_CARD, Signal.BLANK, Signal.UNFINISHED),
        *(Signal.OTHER_VERSION, Signal.FOREIGN, Signal.GUARDED, Signal.UNREADABLE),
    }
)
"""Said as long as it lies there, whether or not a card is awaited."""

TO_BE_LAID_AGAIN = frozenset(
    {Signal.UNSEEN, Signal.MISSED, Signal.PAUSED, Signal.LEFT, Signal.ENDED}
)
"""Said while the seat has to lay a card."""
