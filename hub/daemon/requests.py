"""Commands as inputs of the table: who may give which, and what each becomes."""

from collections.abc import Callable
from typing import Any

import msgspec

from hub.games.game import GM, MAX_TOLD_CHARS, Choice, Word
from hub.games.sheets import sheets_of
from hub.games.story import SceneRequest, parse_deed
from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Fault, Faulty
from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table.next_action import next_action
from hub.table.records import SceneSetup
from hub.table.state import SeatFault, TableState
from hub.wire import commands as c
from hub.wire.reading import CommandFault

_MOST_FAULTS = 16
"""The most faults of a sheet in one reply."""


def input_of(  # noqa: C901, PLR0912  (one case for each command)
    command: c.PageCommand,
    by: str,
    state: TableState,
    load_scene: Callable[[], tuple[str, SceneSetup]],
    browser: str = "",
) -> i.Input:
    """The table's input for a command of ``by``: a seat, or ``gm``.

    ``browser``: the name of the requesting browser, if any. A seat may only act for its own actors.
    Raises :class:`SeatFault`, and :class:`CommandFault` for a scene that the story does not know.
    """
    match command:
        case c.Decide(actor=actor, choice=choice):
            return i.Decide(actor, Choice.parse(choice, MAX_TOLD_CHARS), by)
        case c.Commit(actor=actor, choice=card):
            return i.Commit(actor, card, by, browser)
        case c.TakeBack(actor=actor):
            return i.TakeBack(actor, by)
        case c.Withdraw(actor=actor, choice=card):
            return i.Withdraw(actor, card, by, browser)
        case c.WishFor(name=name, wants=wants):
            return i.WishFor(name, wants, by)
        case c.PlayFor(actor=actor, on=on):
            return i.PlayFor(actor, on, by)
        case c.LetHubPlay(actors=actors, on=on):
            return i.LetHubPlay(actors, on, by)
        case c.Portray(name=name, portrait=portrait):
            return i.Portray(name, portrait, by)
        case c.RemoveCharacter(name=name):
            return i.RemoveCharacter(name, by)
        case c.AddCharacter():
            return _added_character(command, state.story.rules.ruleset if state.story else "", by)
    if by != GM:
        raise SeatFault(Reason("for-the-gm"))
    match command:
        case c.StartScene(scene=None):
            return i.StartScene(*load_scene())
        case c.StartScene(scene=described):
            return i.StageScene(_scene_asked(described or {}, state))
        case c.TellStory(deed=deed):
            return i.TellStory(parse_deed(deed) if isinstance(deed, str) else deed)
        case c.Overrule(holds=holds, because=because):
            return i.Overrule(Word(holds=holds, because=because))
        case c.DropSeal(actor=actor, beside=beside):
            return i.DropSeal(actor, beside)
        case c.Undo(what=what, to_seq=to_seq):
            return i.Undo(what, to_seq)
        case c.SitOut(actor=actor, out=out, lasting=lasting):
            return i.SitOut(actor, out, lasting)
        case c.NameEvening(title=title):
            return i.NameEvening(title)
        case c.SetTimer(seconds=seconds):
            return i.SetTimer(seconds)
        case c.Next():
            return next_action(state, load_scene)
        case c.EndEvening(on=on):
            return i.EndEvening(on)
        case c.EndScene():
            return i.EndScene()
        case c.Pause():
            return i.Pause()
        case c.Resume():
            return i.Resume()


def _scene_asked(described: dict[str, Any], state: TableState) -> SceneRequest:
    """The requested scene of the story; without a story the table refuses it later."""
    if state.story is None:
        return SceneRequest()
    try:
        asked: SceneRequest = msgspec.convert(described, state.story.rules.request_type)
    except msgspec.ValidationError as error:
        place = str(error).replace("`$", "`$.scene")
        raise CommandFault(Reason("no-command", why=place)) from None
    return asked


def _told(found: Fault) -> Reason:
    """A fault in a file, with its line if known."""
    if not found.line:
        return found.said()
    return Reason("at", place=f"{found.file}:{found.line}", why=found.said())


def _added_character(command: c.AddCharacter, ruleset: str, by: str) -> i.AddCharacter:
    """A new character for a story of this ruleset, with the keys of a character file.

    Raises :class:`SeatFault` with all faults in the sheet's layout; the table itself judges it by
    the rules.
    """
    if command.like:
        return i.AddCharacter({"name": command.name, "like": command.like}, command.seat, by=by)
    known = {"npc": True, "ruleset": ruleset}
    try:
        document = (
            parse_toml("sheet", command.toml.encode())
            if command.toml
            else Document({**known, **(command.sheet or {})}, "sheet")
        )
        written = sheets_of(ruleset)
        sheet = written.as_values(written.read_layout(document))
        return i.AddCharacter(sheet, command.seat, command.joins, by)
    except Faulty as fault:
        told = [_told(each) for each in fault.faults[:_MOST_FAULTS]]
        if len(fault.faults) > _MOST_FAULTS:
            told.append(Reason("more-faults", more=len(fault.faults) - _MOST_FAULTS))
        raise SeatFault(Reason("cannot-join", why=told)) from None
