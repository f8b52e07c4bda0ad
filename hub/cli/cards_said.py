"""Describes on a terminal each step of writing tags, and the tag on a reader."""

from hub.cards.deck import Card, Deck
from hub.cards.meeting import Met
from hub.cards.tags import Bar
from hub.cards.writing import Stage, Told
from hub.cli.cards_tables import label
from hub.kernel.called import called
from hub.wire.strangers import Strange

_BARS = {
    Bar.TWO_TAGS: "two tags lie there: take one away",
    Bar.BOTH_ENDS: "two tags are heard: turn the card so that only one of its ends lies there",
    Bar.PHONE: "this is a phone or a watch: take it away",
    Bar.NO_TYPE_2: f"this cannot be written, but it can stand for a card: {called()} cards learn",
    Bar.UNREADABLE: "it cannot be read: lay it flat in the middle, or take another one",
    Bar.TOO_SMALL: "it is too small for a card's record: take an NTAG213, 215 or 216",
    Bar.UNFORMATTED: (
        "it was never formatted and does not say how big it is: format it for NDEF with a phone, "
        "or take an NTAG213, 215 or 216"
    ),
    Bar.LOCKED: "it is locked for ever: take another one, or let it stand for a card with learn",
    Bar.PROTECTED: "a password guards it, and it is not the one that was given: take another one",
    Bar.FOREIGN: "it holds something else: take an empty one, or write over it with --overwrite",
    Bar.OTHER_DECK: "it is a card of another deck: take an empty one, or --overwrite",
    Bar.OTHER_VERSION: "it is a card of another version of Facedown: --overwrite writes it anew",
    Bar.REFUSES: "it does not keep what is written: take another one",
}

_STRANGE = {
    Strange.PHONE: "a phone or a watch",
    Strange.CHIP_CARD: "a bank card or a pass",
    Strange.KEY_CARD: "a key card or a ticket",
    Strange.BLANK: "empty: it can be written",
    Strange.UNFINISHED: "unfinished: torn away while it was written; it can be written again",
    Strange.OTHER_VERSION: "a card of another version of Facedown",
    Strange.FOREIGN: "it holds something else",
    Strange.GUARDED: "a password guards it: it may not be read",
    Strange.UNREADABLE: "it cannot be read: lay it flat in the middle",
}


_SAID = {
    Stage.TAKE_AWAY: "take it away",
    Stage.FOUND: "{name}: it is written already; take it away",
    Stage.LEARNT: "{name}: learnt; take it away",
    Stage.TORN: "{name}: torn away; lay it down again",
    Stage.SWAPPED: (
        "{name}: another tag lies there now, so nothing is sure; lay the first one down"
    ),
    Stage.DONE: "done",
}


def card_said(card: Card | None) -> str:
    """The name of a card and its set; empty for None."""
    if card is None:
        return ""
    return label(card.choice) + (f" of {card.group}" if card.group else "")


def said(told: Told, where: str) -> str:
    """Describe a step of writing or learning tags in one line. ``where``: the name of the
    reader."""
    name = card_said(told.card)
    match told.stage:
        case Stage.LAY if told.then:
            return f"now the other end of the same card: turn it, and lay {name} on {where}"
        case Stage.LAY if told.ends:
            return f"lay one end of it on {where}: {name}"
        case Stage.LAY:
            return f"lay {name} on {where}"
        case Stage.WRITTEN:
            after = "; this card is done" if told.whole else ""
            return f"{name}: written; take it away{after}"
        case Stage.REFUSED:
            return refused(told)
    return _SAID[told.stage].format(name=name)


def refused(told: Told) -> str:
    """Say why a tag was refused, and what to do; empty if it was not refused."""
    if told.bar is Bar.SAME_END:
        return f"this is {card_said(told.other)}, the end that is done: turn the card around"
    if told.bar is Bar.OTHER_CARD:
        return (
            f"this is {card_said(told.other)}, of another card: take it away, and lay "
            f"{card_said(told.card)} of the card before"
        )
    if told.bar in (Bar.THIS_DECK, Bar.LEARNT):
        return f"this is {card_said(told.other)} already: take it away"
    return _BARS[told.bar] if told.bar else ""


def card_met(met: Met, deck: Deck) -> Card | None:
    """The deck's card that was written to this tag or learnt from it; None if there is none."""
    return deck.card(met.content) or deck.card(deck.learnt(met.uid) or "")


def beside_the_last(card: Card | None, last: Card | None, deck: Deck) -> str:
    """Say whether ``card`` is the other end of ``last``, the card laid before it. Empty unless they
    are two different ends of cards."""
    if card is None or last is None or not card.of or not last.of or card.tag == last.tag:
        return ""
    if deck.other_end(card) == last:
        return "the other end of the same card: right"
    return f"no end of the card before, which was {card_said(last)}"


def seen_as(met: Met, deck: Deck) -> str:
    """Describe the tag on the reader: its card in ``deck`` or, if it has none there, what it
    holds."""
    if met.many:
        return _BARS[Bar.TWO_TAGS]
    card = card_met(met, deck)
    traits = [met.chip]
    if met.locked:
        traits.append("locked")
    if met.guarded:
        traits.append("guarded by a password")
    if card is not None:
        mine = card.choice, card.group
        alike = [c for c in deck.cards if (c.choice, c.group) == mine and c.in_play]
        if len(alike) > 1 and card.in_play:
            traits.append(f"copy {alike.index(card) + 1} of {len(alike)}")
        if card.uid:
            traits.append("learnt")
        struck = "" if card.in_play else ", struck off: another card stands in its place"
        return f"{card_said(card)}{struck} ({', '.join(filter(None, traits))})"
    foreign = "a card of another deck"
    told = _STRANGE[met.content] if isinstance(met.content, Strange) else foreign
    return f"{told} ({', '.join(filter(None, traits))})" if any(traits) else told
