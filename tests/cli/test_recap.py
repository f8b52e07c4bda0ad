"""``facedown recap``: an evening in one file, without anything still sealed."""

import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.games.game import Choice
from hub.recap.gather import difference
from hub.table import acts as i
from hub.table.looks import Portrait
from hub.table.sealed import Kept
from hub.web.assets import Assets
from hub.web.bundle import Bundler, CannotBundle
from tests.cli.test_replay import stored
from tests.rules.tourists.test_at_table import table as conflict
from tests.support.page_files import page_files
from tests.support.tabletalk import DUEL, GIFTED, TableTalk
from tests.table.test_phases import play_to_the_end

EVIL = "</script><script>boom()</script>"


def written(journal: Path, *options: str) -> str:
    file = journal.with_suffix(".html")
    result = CliRunner().invoke(app, ["recap", str(journal), "-o", str(file), *options])
    assert result.exit_code == 0, result.output
    return file.read_text(encoding="utf-8")


def document(page: str, name: str = "recap") -> Any:
    found = re.search(f'<script type="application/json" id="{name}">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


@pytest.fixture
def running() -> TableTalk:
    """Revealed stances, a move taken back, a sealed move, and a special beside."""
    table = TableTalk(GIFTED)
    table.begin_turn()
    table.place("ada", "stance attack 2")
    table.place("gm", "stance none")
    table.reveal()
    table.clear()
    table.place("ada", "move attack-mid")
    table.clear()
    table.give(i.Request(i.Commit("ada", sealed("special wax-on-attack")), "ada"))
    table.place("ada", "move attack-high")
    return table


def sealed(choice: str) -> Any:
    from hub.table.sealed import Sealed

    return Sealed(Choice.parse(choice))


def test_it_holds_what_was_seen_and_nothing_that_is_sealed(
    tmp_path: Path, running: TableTalk
) -> None:
    page = written(stored(tmp_path / "den.journal", running))
    told = page[page.index('id="recap"') :]
    told = told[: told.index("</script>")]
    assert "stance attack 2" in told
    kept = [x.secret.unseal() for x in running.records if x.secret is not None]
    scene = running.state.scene
    assert scene is not None
    shown = {seal["opening"]["nonce"] for seal in document(page)["scenes"][0]["seals"]}
    nonces = {each.nonce for each in kept if isinstance(each, Kept)}
    hidden = nonces - shown
    assert len(shown) == 2 and len(hidden) == 3
    assert not any(nonce in page for nonce in hidden)
    assert not any(getattr(each, "salt", "") and each.salt in page for each in kept)
    assert not any(tag and tag in page for tag in (getattr(each, "tag", "") for each in kept))
    for choice in ("move attack-high", "move attack-mid", "special wax-on-attack"):
        assert choice not in told
    for secret in ("there-can-be-only-one", "predictabo-attack"):  # of NPCs
        assert secret not in told


def test_a_leak_would_be_found(
    tmp_path: Path, running: TableTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: the sealed cards are added to the state."""
    import hub.recap.gather as gathering

    honest = gathering.public_view

    def leaking(state: Any, *rest: Any) -> Any:
        view = honest(state, *rest)
        seals = state.scene.seals.values() if state.scene else ()
        from msgspec.structs import replace

        return replace(view, title=" ".join(str(seal.choice()) for seal in seals))

    monkeypatch.setattr(gathering, "public_view", leaking)
    with pytest.raises(AssertionError):
        test_it_holds_what_was_seen_and_nothing_that_is_sealed(tmp_path, running)


def test_a_recap_holds_the_seals_with_their_openings(tmp_path: Path) -> None:
    table = TableTalk()
    play_to_the_end(table)
    found = document(written(stored(tmp_path / "den.journal", table)))
    (scene,) = found["scenes"]
    assert found["check"]["sound"] and found["check"]["opened"] == len(scene["seals"])
    assert found["log"] == table.state.log
    for seal in scene["seals"]:
        assert seal["line"]["actor"] and len(seal["line"]["digest"]) == 64
        assert len(seal["opening"]["nonce"]) == 64
    assert {each["event"]["type"] for each in scene["entries"]} >= {"revealed", "scene-started"}
    assert [step["seq"] for step in scene["steps"]] == sorted(s["seq"] for s in scene["steps"])
    assert isinstance(scene["steps"][0]["change"], list)


def test_a_players_text_cannot_close_an_element(tmp_path: Path) -> None:
    table = conflict()
    table.decide("crow", f"reframe {EVIL}", "gm")
    page = written(stored(tmp_path / "den.journal", table))
    assert EVIL not in page and "boom()" in page
    (scene,) = document(page)["scenes"]
    assert f"reframe {EVIL}" in [each["event"].get("choice") for each in scene["entries"]]


def test_names_cannot_close_an_element_and_nothing_is_loaded(tmp_path: Path) -> None:
    table = TableTalk()
    table.give(i.Request(i.StartScene(), scene=(EVIL, table.setup)))
    page = written(stored(tmp_path / "den.journal", table))
    assert EVIL not in page and "boom()" in page
    assert document(page)["scenes"][0]["title"] == EVIL
    assert page.count("<script") == page.count("</script>") == 5
    # data, pictures, two languages, program
    assert not re.findall(r'(?:src|href)\s*=\s*"', page.split("<script")[0])
    assert "@import" not in page and "url(" not in page.replace('url("data:font/woff;base64,', "")
    policy = re.search(r'Policy" content="([^"]+)"', page)
    assert policy and policy[1].startswith("default-src 'none'; script-src 'sha256-")
    script = page.rpartition('<script type="module">')[2].partition("</script>")[0]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy[1]
    assert "unsafe" not in policy[1] and "http" not in policy[1]


def test_a_recap_has_a_theme_and_the_pictures_of_its_characters(tmp_path: Path) -> None:
    table = TableTalk()
    table.begin_turn()
    body = b"made by the hub alone"
    digest, gone = sha256(body).hexdigest(), "ab" * 32
    table.give(i.Request(i.Portray("ada", Portrait(picture=digest)), "ada"))
    table.give(i.Request(i.Portray("bo", Portrait(picture=gone)), "bo"))
    journal = stored(tmp_path / "den.journal", table)
    pictures = tmp_path / "den.journal.pictures"
    pictures.mkdir()
    (pictures / f"{digest}.webp").write_bytes(body)
    assert ":root{color-scheme" not in written(journal)
    page = written(journal, "--theme", "paper")
    assert document(page, "pictures") == {
        digest: f"data:image/webp;base64,{b64encode(body).decode()}"
    }
    assert 'name="color-scheme" content="light"' in page and "--ink:#efe6d2" in page
    assert page.count("@font-face") == 2 and "font-src data:;" in page
    assert len(page) < 1_000_000
    mine = tmp_path / "mine.toml"
    mine.write_text("[colours]\n")
    result = CliRunner().invoke(app, ["recap", str(journal), "--theme", str(mine)])
    assert result.exit_code != 0


def test_a_long_journal_keeps_its_newest_scenes_and_says_so(tmp_path: Path) -> None:
    table = TableTalk()
    for number in range(5):
        table.give(i.Request(i.StartScene(), scene=(f"Scene {number}", table.setup)))
        table.give(i.EndScene())
    journal = stored(tmp_path / "den.journal", table)
    found = document(written(journal, "--scenes", "2"))
    assert [scene["title"] for scene in found["scenes"]] == ["Scene 3", "Scene 4"]
    assert (found["left_out"], found["check"]["lines"]) == (3, table.state.seq)
    for scenes, said in (
        (2, "2 scenes; 3 earlier are left out"),
        (4, "4 scenes; 1 earlier is left out"),
        (1, "1 scene; 4 earlier"),
    ):
        options = ("--scenes", str(scenes), "-o", str(tmp_path / "den.html"))
        told = CliRunner().invoke(app, ["recap", str(journal), *options])
        assert f"den.html: {said}" in told.output
    result = CliRunner().invoke(app, ["recap", str(journal), "--scenes", "2", "-o", "-"])
    assert result.stdout.startswith("<!doctype html>")
    result = CliRunner().invoke(
        app, ["recap", str(journal), "-o", str(tmp_path / "no" / "such.html")]
    )
    assert (result.exit_code, "cannot be written" in result.output) == (2, True)


def test_a_recap_has_the_evenings_title(tmp_path: Path) -> None:
    table = TableTalk()
    table.give(i.NameEvening("The tide <book>"))
    page = written(stored(tmp_path / "den.journal", table))
    assert "<title>Facedown: The tide &lt;book&gt;</title>" in page
    assert document(page)["evening"] == "The tide <book>"


def test_an_endless_scene_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.recap.gather.MOST_STEPS", 5)
    monkeypatch.setattr("hub.recap.gather.MOST_ENTRIES", 7)
    table = TableTalk()
    play_to_the_end(table)
    (scene,) = document(written(stored(tmp_path / "den.journal", table)))["scenes"]
    assert (len(scene["steps"]), len(scene["entries"])) == (5, 7)
    assert scene["steps_left_out"] > 0


def test_a_cancelled_scene_is_left_out(tmp_path: Path) -> None:
    from hub.table.state import Undoes

    table = TableTalk()
    table.give(i.Request(i.StartScene(), scene=("Stays", table.setup)))
    table.give(i.EndScene())
    table.give(i.Request(i.StartScene(), scene=("Goes", table.setup)))
    table.give(i.Undo(Undoes.START))
    found = document(written(stored(tmp_path / "den.journal", table)))
    assert [scene["title"] for scene in found["scenes"]] == ["Stays"]


def test_a_recap_of_an_empty_and_of_an_invalid_journal(tmp_path: Path) -> None:
    page = written(stored(tmp_path / "den.journal", TableTalk()))
    assert document(page)["scenes"] == []
    (tmp_path / "other").write_text("not a journal")
    result = CliRunner().invoke(app, ["recap", str(tmp_path / "other")])
    assert result.exit_code == 2 and "Traceback" not in result.output


def test_the_difference_of_two_states() -> None:
    before = {"a": {"b": 1, "c": [1]}, "d": None, "gone": 1}
    after = {"a": {"b": 2, "c": [1]}, "d": None, "e": {"f": 0}}
    assert difference(before, after) == {"a": {"b": [2]}, "e": [{"f": 0}], "gone": 0}
    assert difference(before, None) == [None]


def test_unreadable_scripts_are_reported_with_their_line() -> None:
    def read(text: str, other: str = "") -> str:
        return Bundler({"a.js": text, "b.js": other}.__getitem__).alone("a.js")

    whole = read('import { one as two } from "./b.js";\n', "export const one = 1;")
    assert "const{one:two}=$load['b.js']();" in whole
    with pytest.raises(CannotBundle, match=r"a\.js:2: not read: import x"):
        read('const y = 1;\nimport x from "./b.js";\n')
    with pytest.raises(CannotBundle, match="in a circle"):
        read('import { b } from "./b.js";\n', 'import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(CannotBundle, match="end the element"):
        read('const x = "</script>";\n')


def test_a_recaps_stage_is_the_displays() -> None:
    """The file holds every script of the display except the one that follows the stream."""
    whole = Assets().bundler.alone("js/pages/recap.js")
    for path in ("js/pages/stage.js", "js/core/score.js", "js/games/triangle/stage.js"):
        assert f"$load['{path}']??=" in whole
    # A script that names something like a part of the bundle would hide that part.
    own = re.compile(r"\$(?:load|at|once|later)\b")
    assert not [
        path
        for path, file in page_files().items()
        if own.search(file.read_text("utf-8", "replace"))
    ]
    assert DUEL["ruleset"] == "unroll"


def test_two_processes_write_the_same_script() -> None:
    """One evening gives one file, independent of Python's hash seed."""
    made = (
        "from hub.web.bundle import Bundler\n"
        "names = 'bcdefghij'\n"
        "texts = {f'{n}.js': f'export const {n} = 1;\\n' for n in names}\n"
        "texts['a.js'] = ''.join(f'import {{ {n} }} from \"./{n}.js\";\\n' for n in names)\n"
        "print(Bundler(texts.__getitem__).alone('a.js'))"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", made],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second
    assert first.count(b"$once(()=>") == 9


@pytest.mark.parametrize(("title", "has_it"), [("The tide", False), ("Ночь приливов", True)])
def test_missing_letters_add_a_font_that_has_them(
    tmp_path: Path, running: TableTalk, title: str, has_it: bool
) -> None:
    running.give(i.NameEvening(title))
    page = written(stored(tmp_path / "den.journal", running))
    assert ('@font-face{font-family:"facedown-wide"' in page) is has_it
    assert title in page
