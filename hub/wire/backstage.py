"""The frames ``hand`` and ``console`` of the pages that have a key, as JSON values.

Built from :mod:`hub.table.backstage`; choices are in their written form and in parts.
"""

from typing import Any

import msgspec

from hub.rules.game import Offer
from hub.rules.reasons import Reason
from hub.table.backstage import ConsoleView, HandView
from hub.table.preview import Change

Json = dict[str, Any]


def hand_frame(hand: HandView) -> Json:
    """A seat's hand, for its own page alone."""
    return {
        "seat": hand.seat,
        "lies": hand.lies,
        "actors": [
            {
                "name": held.name,
                "awaited": held.awaited,
                "committed": held.committed,
                "beside": held.beside,
                "kinds": held.kinds,
                "beside_kinds": held.beside_kinds,
                "offers": [_offer(offer) for offer in held.offers],
                "sheet": msgspec.to_builtins(held.sheet),
            }
            for held in hand.actors
        ],
    }


def console_frame(console: ConsoleView) -> Json:
    """What the GM needs beyond the public view, for the GM's pages alone."""
    return {
        "undo": [{"what": way.what, "to_seq": way.to_seq} for way in console.undo],
        "npcs": msgspec.to_builtins(console.npcs),
        "barred": dict(console.barred),
        "templates": console.templates,
        "level_ups": {
            name: {
                **worded(each.reason),
                "options": [
                    {"choices": lesson.choices, **worded(lesson.reason)} for lesson in each.options
                ],
            }
            for name, each in console.level_ups.items()
        },
        "overrules": msgspec.to_builtins(console.overrules),
        "unreliable": {
            seat: {"losses": trouble.losses, "disturbances": trouble.disturbances}
            for seat, trouble in console.unreliable.items()
        },
        "blind": list(console.blind),
        "gm_seat": console.gm_seat,
        "lies": dict(console.lies),
        "at_zero": console.at_zero,
    }


def preview_changes(changes: tuple[Change, ...]) -> list[Json]:
    """What a deed would change, for the GM's pages alone."""
    return [msgspec.to_builtins(change) for change in changes]


def worded(why: Reason | None) -> Json:
    """A reason as a page hears it: the value, and an English sentence; ``""`` without one."""
    return {"reason": str(why or ""), "why": msgspec.to_builtins(why)}


def _offer(offer: Offer) -> Json:
    """An offer, its choice in its written form and in parts."""
    return {
        "choice": str(offer.choice),
        "kind": offer.choice.kind,
        "value": offer.choice.value,
        **worded(offer.reason),
        "default": offer.default,
    }
