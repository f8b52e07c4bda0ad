"""Whatever the GM can do shows first what it will change, or at once how to take it back; and what
is taken back is as it was, to the letter, also after a restart.

The lists of what there is come from the typed unions and tables themselves: what is new there has
to be added here.
"""

from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest

from hub.daemon.wishes import wish
from hub.rules.game import GM
from hub.rules.story import ConflictWish, ProblemWish
from hub.rules.triangle.story.deeds import DEEDS
from hub.table import inputs as i
from hub.table.back import WayBack, ways_back
from hub.table.backstage import console_view
from hub.table.preview import preview
from hub.table.state import Undoes
from hub.table.views import cast, deeds, questions, seat_views
from hub.wire import commands as c
from tests.rules.cast import starting
from tests.support.evening import Evening, sheets

DUEL = ConflictWish(
    sides={"players": ("ada", "bo"), "others": ("ninja", "crow")}, stakes="The boat", title="Quay"
)
NO_WAY_BACK = {
    c.DropSeal: "the card is laid again: nothing is sealed that nobody lays",
    c.Undo: "what was taken back is done again by hand",
    c.Pause: "resume is its way back",
    c.Resume: "pause is its way back",
}
"""What has no undo, and why."""


class Case(msgspec.Struct, frozen=True):
    """A command, and where it can be given."""

    command: c.AnyCommand
    before: Callable[[Evening], None]
    what: Undoes | None = None
    """By what it is taken back."""


def quiet(evening: Evening) -> None:
    evening.do("countdown new 6 The tide")
    evening.do("countdown mark The tide")
    evening.do("overrule rest because the night is long")
    evening.do("lose ada attack 1")


def begun(evening: Evening) -> None:
    quiet(evening)
    evening.stage(DUEL)


def sealing(evening: Evening) -> None:
    begun(evening)
    evening.decide(GM, "active ada")
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
    evening.stage(ProblemWish(problem="The bridge is down", interested=("ada", "bo")))


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
    deed("overrule ada attack 1 because of the tide"),
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
    Case(c.StartScene(scene=DUEL), quiet, Undoes.START),
    Case(c.StartScene(scene=ProblemWish(problem="The bridge")), quiet, Undoes.START),
    Case(c.StartScene(), quiet, Undoes.START),
    *(
        Case(c.EndScene(), where, Undoes.END)
        for where in (begun, sealing, sealed, revealed, paused, over, problem)
    ),
    Case(c.Decide(actor=GM, choice="active ada"), begun, Undoes.PLAY),
    Case(c.Decide(actor=GM, choice="overrule ada attack 1 because of it"), begun, Undoes.PLAY),
    Case(c.DropSeal(actor="ada"), sealed),
    Case(c.Pause(), sealed),
    Case(c.Resume(), paused),
    Case(c.Undo(), sealed),
    Case(c.Undo(), quiet),
]


@pytest.fixture
def evening() -> Evening:
    reserve = [starting(name="fay")]
    table = Evening(party=sheets(), reserve=reserve, gm_seat="gm")
    return table


def given(evening: Evening, command: c.AnyCommand) -> i.Input:
    return wish(command, GM, evening.state, lambda: ("A duel", evening.setup))


def shown(evening: Evening, *, laid: bool) -> Any:
    """Everything that anybody is shown; ``laid``: with what lies sealed."""
    state = evening.state
    view = msgspec.to_builtins(evening.view)
    for moment in ("seq", "basis"):
        del view[moment]
    if view["story"]:
        del view["story"]["erased"]
    seats = [msgspec.to_builtins(each) for each in seat_views(state, evening.settings)]
    if not laid:
        view |= {"committed": [], "beside": [], "answers": []}
        for seat in seats:
            del seat["committed"]
    console = msgspec.to_builtins(console_view(state, evening.settings), enc_hook=str)
    del console["lies"], console["undo"]
    offered = msgspec.to_builtins([deeds(state), questions(state), cast(state)])
    reserve = evening.state.story.state.reserve if evening.state.story else {}
    sheets = {who: msgspec.to_builtins(each) for who, each in evening.sheets.items()}
    return view, seats, console, offered, sheets, [*reserve]


def test_every_command_and_every_deed_is_among_the_cases() -> None:
    assert {type(case.command) for case in CASES} == set(get_args(c.AnyCommand))
    words = {each.command.deed.split()[0] for each in TOLD if isinstance(each.command, c.TellStory)}
    assert words == set(DEEDS)
    assert {type(case.command) for case in CASES if case.what is None} == set(NO_WAY_BACK)
    assert {case.what for case in CASES} == {None, *Undoes}


def name(case: Case) -> str:
    text = getattr(case.command, "deed", "") or type(case.command).__name__
    return f"{text} {getattr(case.before, '__name__', '')}"


@pytest.mark.parametrize("restarts", [False, True], ids=["", "restarts"])
@pytest.mark.parametrize("case", CASES, ids=name)
def test_it_shows_first_what_it_changes_and_is_taken_back_to_the_letter(
    evening: Evening, case: Case, restarts: bool
) -> None:
    case.before(evening)
    # What ends a step leaves no seal: the card is laid again.
    laid = case.what in {Undoes.DEED, None}
    before, state = shown(evening, laid=laid), evening.state
    if case.what is Undoes.START:
        before[0].pop("scene")  # how many have begun: they are counted on
    changes = preview(state, evening.settings, given(evening, case.command))
    assert changes, "it does not say what it will change"
    assert evening.state is state

    ways = ways_back(state)
    evening.give(given(evening, case.command))
    assert shown(evening, laid=True) != before
    if case.what is None:
        return
    (way,) = [each for each in ways_back(evening.state) if each.what is case.what]
    assert way not in ways or way.what is Undoes.PLAY
    if restarts:
        evening.restart()
    look = c.Undo(what=way.what, to_seq=way.to_seq)
    back = {(each.who, each.what): each for each in preview(
        evening.state, evening.settings, given(evening, look)
    )}  # fmt: skip
    for each in changes:
        if each.what[0] not in {"sealed", "step"}:
            assert back[each.who, each.what].after == each.before
    evening.give(given(evening, look))
    if restarts:
        evening.restart()
    after = shown(evening, laid=laid)
    if case.what is Undoes.START:
        after[0].pop("scene")
    assert after == before
    if case.what is not Undoes.PLAY:
        assert piled(ways_back(evening.state)) == piled(ways), "and so on, further back"


def piled(ways: tuple[WayBack, ...]) -> list[WayBack]:
    return [way for way in ways if way.what is not Undoes.PLAY]
