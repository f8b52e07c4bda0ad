"""The hub's players play Conflicts to their end, sensibly, and by public information."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.games.tourists import demo
from hub.games.tourists.playing import PLAYING
from hub.games.tourists.rules.conflict import Left
from hub.games.tourists.rules.view import CardView, LastingView, TouristsView
from hub.players.choosing import unasked
from hub.table import acts as i
from tests.books.evening import Demo, Evening

DEMO = Demo(demo, "parties", "draws")
SCENE = DEMO.scene


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Evening]:
    return DEMO.evening(monkeypatch)


async def test_hub_players_play_conflicts_to_their_end(evening: Callable[..., Evening]) -> None:
    said: Counter[str] = Counter()
    victors: set[str | None] = set()
    for seed in range(6):
        table = evening(seed)
        await table.play()
        assert not any(table.stuck), f"seed {seed}: {table.stuck}"
        assert table.over
        assert table.view.result is not None
        assert table.view.result.reason == "last-standing"
        assert table.longest < 20
        victors.add(table.view.result.winner)
        said.update(choice.kind for _, _, choice in table.asked)
        said.update(str(v.round.outcome) for v in table.views if v and v.round and v.round.outcome)
    assert len(victors) > 1, "the same party every time"
    # All kinds of words about a card occurred, and rounds ended in several ways.
    answers = {"turn", "reject", "cover", "because", "let-be", "concede", "pass", "draw"}
    assert {*said} >= answers | {"held", "broken", "taken"}
    assert said["pass"] < 2 * said["draw"]


async def test_with_a_deck_on_the_table_they_draw_cards_still_in_it(
    evening: Callable[..., Evening],
) -> None:
    parties = {name: dict(party) for name, party in SCENE["parties"].items()}
    del parties["The Flood"]["reserve"]  # three cards that are still to be laid
    for seed in range(3):
        table = evening(seed, draws="table", parties=parties)
        await table.play()
        assert not any(table.stuck)
        assert table.over
        drawn = {choice.value for _, _, choice in table.asked if choice.kind == "drawn"}
        assert len(drawn) > 10
        assert {each.split()[1] for each in drawn} == {"upright", "reversed"}


def bidding(evening: Callable[..., Evening], **laid: Any) -> TouristsView:
    """A round in which the Flood is the Dominant, with these cards on the table."""
    table = evening(1, draws="table")
    table.start()
    for who in ("Ada", "Salt Guild", "The Flood"):
        table.table.decide(who, "tactics")
    for who, cards in laid.items():
        for card in cards:
            table.table.tell(i.Decide(who.replace("_", " "), card))
    assert isinstance(table.view, TouristsView)
    return table.view


def likes(view: TouristsView, who: str, *choices: str) -> list[float]:
    return [PLAYING.liking(view, who, Choice.parse(each)) for each in choices]


def with_reversed(view: TouristsView, party: str, count: int) -> TouristsView:
    changed = replace(view.parties[party], reversed=count)
    return replace(view, parties={**view.parties, party: changed})


def test_a_party_with_the_control_passes_and_others_draw(evening: Callable[..., Evening]) -> None:
    view = bidding(evening)
    assert view.control is not None
    assert view.control.party == "The Flood"
    draw, passes = likes(view, "The Flood", "draw", "pass")
    assert passes > draw
    draw, passes = likes(view, "Salt Guild", "draw", "pass")
    assert draw > passes


def test_no_player_draws_a_fifth_reversed_card(evening: Callable[..., Evening]) -> None:
    view = bidding(evening)
    chances = [
        likes(with_reversed(view, "Salt Guild", n), "Salt Guild", "draw")[0] for n in range(5)
    ]
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] == 0
    assert chances[3] > 0


def test_unasked_choices_follow_from_the_public_view(evening: Callable[..., Evening]) -> None:
    table = evening(1)
    table.start()
    view = table.table.announcement().view
    assert unasked(view, "Ada") is None
    late = replace(view, step="part", game=hard_pressed(bidding(evening), "Salt Guild"))
    said = unasked(late, "Salt Guild")
    assert said is not None
    assert said.choice == "concede"
    assert unasked(late, "Ada") is None
    assert unasked(replace(late, step="tell"), "Salt Guild") is None
    assert unasked(late, GM) is None


def test_from_the_sixth_round_on_parties_concede_one_by_one(
    evening: Callable[..., Evening],
) -> None:
    """The weakest party first, a round later the next; the strongest never does."""
    view = bidding(evening)

    def gives_up(view: TouristsView) -> set[str]:
        return {
            view.members[who].party
            for who in view.members
            if PLAYING.unasked("part", view, who) == Choice("concede")
        }

    def at(number: int, view: TouristsView = view) -> TouristsView:
        assert view.round is not None
        return replace(view, round=replace(view.round, number=number))

    assert gives_up(at(5)) == set()
    (weakest,) = gives_up(at(6))
    assert gives_up(at(60)) == {weakest}
    gone = replace(view.parties[weakest], out=Left.CONCEDED)
    left = replace(view, parties={**view.parties, weakest: gone})
    assert gives_up(at(6, left)) == set()
    (next_one,) = gives_up(at(7, left))
    assert next_one not in {weakest, "The Flood"}, "who has the Control is the strongest"
    last = replace(left, parties={**left.parties, next_one: gone})
    assert gives_up(at(60, last)) == set()


def hard_pressed(view: TouristsView, party: str) -> TouristsView:
    """The party with two Lasting Losses."""
    cards = tuple(CardView(number=n, reversed=True, suit="paper", rank=None) for n in (28, 29, 30))
    loss = LastingView(cards=cards, face_down=(), who=party, gravity=1, text="")
    changed = replace(view.parties[party], lasting=(loss, loss))
    return replace(view, parties={**view.parties, party: changed})


async def test_hub_players_wait_for_people_at_the_table(evening: Callable[..., Evening]) -> None:
    table = evening(3)
    await table.play("Salt Guild", "The Flood", GM)
    assert not any(table.stuck)
    view = table.table.announcement().view
    assert {*view.awaited} - {*view.committed} <= {"Ada", "Bo", "Salt Guild", "The Flood"}
    assert {*view.awaited} & {"Ada", "Bo"}
