"""A restart changes nothing: the running table folds the same records as a restarted one."""

from msgspec.json import encode

from hub.table.state import phase_of
from hub.table.views import public_view, seat_views
from tests.support.specialtalk import come_to, moves, shown, stances, table, tap
from tests.support.tabletalk import GIFTED, TableTalk


def everything_shown(talk: TableTalk) -> tuple[bytes, bytes, str]:
    """All views as bytes, so that a different order in a dictionary shows."""
    return (
        encode(public_view(talk.state)),
        encode(seat_views(talk.state, talk.settings)),
        phase_of(talk.state),
    )


def test_cards_beside_come_back_in_their_original_order() -> None:
    talk = TableTalk(GIFTED)
    talk.begin_turn()
    stances(talk)
    tap(talk, "bo", "yojimbo")
    tap(talk, "ada", "to-blave")
    moves(talk, "attack-mid", "grapple-mid")
    told, order = everything_shown(talk), shown(talk)
    assert {who for who, _ in order} == {"ada", "bo"}
    talk.restart()
    assert shown(talk) == order
    assert everything_shown(talk) == told


def test_seats_and_sealed_cards_come_back_as_they_were() -> None:
    talk = table(bo=["yojimbo"], ada=["to-blave"])
    come_to(talk, "move")
    tap(talk, "bo", "yojimbo")
    talk.place("gm", "move attack-low")
    told = everything_shown(talk)
    seats = list(talk.state.scene.seats)  # type: ignore[union-attr]
    talk.restart()
    assert list(talk.state.scene.seats) == seats  # type: ignore[union-attr]
    assert everything_shown(talk) == told
