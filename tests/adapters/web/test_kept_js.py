"""Data that a seat's page keeps by itself: its seals' digests, and the newest record of the log."""

from typing import Any

from msgspec import to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from hub.table import acts as r
from hub.table.sealed import Opening, seal_digest
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.test_accessibility import locked

LOG, TABLE = "ab" * 32, "dojo"
CARD = Opening("1f" * 32, "move attack-high")
OTHER = replace(CARD, choice="move grapple-low")
SEAL = r.Committed(
    actor="Ada Löve", seat="ada", scene=1, turn=2, phase=3, digest="", origin="page:ada"
)
SEAL = replace(SEAL, digest=seal_digest(SEAL.place(LOG, TABLE), CARD))
ASIDE = r.SetBeside(
    actor="Ada Löve", seat="ada", scene=1, turn=2, phase=3, digest="", origin="reader:ada"
)
ASIDE = replace(ASIDE, digest=seal_digest(ASIDE.place(LOG, TABLE), OTHER))
HEAD = "3f2a91bc" + "0" * 56

MAKE = """
const { make } = await import('/static/js/core/dom.js');
const { Kept } = await import('/static/js/pages/seat/kept.js');
const { loadTexts } = await import('/static/js/core/texts.js');
await loadTexts();
const where = { log: LOG, table: TABLE };
const kept = new Kept('ada');
const own = new Map();
let seq = 6;
const state = (more) => kept.onState({ ...where, seq, head: HEAD, ...more });
const hear = (...lines) =>
  lines.forEach((line) => kept.onLine({ ...line, seq: (seq += 1) }, where, own));
const said = () =>
  [kept.alarm(), kept.note({ head: HEAD })].map((each) => each && make(each).textContent);
"""


def revealed(*cards: Opening, beside: Opening | None = None) -> dict[str, Any]:
    openings = {SEAL.actor: cards[0]} if cards else {}
    aside = {SEAL.actor: (beside,)} if beside else {}
    return line(r.Revealed(openings=openings, beside=aside, phase=3))


def line(event: r.Event) -> dict[str, Any]:
    return to_builtins(event)  # type: ignore[no-any-return]


async def run(pages: Pages, looker: Looker, script: str, *lines: dict[str, Any]) -> Any:
    await looker.open(pages.url("display?near"))
    names = {"LOG": LOG, "TABLE": TABLE, "HEAD": HEAD, "lines": lines}
    given = "".join(f"const {name} = {_js(value)};" for name, value in names.items())
    return await looker.run(f"return (async () => {{ {given} {MAKE} {script} }})()")


def _js(value: Any) -> str:
    return encode(value).decode()


async def test_the_sealed_card_is_told_from_any_other(pages: Pages, looker: Looker) -> None:
    script = """
        localStorage.clear();
        state();
        hear(lines[0], lines[1]);
        const before = said();
        hear(lines[2]);
        return [before, said()];
    """
    seal, aside = line(SEAL), line(ASIDE)
    before, after = await run(pages, looker, script, seal, aside, revealed(CARD, beside=OTHER))
    digests = [f"{each.digest[:4]} {each.digest[4:8]}" for each in (SEAL, ASIDE)]
    assert before[0] is False and before[1].startswith("Proof for later: log 3f2a 91bc")
    assert all(f"Your seal {digest}" in before[1] for digest in digests)
    assert after[0] is False
    assert "is the one that was sealed." in after[1]
    for forged in (
        revealed(OTHER, beside=OTHER),
        revealed(CARD, beside=CARD),
        revealed(replace(CARD, nonce="00" * 32), beside=OTHER),
        revealed(beside=OTHER),
        revealed(CARD),
    ):
        _, (alarm, _) = await run(pages, looker, script, seal, aside, forged)
        assert "is not the one that was sealed here" in alarm


async def test_a_different_card_than_was_pressed_here_is_noticed(
    pages: Pages, looker: Looker
) -> None:
    """The hub seals another card, and opens just that one."""
    script = """
        localStorage.clear();
        state();
        own.set(lines[0].actor, 'move grapple-low');
        hear(lines[0], lines[1]);
        return said();
    """
    alarm, _ = await run(pages, looker, script, line(SEAL), revealed(CARD))
    assert "is not the one that was sealed here" in alarm


async def test_seals_that_were_taken_back_or_never_confirmed_are_not_claimed(
    pages: Pages, looker: Looker
) -> None:
    back = line(r.TakenBack(actor=SEAL.actor, seat="ada"))
    script = """
        localStorage.clear();
        state();
        hear(lines[0], lines[1], lines[2]);
        const first = said();
        hear(lines[0]);
        seq += 5;
        state();
        hear(lines[2]);
        return [first, said()];
    """
    for found in await run(pages, looker, script, line(SEAL), back, revealed(OTHER)):
        assert found == [False, "Proof for later: log 3f2a 91bc"]


async def test_it_outlives_a_reload_and_a_shorter_log_is_noticed(
    pages: Pages, looker: Looker
) -> None:
    script = """
        localStorage.clear();
        state();
        hear(lines[0]);
        state();
        const again = new Kept('ada');
        again.onState({ ...where, seq, head: HEAD });
        again.onLine({ ...lines[1], seq: seq + 1 }, where, own);
        again.onState({ ...where, seq: seq + 1, head: HEAD });
        const alarms = [again.alarm()];
        const shorter = { seq };
        const changed = { seq: seq + 1, head: 'ff'.repeat(32) };
        const begun = { seq: 2, log: 'cd'.repeat(32) };
        for (const told of [shorter, changed, begun]) {
          const other = new Kept('ada');
          other.onState({ ...where, head: HEAD, ...told });
          alarms.push(other.alarm());
        }
        return [again.found[0].sound, ...alarms.map((each) => each && make(each).textContent)];
    """
    sound, *alarms = await run(pages, looker, script, line(SEAL), revealed(CARD))
    assert sound is True and alarms[0] is False
    assert "no longer matches" in alarms[1] and "no longer matches" in alarms[2]
    assert alarms[3] is False, "another log, which began anew"


async def test_the_display_shows_the_head_of_the_log_at_the_lock(
    pages: Pages, looker: Looker
) -> None:
    await looker.open(pages.url("display?near"))
    await locked(pages, looker)
    head = pages.table.head
    await looker.until_says(f"Proof for later: log {head[:4]} {head[4:8]}", ".headline .log-head")
