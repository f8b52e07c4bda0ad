"""``facedown sheet``: its output, the files it writes, and its refusals."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from hub.cli import sheet as sheet_module
from hub.cli.main import app
from hub.games.registry import FAMILIES
from hub.games.sheets import samples
from hub.games.triangle.rules.characters.sheet import KnownMove, KnownSpecial, Sheet, Trait
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.sheets import write_sheet
from tests.rules.cast import known, npc, starting, with_marks
from tests.support.sheets import load_sheet


def run(*words: object) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    result = CliRunner().invoke(app, ["sheet", *map(str, words)])
    assert "Traceback" not in result.output
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, sheet: Sheet) -> Path:
    path = Path(name)
    path.write_text(write_sheet(sheet))
    return path


@pytest.mark.parametrize("command", ["new", "check", "level-up", "rest", "example"])
def test_every_command_shows_an_example(command: str) -> None:
    assert f"  {command} " in run("--help")[1]
    status, out, _ = run(command, "--help")
    assert status == 0
    assert f"facedown sheet {command}" in out


def test_the_group_is_in_the_help_of_facedown() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert "  sheet " in result.output
    assert "facedown sheet check" in run("--help")[1]


def test_each_family_gives_the_examples_of_its_own_commands() -> None:
    told = run("--help")[1]
    for family in FAMILIES:
        if family.sheet_commands:
            for command in family.sheet_commands.registered_commands:
                name = command.name or command.callback.__name__
                assert f"facedown sheet {name} " in told
                text = Path(sheet_module.__file__).read_text(encoding="utf-8")
                assert f"sheet {name}" not in text


class TestExamples:
    @pytest.mark.book("character.sheet")
    def test_the_commented_example_is_sound(self, folder: Path) -> None:
        (folder / "sorrel.toml").write_text(run("example")[1])
        assert run("check", "sorrel.toml")[0] == 0

    def test_the_ready_examples_are_sound(self, folder: Path) -> None:
        status, listed, _ = run("example", "--list")
        assert (status, listed.split()) == (0, [*samples()])
        for name in listed.split():
            (folder / f"{name}.toml").write_text(run("example", name)[1])
        status, out, err = run("check", *folder.iterdir(), "--together")
        assert (status, err) == (0, "")
        assert "The Lamplighter (NPC)" in " ".join(out.split()) or "Lamplighter" in out

    def test_an_unknown_example_is_refused(self) -> None:
        status, out, err = run("example", "nobody")
        assert (status, out) == (2, "")
        assert err.startswith("example: there is no example 'nobody'; there are ")


class TestCheck:
    def test_sound_sheets_are_shown(self, folder: Path) -> None:
        put("a.toml", with_marks(starting(veto=False)))
        put("b.toml", npc())
        status, out, err = run("check", "a.toml", "b.toml")
        assert (status, err) == (0, "")
        for part in ("Wenna", "attack 4/4", "toll keeper", "attack 2/2", "belief", "veto"):
            assert part in out, part

    def test_every_fault_of_every_file_with_its_line(self, folder: Path) -> None:
        put("a.toml", starting(level=3))
        put("b.toml", starting(energy=Energy(9, 3, 3), flaw=Trait()))
        put("c.toml", starting())
        status, out, err = run("check", "a.toml", "b.toml", "c.toml", "d.toml")
        assert status == 2
        assert "c.toml" in out
        assert "a.toml" not in out
        assert err.splitlines() == [
            "a.toml:4: level 3 stands for 2 level-ups; 2 still to choose",
            "b.toml:9: flaw.text is missing; choose a flaw",
            "b.toml:15: energy.attack.now is 9; it must be from 0 to 4",
            "d.toml: cannot be read: No such file or directory",
        ]

    def test_as_json(self, folder: Path) -> None:
        put("a.toml", starting())
        put("b.toml", starting(flaw=Trait()))
        status, out, err = run("check", "a.toml", "b.toml", "--json")
        assert (status, err) == (2, "")
        first, second = json.loads(out)
        assert (first["file"], first["sound"], first["problems"]) == ("a.toml", True, [])
        assert first["character"]["max"] == {"attack": 4, "defend": 3, "grapple": 3}
        assert second == {
            "file": "b.toml",
            "sound": False,
            "character": None,
            "problems": [{"line": 9, "text": "flaw.text is missing; choose a flaw"}],
        }

    def test_sheets_are_checked_together(self, folder: Path) -> None:
        put("a.toml", starting(level=2, combos={"grapple-high": ("attack-mid",)}))
        put("b.toml", starting(name="Jory"))
        assert run("check", "a.toml", "b.toml")[0] == 0
        status, _, err = run("check", "a.toml", "b.toml", "--together")
        assert status == 2
        assert err == (
            "a.toml:30: combos.grapple-high starts from a move that neither Wenna nor an ally "
            "knows\n"
        )


class TestLevelUp:
    @pytest.mark.book("level-up.move")
    @pytest.mark.book("level-up.special", of=["unroll", "iron-triangle"])
    def test_each_choice_of_a_level_up(self, folder: Path) -> None:
        nine = known(*[f"{a}-{e}" for a in Action for e in ("high", "low", "mid")], "attack-mid +1")
        late = starting(level=7, moves=nine)
        more = (*starting().moves, *known("grapple-high"))
        put("ally.toml", starting(name="Jory", level=2, moves=more))
        for sheet, words, changed in (
            (starting(), "--learn-move attack-low", "moves"),
            (starting(), "--learn-move attack-low --called Ebb", "moves"),
            (starting(), "--energy attack", "max"),
            (starting(), "--special wax-on-defend", "specials"),
            (starting(), "--combo attack-mid:attack-high --combo attack-mid:defend-mid", "combos"),
            (starting(), "--combo grapple-high:attack-high --ally ally.toml", "combos"),
            (late, "--variant attack-high:-1", "moves"),
            (late, "--variant attack-high:-1 --replace attack-mid:+1", "moves"),
        ):
            path = put("a.toml", with_marks(sheet))
            status, out, err = run("level-up", path, *words.split())
            assert (status, err) == (0, ""), words
            assert str(sheet.level + 1) in out
            after = load_sheet(path)
            assert after.level == sheet.level + 1
            assert getattr(after, changed) != getattr(sheet, changed)

    def test_options_besides_the_choice(self, folder: Path) -> None:
        path = put("a.toml", with_marks(starting(veto=False)))
        words = ["--energy", "attack", "--regain", "veto", "--goal", "Sleep", "--belief", "B"]
        assert run("level-up", path, *words, "--flaw", "F")[0] == 0
        after = load_sheet(path)
        assert (after.veto, after.goal, after.belief.text, after.flaw.text) == (
            True,
            Trait("Sleep"),
            "B",
            "F",
        )

    def test_a_follow_up_is_exchanged(self, folder: Path) -> None:
        path = put("a.toml", with_marks(starting(level=2, combos={"attack-mid": ("attack-high",)})))
        assert run("level-up", path, "--combo", "attack-mid:defend-mid:attack-high")[0] == 0
        assert load_sheet(path).combos == {"attack-mid": ("defend-mid",)}

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            ([], "choose one of: a move, a variant, combos, energy, a special (chosen: none)"),
            (["--energy", "grapple"], "grapple has not reached zero in a conflict"),
            (["--learn-move", "attack-high"], "moves.attack-high is already known"),
            (["--special", "yojimbo"], "specials.yojimbo requires level 5; Wenna has 2"),
            (["--variant", "attack-high:+1"], "comes after all nine"),
            (["--variant", "attack-high"], "without +1 or -1 is not a variant"),
            (["--combo", "attack-high"], "write it as START:MOVE[:OLD]"),
            (["--combo", "a:b:c:d"], "write it as START:MOVE[:OLD]"),
            (["--combo", "grapple-high:attack-high"], "neither Wenna nor an ally knows"),
            (["--energy", "attack", "--ally", "none.toml"], "none.toml: cannot be read"),
            (["--energy", "attack", "--goal", "\x07"], "goal.text must be printable"),
        ],
    )
    def test_a_refusal_does_not_change_the_file(
        self, folder: Path, words: list[str], reason: str
    ) -> None:
        path = put("a.toml", with_marks(starting()))
        before = path.read_bytes()
        status, out, err = run("level-up", path, *words)
        assert (status, out) == (2, "")
        assert reason in err
        assert path.read_bytes() == before
        assert [*folder.iterdir()] == [folder / "a.toml"]

    def test_a_dry_run_writes_nothing(self, folder: Path) -> None:
        path = put("a.toml", with_marks(starting()))
        before = path.read_bytes()
        status, out, _ = run("level-up", path, "--learn-move", "attack-low", "--dry-run")
        assert status == 0
        assert "moves.attack-low" in out
        assert "dry run: nothing was written" in out
        assert path.read_bytes() == before

    def test_as_json(self, folder: Path) -> None:
        path = put("a.toml", with_marks(starting()))
        status, out, _ = run("level-up", path, "--special", "scouter", "--json")
        assert status == 0
        (change,) = json.loads(out)
        assert (change["file"], change["written"]) == ("a.toml", True)
        assert (change["before"]["level"], change["after"]["level"]) == (1, 2)
        assert change["after"]["specials"] == [{"id": "scouter", "name": "", "used": False}]

    def test_wrong_usage(self, folder: Path) -> None:
        path = put("a.toml", with_marks(starting()))
        assert run("level-up", path, "--energy", "luck")[0] == 2
        assert run("level-up", path, "--regain", "honour")[0] == 2


class TestRest:
    def party(self, **changes: Any) -> None:
        put("a.toml", starting(energy=Energy(0, 0, 0), **changes))
        special = (KnownSpecial("scouter", used=True),)
        put("b.toml", starting(name="Jory", level=2, energy=Energy(4, 3, 2), specials=special))

    def test_a_breather(self, folder: Path) -> None:
        self.party()
        status, out, _ = run(
            "rest", "a.toml", "b.toml", "--kind", "breather", "--choose", "Wenna:defend"
        )
        assert status == 0
        assert "energy.defend" in out
        assert load_sheet(Path("a.toml")).energy == Energy(0, 1, 0)
        assert load_sheet(Path("b.toml")).energy == Energy(4, 3, 3)

    def test_a_full_rest(self, folder: Path) -> None:
        self.party()
        status, out, _ = run("rest", "a.toml", "b.toml", "--kind", "full", "--json")
        assert status == 0
        assert [change["after"]["name"] for change in json.loads(out)] == ["Wenna", "Jory"]
        after = load_sheet(Path("b.toml"))
        assert after.energy == after.max
        assert not after.specials[0].used

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            (["--kind", "short"], "the party: Wenna: choose a type: defend, grapple"),
            (["--kind", "breather", "--choose", "Wenna"], "write it as NAME:TYPE"),
            (["--kind", "breather", "--choose", "Zoe:attack"], "Zoe is not resting here"),
            (["--kind", "nap"], "Invalid value for '--kind'"),
            (["--kind", "full", "c.toml"], "c.toml: cannot be read"),
        ],
    )
    def test_a_rest_is_refused_unless_all_can_take_it(
        self, folder: Path, words: list[str], reason: str
    ) -> None:
        self.party()
        before = {path: path.read_bytes() for path in folder.iterdir()}
        status, out, err = run("rest", "a.toml", "b.toml", *words)
        assert (status, out) == (2, "")
        assert reason in err
        assert {path: path.read_bytes() for path in folder.iterdir()} == before

    def test_the_same_file_twice_is_refused(self, folder: Path) -> None:
        self.party()
        status, _, err = run("rest", "a.toml", "a.toml", "--kind", "full")
        assert (status, err) == (2, "the party: a character is listed twice\n")


def test_a_dead_character_cannot_level_up(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(write_sheet(with_marks(replace(starting(), dead=True))))
    assert "Wenna is dead" in run("level-up", path, "--learn-move", "attack-low")[2]
    assert KnownMove("attack-low", "Attack Low") not in load_sheet(path).moves
