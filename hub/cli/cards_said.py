"""Describes the steps of writing tags, for a terminal."""

from typing import assert_never

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


def card_said(card: Card | None) -> str:
    """A card and its set."""
    if card is None:
        return ""
    return label(card.choice) + (f" of {card.group}" if card.group else "")


def said(told: Told, where: str) -> str:
    """One line for a step."""
    name = card_said(told.card)
    match told.stage:
        case Stage.LAY if told.then:
            return f"now the other end of the same card: turn it, and lay {name} on {where}"
        case Stage.LAY if told.ends:
            return f"lay one end of it on {where}: {name}"
        case Stage.LAY:
            return f"lay {name} on {where}"
        case Stage.TAKE_AWAY:
            return "take it away"
        case Stage.WRITTEN:
            after = "; this card is done" if told.whole else ""
            return f"{name}: written; take it away{after}"
    return _rest(told, name)


def _rest(told: Told, name: str) -> str:
    match told.stage:
        case Stage.FOUND:
            return f"{name}: it is written already; take it away"
        case Stage.LEARNT:
            return f"{name}: learnt; take it away"
        case Stage.TORN:
            return f"{name}: torn away; lay it down again"
        case Stage.SWAPPED:
            return f"{name}: another tag lies there now, so nothing is sure; lay the first one down"
        case Stage.DONE:
            return "done"
        case Stage.REFUSED:
            return refused(told)
        case Stage.LAY | Stage.TAKE_AWAY | Stage.WRITTEN:
            return ""
    assert_never(told.stage)


def refused(told: Told) -> str:
    """Why a tag was refused."""
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
    """The deck's card with this tag, if there is one."""
    return deck.card(met.content) or deck.card(deck.learnt(met.uid) or "")


def beside_the_last(card: Card | None, last: Card | None, deck: Deck) -> str:
    """Whether this end belongs to the card laid before it, in words; empty if there is nothing
    to say."""
    if card is None or last is None or not card.of or not last.of or card.tag == last.tag:
        return ""
    if deck.other_end(card) == last:
        return "the other end of the same card: right"
    return f"no end of the card before, which was {card_said(last)}"


def seen_as(met: Met, deck: Deck) -> str:
    """Describe a tag."""
    if met.many:
        return _BARS[Bar.TWO_TAGS]
    card = card_met(met, deck)
    traits = [met.chip]
    if met.locked:
        traits.append("locked")
    if met.guarded:
        traits.append("guarded by a password")
    if card is not None:
        alike = [c for c in deck.cards if (c.choice, c.group) == (card.choice, card.group)]
        if len([c for c in alike if c.in_play]) > 1 and card.in_play:
            playing = [c for c in alike if c.in_play]
            traits.append(f"copy {playing.index(card) + 1} of {len(playing)}")
        if card.uid:
            traits.append("learnt")
        struck = "" if card.in_play else ", struck off: another card stands in its place"
        return f"{card_said(card)}{struck} ({', '.join(filter(None, traits))})"
    told = "a card of another deck"
    if isinstance(met.content, Strange):
        told = _STRANGE[met.content]
    return f"{told} ({', '.join(filter(None, traits))})" if any(traits) else told
