"""The drawn moments are what they say, by the public view."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain

import msgspec
import pytest

from hub.games.game import GameView
from hub.games.tourists.rules.view import TouristsView
from hub.games.triangle.rules.problem.views import ProblemView
from hub.games.triangle.rules.views import TriangleView
from hub.games.tricube.rules.view import TricubeView
from hub.kernel.texts import Part, Said, said
from hub.table.views import PublicView
from tests.adapters.web.conftest import Pages
from tests.adapters.web.playing import PlayedTable
from tests.pictures.moments import LANGUAGES, MOMENTS, Moment, moments, played
from tests.pictures.moments.moment import in_both
from tests.pictures.moments.unroll import card_word

families = pytest.mark.parametrize("family", MOMENTS)


@cache
def seen(family: str) -> list[tuple[Moment, PublicView]]:
    """Each moment with the public view in it."""
    table = PlayedTable(lambda told: None)
    return [(moment, table.announcement().view) for moment in played(family, table)]


def game_of(view: PublicView) -> GameView:
    assert view.game is not None
    return view.game


@families
def test_there_are_twelve_with_names_of_their_own(family: str) -> None:
    names = [moment.name for moment, _ in seen(family)]
    assert len(names) == len({*names}) == 12


@families
def test_no_two_look_the_same(family: str) -> None:
    """Numbers of events and the hash of the log, which always differ, are left out."""
    looks = {
        msgspec.json.encode((view.step, view.phase, view.committed, view.beside, view.game)): moment
        for moment, view in seen(family)
    }
    assert [*looks.values()] == [*MOMENTS[family]]


@families
def test_who_acts_is_in_the_public_view(family: str) -> None:
    fields = ("sides", "characters", "players", "cast", "parties", "members")
    for moment, view in seen(family):
        known = {*chain.from_iterable(getattr(view.game, field, ()) for field in fields)}
        assert moment.acts, moment.name
        assert {*moment.acts} <= known, moment.name


def in_play(game: GameView) -> bool:
    """Whether something is being played: a turn, a problem, rolls, or a round."""
    match game:
        case TriangleView():
            return game.turn is not None and not game.may_act and game.result is None
        case ProblemView():
            return game.result is None
        case TricubeView():
            return game.rolling is not None
        case TouristsView():
            return game.round is not None and game.result is None
    raise AssertionError(game)


@families
def test_it_lasts_while_something_is_played(family: str) -> None:
    lasts = {moment.name: moment.lasts for moment, _ in seen(family)}
    assert lasts == {moment.name: in_play(game_of(view)) for moment, view in seen(family)}


def open_words(game: GameView) -> Iterator[Part]:
    """The words for the cards and dice that lie open."""
    match game:
        case TriangleView():
            assert game.turn is not None
            for kind, shown in (("stance", game.turn.stances), ("move", game.turn.moves)):
                yield from (card_word(kind, value) for value in (shown or {}).values())
            yield from (card_word("special", use.special) for use in game.turn.specials)
        case ProblemView():
            yield from (card_word("option", str(each)) for each in (game.options or {}).values())
        case TricubeView():
            assert game.rolling is not None
            for roll in game.rolling.rolls.values() if game.rolling.now else ():
                yield Said(f"tricube.stage.outcome.{roll.outcome}")
                yield from (roll.quirk,) if roll.quirk else ()
        case TouristsView():
            laid = [each for party in game.parties.values() for each in party.laid]
            assert game.round is not None
            if game.round.cover:
                laid.append(game.round.cover)
            yield from (str(each.card.number) for each in laid)


@families
def test_the_words_are_those_of_the_open_cards_and_dice(family: str) -> None:
    for moment, view in seen(family):
        words = open_words(game_of(view)) if moment.lasts else ()
        expected = in_both(*words)
        for language in LANGUAGES:
            found = Counter(moment.shows[language])
            assert found == Counter(expected[language]), (moment.name, language)


def paid(game: GameView) -> Iterator[Part]:
    """What the turn, the rolls or the round cost."""
    match game:
        case TriangleView() if game.turn is not None:
            yield from (str(loss.total) for loss in game.turn.losses.values())
        case TricubeView() if game.rolling is not None:
            prices = (roll.price for roll in game.rolling.rolls.values())
            for number in (price.resolve for price in prices if price and price.resolve):
                yield said("tricube.stage.lost", number=number, count=number)
        case TouristsView():
            lasting = chain.from_iterable(party.lasting for party in game.parties.values())
            for loss in lasting:
                yield said("tourists.stage.lasting", gravity=loss.gravity)


@families
def test_the_costs_are_those_that_were_paid(family: str) -> None:
    costly = [(moment, view) for moment, view in seen(family) if moment.costs["en"]]
    assert costly
    for moment, view in costly:
        expected = in_both(*paid(game_of(view)))
        for language in LANGUAGES:
            assert moment.costs[language] == expected[language], (moment.name, language)


@families
async def test_pages_are_in_each_moment_when_it_is_yielded(family: str) -> None:
    pages = Pages()
    expected = [(moment, view.game) for moment, view in seen(family)]
    found = [
        (moment, pages.table.announcement().view.game) async for moment in moments(family, pages)
    ]
    assert found == expected
