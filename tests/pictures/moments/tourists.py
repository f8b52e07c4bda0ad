"""Twelve moments of a Conflict of N-Dimensional Tourists: a kaiju in the harbour, the two of a
defence force, and the crew of a news station. The cards are drawn at the table.
"""

from typing import Any

from hub.kernel.texts import said
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.state import Settings
from tests.adapters.web.playing import PlayedTable
from tests.pictures.moments.moment import InBoth, Moment, at_step, in_both

SEATS = {"north": ("Ada", "Bo"), "south": ("Crew",), "gm": ("Kaiju",)}
PARTIES: dict[str, Any] = {
    "Kaiju": {
        "gm": True,
        "goal": "destroy the city",
        "attribute": {"name": "Destroy everything", "value": 8},
        "weaknesses": ["Power lines"],
        "reserve": ["12 upright"],
        "reserve_max": 1,
    },
    "Force": {
        "goal": "save the city",
        "characters": {
            "Ada": {
                "attribute": {"name": "Pilot", "value": 6},
                "aspects": ["Knows every street"],
                "reserve": ["51 upright"],
                "reserve_max": 2,
            },
            "Bo": {"weaknesses": [], "reserve": ["66 reversed"], "reserve_max": 1},
        },
    },
    "Crew": {"goal": "film it all", "attribute": {"name": "Seen everywhere", "value": 7}},
}


# What the people at the table do


def _rest(table: PlayedTable, *steps: str) -> None:
    """Answer every question by default, as long as the step is one of these."""
    while (scene := table.state.scene) and scene.pending.step in steps:
        actor, choice = next(
            (each.actor, offer.choice)
            for each in table.questions()
            for offer in each.offers
            if offer.choice.kind in scene.pending.kinds and not offer.reason
        )
        table.decide(actor, str(choice))


def _bid(table: PlayedTable, who: str, card: str) -> None:
    """Lay a card that all let be."""
    table.decide(who, f"drawn {card}")
    _rest(table, "answers")


def _pass(table: PlayedTable, *whose: str) -> None:
    for who in whose:
        table.decide(who, "pass")


def _cards(*numbers: int) -> InBoth:
    """The numbers of cards, which stand in their corners: the rest may lie below another card."""
    return in_both(*map(str, numbers))


# The moments, in their order


def _tactics(table: PlayedTable) -> None:
    table.settings = Settings(seats=SEATS, gm_seat="gm")
    setup = SceneSetup("tourists", {"parties": PARTIES})
    table.tell(i.Request(i.StartScene(), scene=("The harbour", setup)))
    at_step(table, "tactics")


def _drawn(table: PlayedTable) -> None:
    """Of three parties, two have drawn."""
    _rest(table, "tactics")
    table.decide("Kaiju", "drawn 47 upright")
    table.decide("Crew", "drawn 75 reversed")
    at_step(table, "draw")


def _breaker_answers(table: PlayedTable) -> None:
    table.decide("Ada", "drawn 61 reversed")
    at_step(table, "answers")


def _breaker_outcome(table: PlayedTable) -> None:
    _rest(table, "answers")
    at_step(table, "losses")


def _bid_asked(table: PlayedTable) -> None:
    table.decide("Ada", "losses 61 An arm jams")
    _rest(table, "losses", "tell", "part", "refill", "tactics")
    at_step(table, "bid")


def _bid_answers(table: PlayedTable) -> None:
    table.decide("Ada", "drawn 29 reversed")
    at_step(table, "answers")


def _rejected(table: PlayedTable) -> None:
    """Ada's card is set aside, and so is her Loss; the card drawn instead can be answered."""
    table.decide("Kaiju", "reject")
    table.decide("Ada", "drawn 77 reversed")
    at_step(table, "answers")


def _cover(table: PlayedTable) -> None:
    _rest(table, "answers")
    _bid(table, "Crew", "44 upright")
    table.decide("Kaiju", "drawn 84 reversed")
    table.decide("Ada", "cover 51 upright")
    at_step(table, "because")


def _told(table: PlayedTable) -> None:
    """The Kaiju holds the Control; the Force has a Lasting Loss."""
    table.decide("Ada", "because weakness Power lines")
    _rest(table, "answers")
    _bid(table, "Bo", "63 reversed")
    _pass(table, "Crew")
    _bid(table, "Kaiju", "24 upright")
    _bid(table, "Ada", "31 reversed")
    _pass(table, "Crew", "Kaiju", "Ada")
    table.decide("Ada", "losses 77,63,31 A mech limps")
    at_step(table, "tell")


def _next_bid(table: PlayedTable) -> None:
    _rest(table, "tell", "part", "refill", "tactics")
    _bid(table, "Bo", "70 upright")
    at_step(table, "bid")


def _conceded(table: PlayedTable) -> None:
    """The Force breaks the Control, and the Crew leaves."""
    _pass(table, "Crew")
    _bid(table, "Kaiju", "85 upright")
    _pass(table, "Bo", "Crew", "Kaiju")
    _rest(table, "tell")
    table.decide("Crew", "concede")
    at_step(table, "part")


def _over(table: PlayedTable) -> None:
    table.decide("Kaiju", "concede")
    _rest(table, "part", "refill", "parting-draw")
    at_step(table, "over")


LASTING = in_both(said("tourists.stage.lasting", gravity=1))
MOMENTS = (
    Moment("tactics-asked", _tactics, lasts=False, acts=("Kaiju", "Force", "Crew")),
    Moment("cards-drawn", _drawn, lasts=True, acts=("Kaiju", "Force", "Crew")),
    Moment(
        "breaker-answers",
        _breaker_answers,
        lasts=True,
        acts=("Kaiju", "Force", "Crew"),
        shows=_cards(47, 61, 75),
    ),
    Moment(
        "breaker-outcome",
        _breaker_outcome,
        lasts=True,
        acts=("Kaiju", "Force", "Crew"),
        shows=_cards(47, 61, 75),
    ),
    Moment("bid-asked", _bid_asked, lasts=True, acts=("Force", "Ada", "Bo")),
    Moment("bid-answers", _bid_answers, lasts=True, acts=("Force", "Kaiju"), shows=_cards(29)),
    Moment("card-rejected", _rejected, lasts=True, acts=("Force", "Kaiju"), shows=_cards(77)),
    Moment(
        "covered-from-the-reserve",
        _cover,
        lasts=True,
        acts=("Kaiju", "Force", "Ada"),
        shows=_cards(84, 51, 77, 44),
    ),
    Moment(
        "outcome-told",
        _told,
        lasts=True,
        acts=("Kaiju", "Force"),
        shows=_cards(51, 24, 77, 63, 31, 44),
        costs=LASTING,
    ),
    Moment(
        "lasting-loss",
        _next_bid,
        lasts=True,
        acts=("Crew", "Force"),
        shows=_cards(70),
    ),
    Moment(
        "party-conceded",
        _conceded,
        lasts=True,
        acts=("Crew", "Force", "Kaiju"),
        shows=_cards(85, 70),
    ),
    Moment("conflict-over", _over, lasts=False, acts=("Force",)),
)
