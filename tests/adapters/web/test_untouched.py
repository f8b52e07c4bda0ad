"""An undo takes back exactly what the console says it will."""

import asyncio
import re
from pathlib import Path

from msgspec.structs import replace

import hub.web
from hub.games.registry import rulebooks
from hub.ports import ReaderTroubled
from hub.table import acts as c
from hub.table import acts as i
from hub.table.acts import ClockSet
from hub.table.fold import fold
from hub.table.looks import Colour, Portrait
from hub.table.state import TableState
from hub.wire.log import decode_row
from tests.adapters.web.led import LedTable

SENTENCES = Path(hub.web.__file__).parent / "static" / "js" / "pages" / "gm" / "sentences.js"


def untouched() -> set[str]:
    text = SENTENCES.read_text(encoding="utf-8")
    found = re.findall(r"(?:UNTOUCHED|DEEDS_TOLD) = \[(.*?)\]", text, re.DOTALL)
    assert len(found) == 2
    return {name for listed in found for name in re.findall(r'"([a-z-]+)"', listed)}


WAYS_BACK = {"undone", "scene-called-off", "scene-reopened"}
MARKS = {"stop-made"}
"""Events that no one causes: they mark how far an undo goes back."""


async def test_events_that_an_undo_leaves_are_not_listed_as_undone() -> None:
    async with LedTable() as table:
        await table.tell("stakes Nothing yet")
        await table.obey(c.Undo())
        for on in (True, False):
            await table.obey(c.SitOut(actor="bo", out=on, lasting=True))
        await table.duel()
        await table.choose(ada="stance none", ninja="stance none")
        await table.commit("ada", "move attack-high")
        await table.obey(c.TakeBack(actor="ada"), "ada")
        await table.tell("stakes The last boat")
        await table.obey(c.AddCharacter(like="ninja", name="Newguard"))
        await table.obey(c.RemoveCharacter(name="Newguard"))
        await table.down("bo")
        await table.up("bo")
        table.runner.inbox.report(ReaderTroubled("bo", 3, 0))
        table.runner.inbox.report(ReaderTroubled("bo", 0, 0))
        while table.state.lost or not told(table, "reader-reliable"):
            await asyncio.sleep(0.01)
        for on in (True, False):
            await table.obey(c.PlayFor(actor="ada", on=on))
            await table.obey(c.LetHubPlay(actors=("bo",), on=on))
        await table.obey(c.NameEvening(title="The last ferry"))
        await table.obey(c.SetTimer(seconds=90))
        await table.obey(c.Portray(name="bo", portrait=Portrait(colour=Colour.RED)))
        await table.runner.apply(i.SetClock(1))
        await table.obey(c.Pause())
        await table.obey(c.Resume())
        await table.obey(c.Undo())
        lasting, gone = set[str](), set[str]()
        state = TableState("test", rulebooks())
        for row in table.journal.stored:
            record = decode_row(row)
            after = fold(state, record)
            times = {"at_ms": state.at_ms, "revealed_at_ms": state.revealed_at_ms}
            same = replace(after, seq=state.seq, scene=state.scene, **times) == state
            kind = type(record.event).__struct_config__.tag
            untouched_by_it = same and not isinstance(record.event, ClockSet)
            (gone if untouched_by_it else lasting).add(str(kind))
            state = after
    assert {"character-joined", "character-left", "reader-lost", "story-told"} <= lasting
    assert {"committed", "taken-back", "revealed", "decided"} <= gone
    assert untouched() == lasting | WAYS_BACK | MARKS


def told(table: LedTable, kind: str) -> bool:
    events = [decode_row(row).event for row in table.journal.stored]
    return any(type(event).__struct_config__.tag == kind for event in events)
