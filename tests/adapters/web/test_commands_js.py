"""The commander of the pages by itself: one id for each press, kept until it is answered."""

from typing import Any

import pytest

from tests.adapters.web.conftest import Looker, Pages

MAKE = """
const { Commander, outcomeWords } = await import('/static/js/core/commands.js');
const { loadTexts } = await import('/static/js/core/texts.js');
await loadTexts();
const line = { sent: [], send(message) { return this.sent.push(message); } };
let changes = 0;
const make = () => new Commander(line, { onChange: () => (changes += 1) });
const commander = make();
commander.onState({ basis: { scene: 1, phase: 2, told: 3 } });
commander.onStatus('open');
const ids = () => line.sent.map(({ command }) => command.id);
const answer = (more) =>
  commander.onReply({ id: ids().at(-1), ok: true, code: 'done', reason: '', ...more });
const rested = () => new Promise((done) => setTimeout(done, 450));
"""


async def run(pages: Pages, looker: Looker, script: str) -> Any:
    """A script in which a commander is at hand; what it returns."""
    await looker.open(pages.url("display"))
    await looker.run("sessionStorage.clear()")
    return await looker.run(f"return (async () => {{ {MAKE} {script} }})()")


async def test_a_press_has_a_random_id_and_the_basis_that_was_drawn(
    pages: Pages, looker: Looker
) -> None:
    sent = await run(
        pages,
        looker,
        """
        commander.press({ command: 'decide', actor: 'ada', choice: 'active bo' }, 'one');
        commander.press({ command: 'pause' }, 'two');
        return line.sent;
        """,
    )
    assert [message["do"] for message in sent] == ["command", "command"]
    first, second = (message["command"] for message in sent)
    assert first.pop("id") != second.pop("id")
    basis = {"scene": 1, "phase": 2, "told": 3}
    assert first == {"command": "decide", "actor": "ada", "choice": "active bo", "basis": basis}
    assert second == {"command": "pause", "basis": basis}


async def test_ids_are_128_random_bits(pages: Pages, looker: Looker) -> None:
    ids = await run(
        pages,
        looker,
        """
        for (let at = 0; at < 200; at += 1) commander.press({ command: 'undo' }, `place ${at}`);
        return ids();
        """,
    )
    assert len(set(ids)) == 200
    assert all(len(each) == 22 for each in ids)
    assert set("".join(ids)) - set("-_") <= set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    )


async def test_a_place_that_waits_or_was_just_pressed_is_not_pressed_again(
    pages: Pages, looker: Looker
) -> None:
    counted = await run(
        pages,
        looker,
        """
        const counts = [];
        const press = () => {
            commander.press({ command: 'undo' }, 'undo');
            counts.push(line.sent.length);
        };
        press();
        press();
        await rested();
        press();
        answer();
        press();
        answer();
        press();
        await rested();
        const free = !commander.pending('undo');
        press();
        return { counts, free, changes: changes > 3 };
        """,
    )
    # The third finds it unanswered; the fourth is free: a while has passed since the first.
    assert counted["counts"] == [1, 1, 1, 2, 2, 3]
    assert counted["free"]
    assert counted["changes"]


@pytest.mark.parametrize("reloaded", [False, True])
async def test_what_is_unanswered_is_sent_again_with_its_id(
    pages: Pages, looker: Looker, reloaded: bool
) -> None:
    found = await run(
        pages,
        looker,
        f"""
        commander.press({{ command: 'undo' }}, 'undo');
        commander.press({{ command: 'pause' }}, 'pause');
        answer();
        commander.onStatus('lost');
        const later = {"make()" if reloaded else "commander"};
        later.onState({{ basis: {{ scene: 9, phase: 9, told: 9 }} }});
        const waits = later.pending('undo');
        later.onStatus('open');
        const again = line.sent.at(-1).command;
        later.onReply({{ id: again.id, ok: true, code: 'done' }});
        const {{ outcome }} = later;
        return {{ ids: ids(), again, waits, outcome, kept: {{ ...sessionStorage }} }};
        """,
    )
    assert len(found["ids"]) == 3
    assert found["ids"][2] == found["ids"][0]
    assert found["waits"]
    assert found["again"]["basis"]["scene"] == 1
    outcome = {"place": "undo", "ok": True, "code": "done", "reason": ""}
    assert {key: found["outcome"][key] for key in outcome} == outcome
    assert found["kept"] == {}


async def test_without_a_connection_nothing_is_kept(pages: Pages, looker: Looker) -> None:
    found = await run(
        pages,
        looker,
        """
        commander.onStatus('lost');
        const pressed = commander.press({ command: 'undo' }, 'undo');
        const words = outcomeWords(commander.outcome);
        commander.onStatus('open');
        return { pressed, words, sent: line.sent, kept: { ...sessionStorage } };
        """,
    )
    assert found == {
        "pressed": False,
        "words": "Not done: there is no connection. Press again when it is back.",
        "sent": [],
        "kept": {},
    }


async def test_what_is_too_long_for_the_hub_is_not_sent(pages: Pages, looker: Looker) -> None:
    """Letters of two bytes each: it is bytes that the hub counts."""
    found = await run(
        pages,
        looker,
        """
        const pressed = ['ж'.repeat(2100), 'ж'.repeat(1900)].map((toml, at) =>
            commander.press({ command: 'add-character', toml }, `add ${at}`));
        const first = commander.unanswered.has('add 0');
        commander.press({ command: 'add-character', toml: 'ж'.repeat(2100) }, 'add 2');
        return { pressed, first, sent: line.sent.length, words: outcomeWords(commander.outcome) };
        """,
    )
    assert found == {
        "pressed": [False, True],
        "first": False,
        "sent": 1,
        "words": "Not done: this is too long for one message. Shorten it.",
    }


async def test_what_ended_the_connection_is_not_sent_again(pages: Pages, looker: Looker) -> None:
    found = await run(
        pages,
        looker,
        """
        commander.press({ command: 'undo' }, 'undo');
        commander.press({ command: 'pause' }, 'pause');
        commander.onStatus('lost', 1009);
        const { outcome } = commander;
        commander.onStatus('open');
        const kept = { ...sessionStorage };
        return { outcome, sent: line.sent.length, waits: commander.unanswered.size, kept };
        """,
    )
    assert found == {
        "outcome": {"place": "undo", "ok": False, "code": "long", "reason": ""},
        "sent": 2,
        "waits": 0,
        "kept": {},
    }


async def test_a_connection_that_only_opens_is_waited_for_longer(
    pages: Pages, looker: Looker
) -> None:
    found = await run(
        pages,
        looker,
        """
        const { Connection } = await import('/static/js/core/connection.js');
        const made = [], told = [], failures = [];
        window.WebSocket = class { constructor() { made.push(this); } };
        const live = new Connection('ws', () => {}, (...status) => told.push(status));
        for (const frame of [false, false, true]) {
            made.at(-1).onopen();
            if (frame) made.at(-1).onmessage({ data: '{}' });
            failures.push(live.failures);
            made.at(-1).onclose({ code: 1009 });
            live.open();
        }
        return { failures, told: told.slice(0, 2) };
        """,
    )
    assert found == {"failures": [0, 1, 0], "told": [["open"], ["lost", 1009]]}


async def test_each_outcome_has_words(pages: Pages, looker: Looker) -> None:
    said = await run(
        pages,
        looker,
        """
        const said = {};
        for (const code of ['done', 'stale', 'illegal', 'malformed', 'busy', 'failed', 'new']) {
            commander.press({ command: 'undo' }, code);
            answer({ ok: code === 'done', code, reason: 'because' });
            said[code] = outcomeWords(commander.outcome);
        }
        said.nothing = outcomeWords(null);
        return said;
        """,
    )
    assert said["done"] == "Done."
    assert said["illegal"] == "Not done: because"
    assert said["new"] == said["failed"]
    assert said["failed"].endswith("because")
    assert said["nothing"] == ""
    assert len(set(said.values())) == 7


async def test_an_answer_without_an_id_is_for_the_oldest(pages: Pages, looker: Looker) -> None:
    found = await run(
        pages,
        looker,
        """
        commander.press({ command: 'undo' }, 'one');
        commander.press({ command: 'pause' }, 'two');
        const other = commander.onReply({ id: '1', ok: true });
        commander.onReply({ id: '', ok: false, code: 'malformed', reason: 'no' });
        return { other, place: commander.outcome.place, left: [...commander.unanswered.keys()] };
        """,
    )
    assert found == {"other": False, "place": "one", "left": ["two"]}
