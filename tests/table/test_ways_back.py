"""Every GM command has a preview or can be undone, and an undo restores the exact state.

That also holds after a restart. The lists of commands come from the typed unions and tables
themselves: a new command has to be added here.
"""

from typing import Any

import msgspec
import pytest

from hub.games.deeds import WISH_DEEDS
from hub.games.game import GM
from hub.games.story import parse_deed
from hub.games.triangle.story.deeds import DEEDS
from hub.table import acts as c
from hub.table import acts as i
from hub.table.acts import WayBack, ways_back
from hub.table.preview import preview
from hub.table.private_views import console_view
from hub.table.seating import cast
from hub.table.state import SeatFault, Undoes
from hub.table.views import deeds, questions, seat_views
from tests.support.asking import OneScene, as_input
from tests.support.deeds import CASES, TOLD, Case, an_evening
from tests.support.evening import Evening
from tests.support.specialtalk import come_to, table, tap

NO_WAY_BACK = {
    c.DropSeal: "the card is laid again: nothing is sealed that nobody lays",
    c.Undo: "what was taken back is done again by hand",
    c.Pause: "resume is its way back",
    c.Resume: "pause is its way back",
    c.PlayFor: "the same, the other way, is its way back",
    c.NameEvening: "the title before is written again",
    c.SetTimer: "the time before is set again",
    c.Next: "what it does has a way back of its own",
    c.EndEvening: "the same button lets it go on after all",
    c.Portray: "what was chosen before is chosen again",
    c.LetHubPlay: "the same button takes over again",
}
"""Commands without an undo, and the reasons."""


@pytest.fixture
def evening() -> Evening:
    return an_evening()


def given(evening: Evening, command: c.Command) -> i.Input:
    return c.request(command, GM, evening.state, OneScene("A duel", evening.setup))


def shown(evening: Evening, *, laid: bool) -> Any:
    """All views; ``laid``: with the sealed cards."""
    state = evening.state
    view = msgspec.to_builtins(evening.view)
    for moment in ("seq", "version"):
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


def tag(deed: type) -> str:
    return str(deed.__struct_config__.tag)  # type: ignore[attr-defined]


def do(case: Case) -> str:
    """The deed that is recorded, by its name in the journal."""
    evening = an_evening()
    case.before(evening)
    assert isinstance(case.command, c.TellStory)
    if not isinstance(case.command.deed, str):
        return str(case.command.deed["do"])
    deed, story = parse_deed(case.command.deed), evening.state.story
    assert story is not None
    return "npc" if deed.kind == "npc" else str(story.rules.read(story.state, deed)["do"])


def test_every_command_and_every_deed_is_among_the_cases() -> None:
    assert {type(case.command) for case in CASES} == {
        kind for kind in c.COMMANDS if not kind.page_only
    }
    assert {do(each) for each in TOLD} == {
        tag(deed) for deed in DEEDS if deed not in WISH_DEEDS
    } | {"npc"}
    assert {type(case.command) for case in CASES if case.what is None} == set(NO_WAY_BACK)
    assert {case.what for case in CASES} == {None, *Undoes}


def name(case: Case) -> str:
    text = getattr(case.command, "deed", "") or type(case.command).__name__
    return f"{text} {getattr(case.before, '__name__', '')}"


@pytest.mark.parametrize("restarts", [False, True], ids=["", "restarts"])
@pytest.mark.parametrize("case", CASES, ids=name)
def test_every_command_previews_its_changes_and_is_undone_exactly(
    evening: Evening, case: Case, restarts: bool
) -> None:
    case.before(evening)
    # Deeds that end a step leave no seal: the card is laid again.
    laid = case.what in {Undoes.DEED, None}
    before, state = shown(evening, laid=laid), evening.state
    if case.what is Undoes.START:
        before[0].pop("scene")  # The number of scenes begun is not undone.
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
        if each.what[0] not in {"sealed", "step", "undecided"}:
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


@pytest.mark.parametrize("delay", [0, 1000])
def test_a_preview_does_not_open_sealed_cards(delay: int) -> None:
    """The GM drops a card beside, or passes, which completes the choices."""
    looks = []
    for special, move in (("wax-on-attack", "attack-high"), ("pressure-point", "attack-mid")):
        talk = table(ada=["wax-on-attack", "pressure-point"])
        talk.settings = msgspec.structs.replace(talk.settings, reveal_delay_ms=delay)
        come_to(talk, "move")
        talk.place("gm", "move grapple-low")
        tap(talk, "ada", special)
        talk.place("ada", f"move {move}")
        assert talk.view.answers == ("ninja",)
        look = (
            i.DropSeal("ada", beside=True), i.Request(i.Decide("ninja", "pass")),
            i.DropSeal("ada"), i.Undo(), i.EndScene(), i.Pause(),
        )  # fmt: skip
        looks.append([preview(talk.state, talk.settings, as_input(each)) for each in look])
        assert not any(word in repr(looks[-1]) for word in (special, move, "grapple-low"))
    assert looks[0] == looks[1]
    assert all(changes for each, changes in zip(look, looks[0], strict=True) if each != look[1])


def test_decisions_since_a_reveal_are_undone_one_by_one(evening: Evening) -> None:
    """The newest first, even if a card was sealed since; also after a restart."""

    def steps() -> list[Undoes]:
        return [way.what for way in ways_back(evening.state)]

    evening.start()
    evening.decide(GM, "active ada")
    assert Undoes.STEP not in steps()
    first = evening.state.scene
    evening.decide("ada", "opponent ninja")
    assert first and steps()[:2] == [Undoes.STEP, Undoes.PLAY]
    evening.place("ada", "stance none")
    evening.restart()
    evening.give(i.Undo(Undoes.STEP))
    again = evening.state.scene
    assert again and (again.game, again.pending) == (first.game, first.pending)
    assert again.phase_no > first.phase_no and not again.seals
    assert Undoes.STEP not in steps() and Undoes.PLAY in steps()
    evening.decide("ada", "opponent ninja")
    with pytest.raises(SeatFault):
        evening.give(i.Undo(Undoes.STEP, to_seq=1))
    evening.give(i.Undo(Undoes.PLAY))
    assert evening.step == "first"
