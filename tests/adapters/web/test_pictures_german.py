"""Pictures of the display in German, whose words are longer."""

import pytest

from hub.games.story import parse_deed
from hub.table import acts as i
from hub.table.acts import SceneSetup, StorySheets
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE
from tests.adapters.web.test_pictures import SCREENS, TV, shoot
from tests.support.browser import console
from tests.support.evening import cast

pytestmark = pytest.mark.pictures


async def test_pictures_in_german(pages: Pages, looker: Looker) -> None:
    """A turn with specials, a story's countdowns, and a problem."""
    table = pages.table
    table.tell(i.BeginStory("unroll", StorySheets(cast())))
    table.tell(i.TellStory(parse_deed("countdown new 6 Die Flut")))
    table.tell(i.TellStory(parse_deed("countdown mark Die Flut")))
    table.tell(i.TellStory(parse_deed("stakes Das Dorf am Fluss")))
    await looker.open(pages.url("display?lang=de"))
    await looker.until_says("Der Tisch ist bereit")
    await shoot(looker, "german-1-story", TV)
    given: dict[str, dict[str, object]] = SCENE["characters"]  # type: ignore[assignment]
    gifted = {**given, "ninja": {**given["ninja"], "specials": ["wax-on-grapple"]}}
    table.start(characters=gifted)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="grapple 3", ninja="defend 1")
    table.lay("gm", "special wax-on-grapple")
    table.lay("gm")
    table.both("move", ada="grapple-high", ninja="defend-low")
    await looker.until_says("gegen Griff richtet die Haltung von Ada nichts aus")
    await shoot(looker, "german-2-special", SCREENS)
    table.tell(i.EndScene())
    hand = {"backgrounds": {"Koch": 1}}
    problem = {"problem": "Die Brücke ist weg.", "characters": {"ada": hand, "bo": hand}}
    table.tell(
        i.Request(i.StartScene(), scene=("Die Schlucht", SceneSetup("unroll-problem", problem)))
    )
    for seat in table.settings.seats:
        table.lay(seat)
    await looker.until_says("Ada und Bo wählen eine Zahl")
    table.lay("north", "option 1")
    await looker.until_says("Ada ist bereit")
    await shoot(looker, "german-3-problem", SCREENS)
    table.lay("south", "option 2")
    table.reveal()
    table.decide("bo", "describe background Koch")
    await looker.until_says("Erzählt mit einem Hintergrund: Koch.")
    await shoot(looker, "german-4-told", TV)
    assert console(looker.browser) == []
