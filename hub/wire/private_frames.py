"""The frames ``hand``, ``console``, ``questions``, ``deeds`` and ``preview`` of pages with a key.

Each is a typed JSON value; the types of the pages' scripts are generated from these. Built from
:mod:`hub.table.private_views`; choices appear both in their written form and in parts.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypedDict

import msgspec

from hub.games.deeds import Declined
from hub.games.game import Bounds, Offer
from hub.games.story import DeedOffer, SceneOffer
from hub.games.telling import Words
from hub.kernel.forms import Field, Option
from hub.kernel.reasons import Explained, worded
from hub.kernel.texts import Said
from hub.table.acts.undo import WayBack
from hub.table.preview import Difference
from hub.table.private_views import ConsoleView, HandView, HeldView
from hub.table.state import Trouble
from hub.table.views import Question

PLAIN = Words()


class Offered(Explained):
    """An offer, its choice in its written form and in parts."""

    choice: str
    kind: str
    value: str
    default: bool
    bounds: Bounds | None


class Asked(TypedDict):
    """A question to an actor, with the kinds of choice that the step does not wait for
    (``free``)."""

    actor: str
    step: str
    offers: list[Offered]
    free: Sequence[str]


class Questions(TypedDict):
    """The frame ``questions``: the decisions open now."""

    questions: list[Asked]


class Lies(TypedDict):
    """A sealed card: its presence, never its content."""

    digest: str
    page: bool


class Held(TypedDict):
    """A character of a seat, as its own player knows it."""

    name: str
    awaited: bool
    committed: bool
    beside: int
    seal: Lies | None
    besides: list[Lies]
    kinds: Sequence[str]
    beside_kinds: Sequence[str]
    offers: list[Offered]
    means: dict[str, Any]
    closed: dict[str, Explained]
    sheet: Any
    waits: bool
    own: dict[str, Any] | None
    wish: dict[str, Any] | None
    wish_told: Said | None
    declined: Declined | None
    declined_told: Said | None


class Hand(TypedDict):
    """The frame ``hand``: the characters of a seat, for its own page only."""

    seat: str
    lies: str | None
    seen_ms: int | None
    free: bool
    family: str | None
    actors: list[Held]


class DeedOffered(Explained):
    """A deed offered to the GM; the values of ``fields`` replace parts of ``deed``."""

    deed: dict[str, Any]
    fields: Sequence[Field]
    told: Said | None


class Console(TypedDict):
    """The frame ``console``: the GM's additions to the public view."""

    undo: Sequence[WayBack]
    npcs: dict[str, Any]
    own: dict[str, Any] | None
    wishes: list[DeedOffered]
    scenes: Sequence[SceneOffer]
    overrules: Sequence[Option]
    stand_ins: dict[str, list[Offered]]
    plays_for: list[Held]
    sitting: dict[str, Explained]
    unreliable: dict[str, Trouble]
    blind: Sequence[str]
    gm_seat: str | None
    lies: dict[str, str]
    seen_ms: dict[str, int | None]
    hindrances: Sequence[str]
    stuck: Sequence[str]
    directs: bool


class Deeds(TypedDict):
    """The frame ``deeds``: the deeds open to the GM, and the characters they can be about."""

    deeds: list[DeedOffered]
    cast: Sequence[str]


class Preview(Explained):
    """The frame ``preview``: the changes that a command would make, or why it cannot be done."""

    id: str
    changes: Sequence[Difference]
    told: Said | None
    """The log's sentence about the command; null if its button says enough."""


def hand_frame(hand: HandView, words: Words = PLAIN, family: str | None = None) -> Hand:
    """The frame ``hand``, for the seat's own page only. ``words``: those of the story;
    ``family``: the id of the configured scene's family, if its sheets are shown."""
    return {
        "seat": hand.seat,
        "lies": hand.lies,
        "seen_ms": hand.seen_ms,
        "free": hand.free,
        "family": family,
        "actors": [_held(each, words) for each in hand.actors],
    }


def _held(held: HeldView, words: Words) -> Held:
    return {
        "name": held.name,
        "awaited": held.awaited,
        "committed": held.committed,
        "beside": held.beside,
        "seal": msgspec.to_builtins(held.seal),
        "besides": [msgspec.to_builtins(each) for each in held.besides],
        "kinds": held.kinds,
        "beside_kinds": held.beside_kinds,
        "offers": [*map(offered, held.offers)],
        "closed": {str(choice): worded(why) for choice, why in held.closed.items()},
        "means": msgspec.to_builtins(held.means),
        "sheet": msgspec.to_builtins(held.sheet),
        "waits": held.waits,
        "own": None if held.own is None else dict(held.own),
        "wish": None if held.wish is None else dict(held.wish),
        "wish_told": _told(held.wish, words),
        "declined": held.declined,
        "declined_told": _told(held.declined.wants if held.declined else None, words),
    }


def console_frame(
    console: ConsoleView,
    hindrances: Collection[str] = (),
    stuck: Sequence[str] = (),
    *,
    directs: bool = False,
    words: Words = PLAIN,
) -> Console:
    """The frame ``console``, for the GM's pages only. ``hindrances``: problems of parts of the hub;
    ``stuck``: actors for which the hub as a player finds no choice; ``directs``: whether the hub
    as GM begins and ends scenes; ``words``: those of the story."""
    return {
        "undo": [msgspec.to_builtins(way) for way in console.undo],
        "npcs": msgspec.to_builtins(console.npcs),
        "own": None if console.own is None else dict(console.own),
        "wishes": [_deed(each, words) for each in console.wishes],
        "scenes": msgspec.to_builtins(console.scenes),
        "overrules": msgspec.to_builtins(console.overrules),
        "stand_ins": {name: [*map(offered, each)] for name, each in console.stand_ins.items()},
        "plays_for": [_held(each, words) for each in console.plays_for],
        "sitting": {name: worded(why) for name, why in console.sitting.items()},
        "unreliable": msgspec.to_builtins(console.unreliable),
        "blind": console.blind,
        "gm_seat": console.gm_seat,
        "lies": dict(console.lies),
        "seen_ms": dict(console.seen_ms),
        "hindrances": sorted(set(hindrances)),
        "stuck": stuck,
        "directs": directs,
    }


def questions_frame(questions: Sequence[Question], own: Collection[str] | None) -> Questions:
    """The frame ``questions``. ``own``: the actors whose decisions are wanted; None: all."""
    return {
        "questions": [
            {
                "actor": each.actor,
                "step": each.step,
                "offers": [*map(offered, each.offers)],
                "free": each.free,
            }
            for each in questions
            if own is None or each.actor in own
        ]
    }


def deeds_frame(deeds: Sequence[DeedOffer], cast: Sequence[str]) -> Deeds:
    """The frame ``deeds``, for the GM's pages only. ``cast``: the characters that deeds can be
    about."""
    return {"deeds": [*map(_deed, deeds)], "cast": cast}


def _deed(offer: DeedOffer, words: Words | None = None) -> DeedOffered:
    """``offer`` as sent to pages. ``words`` tell the deed as a sentence; None for a deed that a
    page shows as a button."""
    told = _told(offer.deed, words) if words else None
    return {"deed": offer.deed, "fields": offer.fields, "told": told, **worded(offer.reason)}


def _told(deed: Mapping[str, Any] | None, words: Words) -> Said | None:
    return None if deed is None else words.deed(deed)


def offered(offer: Offer) -> Offered:
    """``offer`` as sent to pages, its choice in its written form and in parts."""
    return {
        "choice": str(offer.choice),
        "kind": offer.choice.kind,
        "value": offer.choice.value,
        **worded(offer.reason),
        "default": offer.default,
        "bounds": msgspec.to_builtins(offer.bounds),
    }
