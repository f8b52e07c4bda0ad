"""Specials at a table without a hub: who knows which, and the phases of a turn with them."""

from typing import Any

from hub.games.game import GM
from hub.table.acts import Record
from hub.table.views import questions
from hub.wire.log import GENESIS, encode_record, line_hash
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.tabletalk import DUEL, TableTalk

EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
MOVES = ["attack-high", "attack-mid", "attack-low", "defend-mid", "grapple-high", "grapple-low"]


def table(edition: Any = UNROLL, **specials: list[str]) -> TableTalk:
    """ada and bo against ninja and crow with these specials, at the choice of an opponent."""
    points = {"attack": 8, "defend": 8, "grapple": 8}
    most = {"attack": 10, "defend": 10, "grapple": 10}
    sheets = {
        name: {"energy": points, "max": most, "moves": MOVES, "specials": specials.get(name, [])}
        for name in DUEL["characters"]
    }
    talk = TableTalk({**DUEL, "ruleset": edition.id, "characters": sheets})
    talk.start()
    talk.decide(GM, "active ada")
    return talk


def come_to(talk: TableTalk, step: str) -> None:
    if step != "opponent":
        talk.decide("ada", "opponent ninja")
    if step == "move":
        stances(talk)


def both(talk: TableTalk, ada: str, ninja: str) -> None:
    talk.show(ada=ada, gm=ninja)


def stances(talk: TableTalk, ada: str = "none", ninja: str = "none") -> None:
    both(talk, f"stance {ada}", f"stance {ninja}")


def moves(talk: TableTalk, ada: str = "attack-high", ninja: str = "grapple-low") -> None:
    both(talk, f"move {ada}", f"move {ninja}")


def lay_early(talk: TableTalk, card: str, ninja: str = "none", by: str = "ada") -> None:
    """After a ``use``, everyone asked lays a special."""
    for actor in talk.view.awaited:
        seat, laid = (by, card) if actor == by else ("gm", ninja)
        talk.place(seat, f"special {laid}")
    talk.reveal()
    talk.clear()


def tap(talk: TableTalk, seat: str, special: str) -> None:
    talk.place(seat, f"special {special}")
    talk.lift(seat, f"special {special}")


def shown(talk: TableTalk) -> list[tuple[str, str]]:
    game: Any = talk.view.game
    return [(use.player, use.special) for use in game.turn.specials]


def log_of(records: list[Record]) -> list[bytes]:
    """The log lines of these records."""
    head, lines = GENESIS, []
    for record in records:
        row = encode_record(record, head)
        head = line_hash(row.line)
        lines.append(row.line)
    return lines


def offers_of(talk: TableTalk, actor: str) -> Any:
    return [o for q in questions(talk.state) if q.actor == actor for o in q.offers]


def answer_all(talk: TableTalk) -> None:
    """Take every default until the next active character is named."""
    while talk.step not in {"next", "over"}:
        question = next(q for q in questions(talk.state) if q.step == talk.step)
        offer = next(o for o in question.offers if o.default)
        talk.decide(question.actor, str(offer.choice))
