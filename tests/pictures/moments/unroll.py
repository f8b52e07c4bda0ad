"""Twelve moments of Unroll: two of a river town against two thieves, and a problem afterwards.

The first loss is the book's own example: 3 × 2 + 1 + 4 + 1 + 1 = 13.
"""

from collections.abc import Sequence

from msgspec import to_builtins

from hub.games.triangle.naming import choice_name
from hub.games.triangle.rules.characters.sheet import KnownSpecial, Sheet
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.story.scenes import ConflictRequest, ProblemRequest
from hub.kernel.texts import Part, Said
from hub.table import acts as i
from hub.table.state import Settings
from tests.adapters.web.playing import PlayedTable
from tests.pictures.moments.moment import (
    InBoth,
    Moment,
    at_step,
    begin_story,
    in_both,
    mark,
    seat_of,
    turn_up,
)
from tests.rules.cast import known, npc, starting

SEATS = {"north": ("Ada",), "south": ("Bo",), "gm": ("Crow", "Magpie")}
TIDE = "The tide comes in"


def _sheets() -> list[Sheet]:
    ada, bo, crow, magpie = Energy(3, 3, 4), Energy(5, 4, 4), Energy(6, 5, 6), Energy(4, 2, 3)
    return [
        starting(
            name="Ada",
            level=3,
            max=ada,
            energy=ada,
            moves=known("attack-high", "attack-low", "defend-low", "grapple-high"),
            combos={"defend-low": ("grapple-high", "attack-high")},
            specials=(KnownSpecial("pressure-point"),),
        ),
        starting(
            name="Bo",
            level=5,
            max=bo,
            energy=bo,
            moves=known("attack-high", "attack-low", "defend-mid", "grapple-mid"),
            specials=(KnownSpecial("santa-carla-attack"),),
        ),
        npc(
            name="Crow",
            max=crow,
            energy=crow,
            moves=known("attack-low", "defend-low", "grapple-mid"),
        ),
        npc(
            name="Magpie",
            max=magpie,
            energy=magpie,
            moves=known("attack-low", "defend-mid", "grapple-mid"),
            specials=(KnownSpecial("wax-on-attack"),),
        ),
    ]


# What the people at the table do


def _lay(table: PlayedTable, **cards: str) -> None:
    for who, card in cards.items():
        table.lay(seat_of(table, who), card)


def _beside(table: PlayedTable, who: str, special: str) -> None:
    """Lay a special beside the step, and lift it."""
    _lay(table, **{who: f"special {special}"})
    table.lay(seat_of(table, who))


def _shown(table: PlayedTable) -> None:
    """Reveal, and lift all cards."""
    turn_up(table)
    for seat in SEATS:
        table.lay(seat)


def _both(table: PlayedTable, kind: str, **values: str) -> None:
    """Let both characters of the turn choose, and reveal."""
    _lay(table, **{who: f"{kind} {value}" for who, value in values.items()})
    _shown(table)


def _turn(
    table: PlayedTable, by: str, who: str, opponent: str, moves: Sequence[str], **stances: str
) -> None:
    """Play a turn until its moves are shown. ``by`` names the active character."""
    table.decide(by, f"active {who}")
    table.decide(who, f"opponent {opponent}")
    _both(table, "stance", **({who: "none", opponent: "none"} | stances))
    _both(table, "move", **dict(zip((who, opponent), moves, strict=True)))
    table.let_be()


def card_word(kind: str, value: str) -> Part:
    """The name of a card; of a stance without its number."""
    word, _, number = value.partition(" ")
    return Said(word) if kind == "stance" and number else choice_name(kind, value)


def _cards(*cards: str) -> InBoth:
    """The names of cards, which are written as they are laid."""
    return in_both(*(card_word(*card.split(" ", 1)) for card in cards))


# The moments, in their order


def _first_turn(table: PlayedTable) -> None:
    table.settings = Settings(seats=SEATS, gm_seat="gm")
    begin_story(table, "unroll", [to_builtins(sheet) for sheet in _sheets()], TIDE, 6)
    sides = {"lock-keepers": ("Ada", "Bo"), "river-thieves": ("Crow", "Magpie")}
    asked = ConflictRequest(title="The stolen tide book", sides=sides, stakes="The harbour’s tolls")
    table.tell(i.Request(i.StartScene(to_builtins(asked))))
    for seat in SEATS:
        table.lay(seat)


def _opponent_chosen(table: PlayedTable) -> None:
    """After a first turn, which Ada won; she keeps the next one for her combo."""
    _turn(table, "gm", "Ada", "Crow", ("defend-low", "attack-low"))
    table.decide("Crow", "split attack 1 grapple 1")
    table.decide("Ada", "active Ada")


def _stance_sealed(table: PlayedTable) -> None:
    _lay(table, Ada="stance grapple 3")


def _stances_locked(table: PlayedTable) -> None:
    _lay(table, Crow="stance defend 1")


def _special_beside(table: PlayedTable) -> None:
    _beside(table, "Ada", "pressure-point")
    _lay(table, Ada="move grapple-high")


def _loss_split(table: PlayedTable) -> None:
    """Ada decides for Crow, because of her special."""
    _lay(table, Crow="move defend-low")
    _shown(table)
    table.let_be()
    at_step(table, "aim")


def _loss_taken(table: PlayedTable) -> None:
    table.decide("Ada", "aim attack 5 defend 5 grapple 3")
    at_step(table, "next")


def _tie(table: PlayedTable) -> None:
    _turn(table, "Ada", "Bo", "Magpie", ("attack-low", "attack-low"), Bo="attack 1")
    at_step(table, "split")


def _two_specials(table: PlayedTable) -> None:
    """Magpie's special cancels Bo's stance, which Bo's own special brings back."""
    table.decide("Bo", "split attack 2 defend 1")
    table.decide("Magpie", "split attack 3")
    mark(table, TIDE)
    table.decide("gm", "active Magpie")
    table.decide("Magpie", "opponent Bo")
    _both(table, "stance", Bo="attack 2", Magpie="grapple 1")
    _beside(table, "Bo", "santa-carla-attack")
    _beside(table, "Magpie", "wax-on-attack")
    _both(table, "move", Bo="attack-high", Magpie="grapple-mid")
    table.let_be()
    at_step(table, "split")


def _over(table: PlayedTable) -> None:
    """The thieves are knocked out, one after the other."""
    table.decide("Magpie", "split attack 1 defend 1 grapple 2")
    table.decide("Bo", "gain attack 2")
    _turn(table, "Bo", "Ada", "Magpie", ("grapple-high", "defend-mid"))
    _turn(table, "Ada", "Bo", "Crow", ("attack-high", "grapple-mid"))
    at_step(table, "over")


def _problem(table: PlayedTable) -> None:
    table.tell(i.Request(i.EndScene()))
    asked = ProblemRequest(
        title="Afterwards", problem="The bridge is gone", interested=("Ada", "Bo")
    )
    table.tell(i.Request(i.StartScene(to_builtins(asked))))
    for seat in SEATS:
        table.lay(seat)
    _both(table, "option", Ada="2", Bo="3")
    at_step(table, "describe")


STANCES = ("stance grapple 3", "stance defend 1")
FIRST_LOSS = ("move grapple-high", "move defend-low", "special pressure-point")
MOMENTS = (
    Moment("first-turn-asked", _first_turn, lasts=False, acts=("Ada", "Bo", "Crow", "Magpie")),
    Moment("stances-asked", _opponent_chosen, lasts=True, acts=("Ada", "Crow")),
    Moment("stance-sealed", _stance_sealed, lasts=True, acts=("Ada", "Crow")),
    Moment("stances-locked", _stances_locked, lasts=True, acts=("Ada", "Crow")),
    Moment("stances-shown", _shown, lasts=True, acts=("Ada", "Crow"), shows=_cards(*STANCES)),
    Moment(
        "special-beside", _special_beside, lasts=True, acts=("Ada", "Crow"), shows=_cards(*STANCES)
    ),
    Moment(
        "loss-split",
        _loss_split,
        lasts=True,
        acts=("Ada", "Crow"),
        shows=_cards(*STANCES, *FIRST_LOSS),
        costs=in_both("13"),
    ),
    Moment("loss-taken", _loss_taken, lasts=False, acts=("Bo",), costs=in_both("13")),
    Moment(
        "tie",
        _tie,
        lasts=True,
        acts=("Bo", "Magpie"),
        shows=_cards("stance attack 1", "stance none", "move attack-low", "move attack-low"),
        costs=in_both("3", "3"),
    ),
    Moment(
        "two-specials",
        _two_specials,
        lasts=True,
        acts=("Bo", "Magpie"),
        shows=_cards(
            *("stance attack 2", "move attack-high", "special santa-carla-attack"),
            *("stance grapple 1", "move grapple-mid", "special wax-on-attack"),
        ),
        costs=in_both("4"),
    ),
    Moment("conflict-over", _over, lasts=False, acts=("lock-keepers",)),
    Moment(
        "problem-told",
        _problem,
        lasts=True,
        acts=("Ada", "Bo"),
        shows=_cards("option 2", "option 3"),
    ),
)
