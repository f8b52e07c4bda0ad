"""Character files: every fault with its line, a stable text, and writing all files or none."""

import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.games import files
from hub.games.files import MAX_SHEET_BYTES
from hub.games.game import SetupError
from hub.games.registry import rulebooks
from hub.games.triangle.layout import read_sheet
from hub.games.triangle.rules.characters.conflicts import setup_of
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import Background, KnownSpecial, Rest, Sheet, Trait
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.sheets import example, samples, write_sheet
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Faulty
from hub.kernel.likeness import name_faults
from tests.rules.cast import known, npc, starting
from tests.support.sheets import load_sheet


def read(text: str | bytes) -> Sheet:
    data = text.encode() if isinstance(text, str) else text
    return read_sheet(parse_toml("ada.toml", data))


def save_sheets(sheets: Mapping[Path, Sheet]) -> None:
    files.save_files({path: write_sheet(sheet) for path, sheet in sheets.items()})


def faults(text: str) -> dict[int, str]:
    """The first fault of each faulty line."""
    with pytest.raises(Faulty) as error:
        read(text)
    found: dict[int, str] = {}
    for problem in error.value.faults:
        found.setdefault(problem.line, problem.text)
    return found


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


SOUND = write_sheet(starting(backgrounds=(Background("ferry hand"),)))


class TestSamples:
    def test_each_book_has_two_npcs_and_four_starting_characters(self) -> None:
        counts: Counter[tuple[str, str]] = Counter()
        for name, text in samples().items():
            sheet = read(text)
            assert name.startswith(sheet.ruleset)
            first = "begins" if sheet.level == sheet.book.level else "has grown"
            counts[sheet.ruleset, "npc" if sheet.npc else first] += 1
        wanted = {"npc": 2, "begins": 4, "has grown": 1}
        assert counts == {(book, what): n for book in EDITIONS for what, n in wanted.items()}

    def test_sample_names_are_unique(self) -> None:
        names = [read(text).name for text in samples().values()]
        assert len({*names}) == len(names)

    @pytest.mark.parametrize("name", samples())
    def test_each_sample_round_trips(self, name: str) -> None:
        assert write_sheet(read(samples()[name])) == samples()[name]

    @pytest.mark.parametrize("name", samples())
    def test_each_sample_is_ready_to_play(self, name: str) -> None:
        sheet = read(samples()[name])
        assert faults_of(sheet, [sheet]) == ()
        assert sheet.energy == sheet.max
        assert not (sheet.zero or sheet.dead or sheet.sits_out or sheet.rested)

    @pytest.mark.parametrize("ruleset", list(EDITIONS))
    def test_samples_of_a_book_can_meet_in_a_conflict(self, ruleset: str) -> None:
        cast = [sheet for sheet in map(read, samples().values()) if sheet.ruleset == ruleset]
        sides = {
            "players": [sheet.name for sheet in cast if not sheet.npc],
            "gm-side": [sheet.name for sheet in cast if sheet.npc],
        }
        setup = setup_of(cast, sides)
        game = rulebooks().games.get(ruleset)
        try:
            assert game is None or game.begin(setup)
        except SetupError as error:  # an edition without specials reports exactly that
            assert all("specials are not known" in problem for problem in error.faults)

    def test_the_example_explains_every_key(self) -> None:
        sheet = read(example())
        assert sheet.special("wax-on-grapple")
        written = write_sheet(replace(sheet, dead=True, sits_out=True))
        for key in re.findall(r"^([a-z_]+) = ", written, re.MULTILINE):
            assert re.search(rf"^{key} = ", example(), re.MULTILINE), key


class TestFaults:
    def test_every_fault_of_the_layout_with_its_line(self) -> None:
        text = SOUND.replace("level = 1", 'level = "one"').replace("veto =", "vetoes =")
        text = text.replace("defend = {now = 3", "defend = {now = true").replace("left = 1", "")
        text = text.replace("[rested]", "[rested]\nnap = true")
        assert faults(text) == {
            line_of(text, "level"): "level must be a whole number",
            line_of(text, "vetoes"): "vetoes is unknown; did you mean veto?",
            line_of(text, "defend"): "energy.defend.now must be a whole number",
            line_of(text, "nap"): "rested.nap is unknown; there are breather, short",
        }

    def test_faults_in_tables_with_free_keys(self) -> None:
        text = SOUND.replace("attack-mid = ", "attack-mid = 3 # ")
        text += (
            "\n[combos]\nattack-high = 'attack-mid'\n[specials]\nscouter = 1\nyojimbo = {on = 1}\n"
        )
        assert faults(text) == {
            line_of(text, "level"): (
                "level 1 stands for 0 level-ups, but 1 were taken (1 for specials)"
            ),
            line_of(text, "attack-mid"): (
                "moves.attack-mid must be the name that you gave the move"
            ),
            line_of(text, "attack-high = 'a"): (
                'combos.attack-high must be a list of moves such as ["defend-mid"]'
            ),
            line_of(text, "scouter"): "specials.scouter must be a table",
            line_of(text, "yojimbo"): "specials.yojimbo.on is unknown; there are name, used",
        }

    def test_every_fault_of_the_rules_with_its_line(self) -> None:
        text = SOUND.replace("now = 4", "now = 5").replace("points = 1", "points = 2")
        text = text.replace('defend-mid = "my', 'defend-mad = "my').replace("Debts are", "\\u0007")
        text += '\n[combos]\ngrapple-low = ["defend-mid"]\n'
        assert faults(text) == {
            line_of(text, "belief"): "belief.text must be printable, with at most 2000 characters",
            line_of(text, "attack = "): "energy.attack.now is 5; it must be from 0 to 4",
            line_of(text, "points"): "backgrounds[0].points is 2; it must be 1",
            line_of(text, "[moves]"): "moves are 3; a character starts with 4",
            line_of(text, "defend-mad"): (
                f"moves.defend-mad is not a move of unroll ({', '.join(EDITIONS['unroll'].moves)})"
            ),
            line_of(text, "grapple-low = ["): (
                "combos.grapple-low[0] defend-mid must be known before it can follow up; "
                "learn it first"
            ),
            line_of(
                text, "level"
            ): "level 1 stands for 0 level-ups, but 1 were taken (1 for follow-ups)",
        }

    def test_missing_keys_are_reported(self) -> None:
        assert [*faults("name = 'x'").values()] == [
            "energy is missing; it must be a table of attack, defend and grapple"
        ]
        with pytest.raises(Faulty) as error:
            read("name = 'x'")
        assert len(error.value.faults) == 4

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "name =",
            "\ufeff",
            "name = 'a'\nname = 'b'",
            "backgrounds = []",
            SOUND.replace("level = 1", "level = 10000000"),
            SOUND.replace("level = 1", "level = inf"),
            SOUND.replace("level = 1", "level = 1979-05-27"),
            SOUND + "".join(f"\n[[backgrounds]]\nname = 'b{n}'" for n in range(99)),
            SOUND.replace("[moves]", "[moves]\n" + "\n".join(f"m{n} = ''" for n in range(99))),
            SOUND + "[combos]\nattack-high = [" + "'attack-mid'," * 99 + "]",
            SOUND.replace('name = "Wenna"', 'name = "\\u001b[2J"'),
            SOUND.replace("[moves]", '[moves]\n"\\u001b]0;x\\u0007" = "x"'),
            SOUND + '[specials]\n"\\u001b[2J" = {}',
            SOUND + '[combos]\n"\\u001b[2J" = ["\\u001b[2J", "\\u001b[2J"]',
        ],
    )
    def test_odd_files_are_faults_in_printable_words(self, text: str) -> None:
        with pytest.raises(Faulty) as error:
            read(text)
        assert all(line.isprintable() for line in str(error.value).splitlines())

    def test_bytes_that_are_not_text_are_refused(self) -> None:
        with pytest.raises(Faulty, match="is not UTF-8 text"):
            read(b"name = '\xff'")

    @settings(max_examples=300)
    @given(st.data())
    def test_a_randomly_changed_file_is_read_or_refused(self, data: st.DataObject) -> None:
        """Any changed file is a sound sheet or a list of faults."""
        lines = example().encode().splitlines()
        for _ in range(data.draw(st.integers(1, 4))):
            index = data.draw(st.integers(0, len(lines) - 1))
            line = lines[index]
            start = data.draw(st.integers(0, len(line)))
            junk = data.draw(
                st.sampled_from(
                    [b"", b'"', b"[", b"]", b"{", b"=", b"-1", b"true", b"1e999", b"\\u0000", b"#"]
                )
                | st.binary(max_size=3)
            )
            end = data.draw(st.integers(start, len(line)))
            lines[index] = line[:start] + junk + line[end:]
        try:
            sheet = read(b"\n".join(lines))
        except Faulty as fault:
            assert fault.faults
            assert all(problem.line >= 0 for problem in fault.faults)
        else:
            assert faults_of(sheet) == ()
            assert read(write_sheet(sheet)) == sheet

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from([*re.findall(r"[a-z-]+", SOUND)]) | st.text(max_size=3), inner
                )
            ),
            max_leaves=20,
        )
    )
    def test_any_values_are_read_or_refused(self, values: Any) -> None:
        document = parse_toml("x.toml", SOUND.encode())
        if isinstance(values, dict):
            document.values.update(values)
        else:
            document.values["moves"] = values
        try:
            read_sheet(document)
        except Faulty as fault:
            assert fault.faults


TEXTS = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=30)
NAMES = TEXTS.map(str.strip).filter(lambda text: text.isprintable() and text)
PLAIN = NAMES.filter(lambda text: not [*name_faults([text])])


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Sound characters with everything that a file can hold."""
    maxima = draw(st.sampled_from([Energy(4, 3, 3), Energy(1, 8, 1), Energy(2, 2, 6)]))
    now = Energy(*(draw(st.integers(0, maxima.of(each))) for each in Action))
    marked = draw(st.booleans())
    names = draw(st.lists(PLAIN, max_size=3, unique_by=str.casefold))
    names = names if not [*name_faults(names)] else names[:1]
    return starting(
        name=draw(PLAIN.filter(lambda name: name != "gm")),
        level=3,
        max=maxima,
        energy=now,
        zero=tuple(each for each in Action if draw(st.booleans())),
        style=draw(TEXTS),
        description=draw(TEXTS) + draw(st.sampled_from(["", '\n"quoted"\\', "\u00e9\U0001f525"])),
        belief=Trait(draw(NAMES), marked, marked and draw(st.booleans())),
        goal=Trait(draw(TEXTS), draw(st.booleans())),
        veto=draw(st.booleans()),
        decided=draw(st.integers(0, 9_999)),
        sits_out=draw(st.booleans()),
        dead=draw(st.booleans()),
        rested=tuple(each for each in (Rest.BREATHER, Rest.SHORT) if draw(st.booleans())),
        backgrounds=tuple(Background(name, 1, draw(st.integers(0, 1))) for name in names),
        combos={"attack-mid": ("attack-high",)},
        specials=(KnownSpecial("scouter", draw(PLAIN), draw(st.booleans())),),
    )


@given(sheets())
def test_a_sheet_round_trips(sheet: Sheet) -> None:
    assert faults_of(sheet) == ()
    text = write_sheet(sheet)
    assert read(text) == sheet
    assert write_sheet(read(text)) == text


def test_variants_and_npcs_round_trip() -> None:
    nine = known(*EDITIONS["unroll"].basic_moves, "attack-mid +1", "defend-low -1")
    for sheet in (starting(level=8, moves=nine), npc()):
        assert read(write_sheet(sheet)) == sheet


class TestDisk:
    def two(self, folder: Path) -> dict[Path, Sheet]:
        sheets = {folder / "a.toml": starting(), folder / "b.toml": starting(name="Jory")}
        for path, sheet in sheets.items():
            path.write_text(write_sheet(sheet))
        return {path: replace(sheet, decided=7) for path, sheet in sheets.items()}

    def test_files_are_written_and_no_temporary_files_remain(self, tmp_path: Path) -> None:
        changed = self.two(tmp_path)
        save_sheets(changed)
        assert {path: load_sheet(path) for path in changed} == changed
        assert {*tmp_path.iterdir()} == {*changed}

    def test_modes_and_links_are_kept(self, tmp_path: Path) -> None:
        (path, sheet), *_ = self.two(tmp_path).items()
        path.chmod(0o640)
        link = tmp_path / "link.toml"
        link.symlink_to(path)
        save_sheets({link: sheet})
        assert link.is_symlink()
        assert load_sheet(path) == sheet
        assert path.stat().st_mode & 0o777 == 0o640

    @pytest.mark.parametrize("failing", [0, 1])
    def test_a_full_disk_changes_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
    ) -> None:
        changed = self.two(tmp_path)
        before = {path: path.read_bytes() for path in changed}
        calls = 0
        real = os.fsync

        def fsync(handle: int) -> None:
            nonlocal calls
            calls += 1
            if calls == failing + 1:
                raise OSError(28, "No space left on device")
            real(handle)

        monkeypatch.setattr(files.os, "fsync", fsync)
        with pytest.raises(Faulty, match="No space left on device; no file was changed"):
            save_sheets(changed)
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before

    def test_replaced_files_are_restored_after_a_failure(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        changed = self.two(tmp_path)
        before = {path: path.read_bytes() for path in changed}
        real = Path.replace
        seen: list[Path] = []

        def fail_second(self: Path, target: Path) -> Path:
            seen.append(target)
            if len(seen) == 2:
                raise PermissionError(1, "Operation not permitted")
            return real(self, target)

        monkeypatch.setattr(Path, "replace", fail_second)
        with pytest.raises(Faulty, match=r"b\.toml: cannot be written: Operation not permitted"):
            save_sheets(changed)
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before

    def test_a_missing_file_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(Faulty, match="No such file"):
            save_sheets({tmp_path / "none.toml": starting()})

    def test_an_overlong_file_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "long.toml"
        path.write_bytes(b"#" * (MAX_SHEET_BYTES + 1))
        with pytest.raises(Faulty, match="is larger than"):
            load_sheet(path)


def test_a_fault_of_the_layout_hides_none_of_the_rules() -> None:
    text = """
ruleset = "unroll"
name = "gm"
level = "one"
colour = "red"
[energy]
attack = {max = 3}
defend = {now = 9, max = 3}
grapple = {max = 4, mxa = 2}
[belief]
text = ""
[flaw]
text = "late"
[moves]
attack-high = "Over"
attack-moon = "Far"
[specials]
scouter = {usedd = true}
chess = {}
[combos]
attack-high = 3
attack-low = ["defend-moon"]
"""
    with pytest.raises(Faulty) as fault:
        read_sheet(parse_toml("marit.toml", text.encode()))
    said = str(fault.value)
    for words in (
        "colour is unknown", "level must be a whole number", "energy.grapple.mxa is unknown",
        "specials.scouter.usedd is unknown", "combos.attack-high must be a list",
        "name cannot be gm", "energy.defend.now is 9", "belief.text is missing",
        "moves.attack-moon is not a move", "specials.chess is not a special", "defend-moon",
    ):  # fmt: skip
        assert words in said, (words, said)
    assert "level is" not in said and "requires level" not in said
