"""Every action that the GM has in a story, each with a moment at which it is possible."""

from collections.abc import Callable

import msgspec
from msgspec import to_builtins

from hub.games.game import GM
from hub.games.triangle.story.scenes import ConflictRequest, ProblemRequest
from hub.table import acts as c
from hub.table import acts as i
from hub.table.looks import Colour, Portrait
from hub.table.state import Undoes
from tests.rules.cast import starting
from tests.support.evening import Evening, sheets

DUEL = ConflictRequest(
    sides={"players": ("ada", "bo"), "others": ("ninja", "crow")}, stakes="The boat", title="Quay"
)


class Case(msgspec.Struct, frozen=True):
    """A command and the moment at which it can be given."""

    command: c.Command
    before: Callable[[Evening], None]
    what: Undoes | None = None
    """The undo that takes it back."""


def quiet(evening: Evening) -> None:
    evening.do("countdown new 6 The tide")
    evening.do("countdown mark The tide")
    evening.do("overrule rest because the night is long")
    evening.do("lose ada attack 1")


def begun(evening: Evening) -> None:
    quiet(evening)
    evening.stage(DUEL)


def acting(evening: Evening) -> None:
    begun(evening)
    evening.decide(GM, "active ada")


def sealing(evening: Evening) -> None:
    acting(evening)
    evening.decide("ada", "opponent ninja")


def sealed(evening: Evening) -> None:
    sealing(evening)
    evening.place("ada", "stance none")


def revealed(evening: Evening) -> None:
    sealed(evening)
    evening.place("gm", "stance none")
    evening.reveal()


def paused(evening: Evening) -> None:
    sealed(evening)
    evening.give(i.Pause())


def over(evening: Evening) -> None:
    begun(evening)
    evening.decide(GM, "overrule end players because it is late")


def grown(evening: Evening) -> None:
    for each in ("mark belief ada", "mark goal ada", "overrule ada zero attack because of it"):
        evening.do(each)


def mourning(evening: Evening) -> None:
    quiet(evening)
    evening.do("overrule bo dead because of the tide")


def problem(evening: Evening) -> None:
    quiet(evening)
    evening.stage(ProblemRequest(problem="The bridge is down", interested=("ada", "bo")))


def deed(text: str, before: Callable[[Evening], None] = quiet) -> Case:
    return Case(c.TellStory(deed=text), before, Undoes.DEED)


TOLD = [
    deed("countdown new 4 The storm"),
    deed("countdown mark The tide"),
    deed("countdown unmark The tide"),
    deed("countdown erase The tide"),
    deed("stakes The last boat"),
    deed("rest breather attack ada"),
    deed("rest short defend ada; attack bo"),
    deed("rest full"),
    deed("recover ninja attack 1"),
    deed("lose ada attack 1"),
    deed("rename ada attack-high as Overhand"),
    deed("mark belief ada"),
    deed("unmark belief ada", grown),
    deed("rewrite goal ada Find the pilot"),
    deed("background ada ferry hand as Cook"),
    deed("level-up ada energy attack", grown),
    Case(
        c.TellStory(
            deed={
                "do": "overrule",
                "holds": {"what": "energy", "name": "ada", "energy": {"attack": 1}},
                "because": "of the tide",
            }
        ),
        quiet,
        Undoes.DEED,
    ),
    deed("replace bo by fay", mourning),
    deed("join fay"),
    deed("npc guard; attack 3; moves attack-high"),
    deed("dismiss crow"),
    *(
        deed(each, where)
        for where in (begun, sealed, revealed, paused, over, problem)
        for each in (
            "countdown new 4 The storm",
            "countdown mark The tide",
            "countdown erase The tide",
            "stakes The last boat",
            "npc guard; attack 3; moves attack-high",
        )
    ),
]
CASES = [
    *TOLD,
    Case(c.AddCharacter(like="crow", name="crow 2"), quiet, Undoes.DEED),
    Case(c.AddCharacter(like="crow", name="crow 2", seat="gm"), sealed, Undoes.DEED),
    Case(c.RemoveCharacter(name="crow"), quiet, Undoes.DEED),
    Case(c.RemoveCharacter(name="fay"), sealed, Undoes.DEED),
    Case(c.StartScene(scene=to_builtins(DUEL)), quiet, Undoes.START),
    Case(
        c.StartScene(scene=to_builtins(ProblemRequest(problem="The bridge"))), quiet, Undoes.START
    ),
    Case(c.StartScene(), quiet, Undoes.START),
    *(
        Case(c.EndScene(), where, Undoes.END)
        for where in (begun, sealing, sealed, revealed, paused, over, problem)
    ),
    Case(c.Decide(actor=GM, choice="active ada"), begun, Undoes.PLAY),
    Case(c.Decide(actor="ada", choice="opponent ninja"), acting, Undoes.STEP),
    Case(c.Overrule(holds={"what": "out", "name": "ada"}, because="of it"), begun, Undoes.PLAY),
    Case(c.SitOut(actor="bo", out=True), begun, Undoes.PLAY),
    Case(c.PlayFor(actor="ada", on=True), sealed),
    Case(c.DropSeal(actor="ada"), sealed),
    Case(c.Pause(), sealed),
    Case(c.Resume(), paused),
    Case(
        c.WishFor(
            name="ada", wants={"do": "level-up", "name": "ada", "choices": {"energy": "attack"}}
        ),
        grown,
        Undoes.DEED,
    ),
    Case(c.Undo(), sealed),
    Case(c.Undo(), quiet),
    Case(c.LetHubPlay(actors=("ada", "gm"), on=True), sealed),
    Case(c.NameEvening(title="The last ferry"), sealed),
    Case(c.SetTimer(seconds=45), sealed),
    Case(c.Next(), paused),
    Case(c.Next(), quiet, Undoes.START),
    Case(c.Next(), over, Undoes.END),
    Case(c.EndEvening(), quiet),
    Case(c.Portray(name="ada", portrait=Portrait(colour=Colour.RED)), sealed),
]


def an_evening() -> Evening:
    """An evening at which all of :data:`CASES` can be done."""
    return Evening(party=sheets(), reserve=[starting(name="fay")], gm_seat="gm")
