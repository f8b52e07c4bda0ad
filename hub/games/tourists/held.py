"""Puts the GM's overrules in a Conflict into words."""

from collections.abc import Callable, Mapping
from typing import Any

from hub.games.tourists.naming import lies, number, numbers
from hub.kernel.texts import Said, name, names, said

_Holds = Mapping[str, Any]


def held(holds: _Holds) -> Said | None:
    """The words for an overrule, ``holds``; None if a Conflict has no such overrule."""
    tell = _HELD.get(holds["what"])
    return tell(holds) if tell else None


def _control(holds: _Holds) -> Said:
    if not holds.get("party"):
        return Said("tourists.held.balanced")
    ranks = holds.get("ranks", 0)
    return said("tourists.held.control", party=name(holds["party"]), ranks=ranks)


def _card(holds: _Holds) -> Said:
    card = number(holds["number"])
    if holds["to"] in ("before", "reserve"):
        card = lies(card, reversed_=holds.get("reversed", False))
    return said(f"tourists.held.card.{holds['to']}", card=card, name=name(holds.get("name", "")))


def _turned(holds: _Holds) -> Said:
    card = lies(number(holds["number"]), reversed_=holds["reversed"])
    return said("tourists.held.turned", card=card, name=name(holds["name"]))


def _lasting(holds: _Holds) -> Said:
    who, cards = name(holds["name"]), numbers(holds["cards"])
    if text := holds.get("text"):
        return said("tourists.held.lasting.text", name=who, cards=cards, text=text)
    return said("tourists.held.lasting", name=who, cards=cards)


def _loss(holds: _Holds) -> Said:
    down = numbers(holds.get("face_down") or ())
    places = {
        "name": name(holds["name"]),
        "number": holds["loss"],
        "text": holds.get("text", ""),
        "who": name(holds.get("who", "")),
    }
    if down:
        return said("tourists.held.loss.down", cards=down, **places)
    return said("tourists.held.loss", **places)


def _out(holds: _Holds) -> Said:
    key = "in" if not holds["out"] else "wiped-out" if holds.get("wiped_out") else "out"
    return said(f"tourists.held.{key}", name=name(holds["name"]))


def _outcome(holds: _Holds) -> Said:
    outcome = Said(f"tourists.gm.outcome.{holds['outcome']}")
    if by := holds.get("by"):
        return said("tourists.held.outcome.by", outcome=outcome, by=names(by))
    return said("tourists.held.outcome", outcome=outcome)


_HELD: Mapping[str, Callable[[_Holds], Said]] = {
    "control": _control,
    "card": _card,
    "turned": _turned,
    "lasting": _lasting,
    "loss": _loss,
    "no-loss": lambda holds: said(
        "tourists.held.no-loss", name=name(holds["name"]), card=number(holds["number"])
    ),
    "tokens": lambda holds: said("tourists.held.tokens", left=holds["left"]),
    "out": _out,
    "outcome": _outcome,
    "against": lambda holds: said(
        "tourists.held.against", name=name(holds["name"]), times=holds["times"]
    ),
}
