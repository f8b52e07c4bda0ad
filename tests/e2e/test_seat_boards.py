"""Seats with boards and a clock on the wall: the shipped firmware, and the hub as a process."""

from contextlib import ExitStack
from pathlib import Path

from hub.audit.verify import verify_log
from hub.firmware.common import faces
from tests.support.boards import BUTTON, LAMPS, seat_boards
from tests.support.broker import Mosquitto
from tests.support.clocks import clock, seen, until
from tests.support.hub import HubProcess, watching, with_passwords

NUMBERS = {"ada": 0, "bo": 3, "gm": 200}


async def test_a_conflict_on_three_boards_one_reset_and_one_cable_pulled(tmp_path: Path) -> None:
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(tmp_path, with_passwords(tmp_path)))
        hub = HubProcess(tmp_path, broker)
        for chip in hub.readers.values():
            stack.enter_context(chip)
        boards, named, bus = stack.enter_context(seat_boards(tmp_path, hub.readers, NUMBERS))
        text = hub.config.read_text()
        for seat, chip in hub.readers.items():
            text = text.replace(f"pn532:{chip.path}", named[seat])
        hub.config.write_text(text.replace('name = "gm"\n', 'name = "gm"\ngm = true\n'))
        stack.callback(hub.kill)
        login = {"username": "hub", "password": "secret-of-the-broker"}
        wall = clock(tmp_path / "wall", broker.port, table="test", shows="reveal", of="", **login)
        shown: set[bytes] = set()
        wall.shown = lambda _, picture: shown.add(picture)
        stack.enter_context(wall)
        hub.start()
        async with watching(hub, broker) as watch:
            await watch.until_ready()
            await hub.until_looked()
            await watch.play(until=lambda now: now["phase"] == "sealed")

            awaited = watch.state["awaited"]
            await watch.commit("Ada", watch.cards("Ada", watch.state["step"]))
            until(wall, lambda lit: lit.count(faces.TEAL) == 12 // len(awaited))
            assert boards["ada"].wait_for(lambda: boards["ada"].pixels[LAMPS][0] > 20)  # green
            boards["ada"].reset()  # in the middle of a seal
            await watch.heard.until(lambda: watch.seat("ada")["reader"] == "lost")
            await watch.heard.until(lambda: watch.seat("ada")["reader"] == "ok")
            assert watch.state["committed"] == ["Ada"]

            bus.pull()
            for seat in ("bo", "gm"):
                await watch.heard.until(lambda seat=seat: watch.seat(seat)["reader"] == "lost")
            bus.plug()
            await watch.until_ready()
            assert watch.state["committed"] == ["Ada"]
            assert watch.state["awaited"] == awaited
            assert not [line for line in watch.lines() if b'"taken-back"' in line]

            for seat, phase in (
                ("bo", "paused"),
                ("gm", "sealed"),
            ):  # a pause by button, and its end
                boards[seat].pin(BUTTON, 0)
                await watch.heard.until(lambda phase=phase: watch.state["phase"] == phase)
                boards[seat].pin(BUTTON, 1)
            assert watch.state["committed"] == ["Ada"]

            turn = watch.state["turn_number"]
            await watch.play(until=lambda now: now["phase"] == "over")
            assert watch.state["turn_number"] > turn
            assert watch.state["game"]["result"]["winner"] in {"players", "elbow-clan"}
            verdict = verify_log(watch.lines(), "test")
            assert verdict.problems == ()
            assert verdict.seals_opened > 0
            assert any(faces.WHITE in seen(picture) for picture in shown)  # it swept at reveals
            assert hub.stop() == 0
            until(wall, lambda lit: lit[0] == lit[6] != faces.DARK and lit.count(faces.DARK) == 10)
            assert wall.starts == 1, wall.said
    assert "Traceback" not in hub.output()
    assert "started anew: its power dipped" in hub.output()
    assert all(board.starts == 1 + (seat == "ada") for seat, board in boards.items())
