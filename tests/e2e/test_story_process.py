"""A story at the installed hub: told over MQTT, killed during a problem, and continued."""

from pathlib import Path

from msgspec.structs import replace

from tests.support.evening import sheets
from tests.support.hub import watched_hub

NAMES = ("Ada", "Bo", "Crow", "Heron")
TIDE = "facedown/test/countdown/the-tide"


async def test_an_evening_survives_the_hub(tmp_path: Path) -> None:
    cast = [replace(each, name=name) for each, name in zip(sheets(), NAMES, strict=True)]
    async with watched_hub(tmp_path / "hub", story=cast) as (watch, _):
        for deed in ("countdown new 6 The tide", "countdown mark The tide"):
            assert (await watch.command(command="tell-story", deed=deed))["ok"]
        refused = await watch.command(command="tell-story", deed="rest long")
        assert not refused["ok"] and "breather, short, full" in refused["reason"]
        scene = {"type": "problem", "problem": "The bridge is down"}
        assert (await watch.command(command="start-scene", scene=scene))["ok"]
        await watch.until(lambda state: state["phase"] == "sealed")
        await watch.commit("Ada", ["option 3"])
        before = watch.state
        watch.hub.kill()
        await watch.until_status(b"offline")
        watch.hub.start()
        await watch.until_status(b"online")
        await watch.until(lambda state: state["committed"] == ["Ada"])
        assert watch.state["story"] == before["story"]
        await watch.hub.until_logged('"cards on the reader: 0" seat=bo', times=2)  # it is up again
        await watch.commit("Bo", ["option 1"])
        await watch.until(lambda state: state.get("step") == "describe")
        assert watch.state["game"]["decider"] == "Ada"
        assert (await watch.decide("Ada", "describe flaw"))["ok"]
        assert (await watch.decide("Bo", "veto"))["ok"]
        assert (await watch.decide("Bo", "substitute idea"))["ok"]
        assert (await watch.command(command="end-scene"))["ok"]
        await watch.until(lambda state: state["phase"] == "idle")
        party = watch.state["story"]["party"]
        assert (party["Ada"]["veto"], party["Bo"]["veto"]) == (True, False)
        assert not party["Ada"]["flaw"]["marked"]
        assert (
            watch.heard.newest()[TIDE]
            == b'{"boxes":6,"id":"the-tide","marked":1,"name":"The tide"}'
        )
        assert (await watch.command(command="tell-story", deed="countdown erase The tide"))["ok"]
        await watch.heard.until_payload(TIDE, b"")
        assert sum(b"story-begun" in line for line in watch.lines()) == 1
        assert watch.hub.stop() == 0


async def test_a_table_with_only_a_story_and_an_npc_made_in_play(tmp_path: Path) -> None:
    cast = [replace(each, name=name) for each, name in zip(sheets(), NAMES, strict=True)]
    options = {"story": cast, "story_alone": True}
    async with watched_hub(tmp_path / "hub", **options) as (watch, _):
        refused = await watch.command(command="start-scene")
        assert "describe the scene, or name a file under [scene]" in refused["reason"]
        sheet = {
            "name": "Quay Guard",
            "level": 1,
            "energy": {"attack": {"max": 3}, "defend": {"max": 2}, "grapple": {"max": 1}},
            "moves": {"attack-high": "", "grapple-low": ""},
            "specials": {"scouter": {}},
        }
        assert (await watch.command(command="add-character", sheet=sheet))["ok"]
        again = {"like": "Quay Guard", "name": "Quay Guard 2"}
        assert (await watch.command(command="add-character", **again))["ok"]
        assert (await watch.command(command="remove-character", name="Heron"))["ok"]
        assert not (await watch.command(command="add-character", **again))["ok"]
        await watch.until(lambda state: state["seq"] == 5)
        watch.hub.kill()
        await watch.until_status(b"offline")
        watch.hub.start()
        await watch.until_status(b"online")
        assert (await watch.command(command="start-scene", scene={"type": "conflict"}))["ok"]
        await watch.until(lambda state: state["phase"] == "decision")
        assert set(watch.state["game"]["characters"]) == {
            "Ada",
            "Bo",
            "Crow",
            "Quay Guard",
            "Quay Guard 2",
        }
        watch.hub.kill()
        await watch.until_status(b"offline")
        watch.hub.start()
        await watch.until_status(b"online")
        assert watch.seat("gm")["characters"] == ["Crow", "Quay Guard", "Quay Guard 2"]
        told = [m for m in watch.heard.heard if m.topic != "facedown/test/cmd"]
        assert any(b'"character-joined"' in m.payload for m in told)
        assert not any(b"scouter" in m.payload for m in told)
    assert "scouter" not in watch.hub.output()
