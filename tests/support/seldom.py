"""Tables at which rare things happen: people come and go, readers fail, cards are withdrawn.

Each plays a few steps and stops there. Together they cover the events that an evening of ordinary
play never produces.
"""

from collections.abc import Iterator

from hub.games.game import GM
from hub.table import acts as i
from hub.table.looks import Portrait, Shape
from hub.table.state import Undoes
from tests.support import lanterns
from tests.support.evening import Evening
from tests.support.parties import BOOKS, SCENE
from tests.support.specialtalk import come_to, moves, stances, table, tap
from tests.support.tabletalk import TableTalk
from tests.table.test_sealed_chance import begun

STAR = Portrait(shape=Shape.STAR, picture="ab" * 32)
SLOW_MS = 30_000
"""Time to choose where a timer runs."""


def come_and_go() -> Evening:
    """A newcomer, a player who leaves, and scenes that begin and end by mistake."""
    evening = Evening(gm_seat="gm")
    evening.do("npc Thug; attack 2; defend 1; moves attack-high, defend-mid")
    evening.give(i.RemoveCharacter("Thug"))
    evening.give(i.SitOut("bo", True, lasting=True))
    evening.give(i.SitOut("bo", False))
    evening.do("lose ada attack 1")
    evening.give(i.Undo(Undoes.DEED))
    evening.face("The bridge is down", "ada", "bo")
    evening.give(i.Undo(Undoes.START))
    evening.face("The bridge is down", "ada", "bo")
    evening.give(i.SitOut("bo", True))
    evening.give(i.SitOut("bo", False))
    evening.end()
    evening.give(i.Undo(Undoes.END))
    evening.end()
    evening.give(i.Request(i.Portray("ada", STAR), "ada"))
    evening.give(i.EndEvening(True))
    return evening


def left_alone() -> TableTalk:
    """A reader that fails too often, players who leave, a card taken back, a timer that ends."""
    talk = TableTalk(commit_s=SLOW_MS / 1000)
    talk.begin_turn()
    talk.give(i.ReaderTroubled("ada", losses=3, disturbances=9))
    talk.give(i.ReaderTroubled("ada", losses=0, disturbances=0))
    talk.place("ada", "stance attack 2")
    talk.lift("ada")
    talk.give(i.PlayFor("ada", True))
    talk.give(i.LetHubPlay(("bo",), on=True))
    talk.wait(SLOW_MS)
    talk.give(i.Pause())
    talk.give(i.Resume())
    return talk


def beside() -> TableTalk:
    """A special is laid beside the moves and withdrawn, and a player passes up a chance."""
    talk = table(bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    tap(talk, "bo", "yojimbo")
    tap(talk, "bo", "yojimbo")
    talk.decide("bo", "pass")
    moves(talk)
    return talk


def counted_out() -> TableTalk:
    """A loss split card by card, then an overrule of it, then an undo."""
    talk = table()
    talk.decide("ada", "opponent ninja")
    stances(talk)
    moves(talk, "grapple-low", "attack-high")
    for action in ("attack", "defend", "attack"):
        talk.place("ada", f"split {action} 1")
        talk.lift("ada")
    talk.decide(GM, "overrule ninja attack 3 defend 4 grapple 4 because two specials clashed")
    talk.give(i.Undo())
    return talk


def laid_openly() -> TableTalk:
    """Open cards, so that the game itself says where an undo may stop."""
    talk = TableTalk(SCENE, rulebooks=BOOKS)
    talk.start()
    talk.decide("ada", "drawn 7")
    talk.decide("ninja", "drawn 9")
    talk.decide("ada", "drawn 5")
    talk.decide("ninja", "drawn pass")
    return talk


def with_a_wrong_clock() -> TableTalk:
    """A hub's clock was an hour behind."""
    talk = TableTalk()
    talk.begin_turn()
    talk.give(i.SetClock(3_600_000))
    return talk


def seldom() -> Iterator[TableTalk]:
    """All of these tables; the last rolls dice."""
    yield come_and_go()
    yield left_alone()
    yield beside()
    yield counted_out()
    yield laid_openly()
    yield with_a_wrong_clock()
    yield lanterns.drawn_by_the_hub()
    yield lanterns.conflict()
    yield begun()
