"""The docs' statements about the code are generated from it, or checked here."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from write_docs import (  # noqa: E402
    first_table_unit,
    report_schema,
    script_pictures,
    script_types,
    with_findings,
    with_phases,
)

from tests.bench.history import kept  # noqa: E402
from tests.bench.page import plot, with_figures  # noqa: E402


def test_the_phase_diagram_matches_the_transition_table() -> None:
    text = (ROOT / "docs/develop/architecture.md").read_text(encoding="utf-8")
    assert with_phases(text) == text, "run `make docs`"
    assert "stateDiagram-v2" in text


def test_the_page_on_performance_has_the_newest_run() -> None:
    text = (ROOT / "docs/develop/performance.md").read_text(encoding="utf-8")
    assert with_figures(text) == text, "run `make docs`"
    drawn = (ROOT / "docs/develop/performance.svg").read_text(encoding="utf-8")
    assert plot(kept()) == drawn, "run `make docs`"


def test_the_doctors_page_lists_all_findings_and_the_schema_is_current() -> None:
    text = (ROOT / "docs/build/doctor.md").read_text(encoding="utf-8")
    assert with_findings(text) == text, "run `make docs`"
    assert (ROOT / "docs/doctor.schema.json").read_text(encoding="utf-8") == report_schema()


def test_the_pages_types_match_the_hubs_messages() -> None:
    for file, types in script_types():
        assert file.read_text(encoding="utf-8") == types, "run `make docs`"


def test_the_pages_draw_cards_as_they_are_printed() -> None:
    for file, signs in script_pictures():
        assert file.read_text(encoding="utf-8") == signs, "run `make docs`"


def test_the_first_tables_unit_matches_that_of_any_table() -> None:
    unit = (ROOT / "systemd/facedown.service").read_text(encoding="utf-8")
    assert unit == first_table_unit(), "run `make docs`"
    assert "%i" not in unit


def test_links_between_pages_resolve() -> None:
    folders = [ROOT / "docs", ROOT / "hardware"]
    for page in [*ROOT.glob("*.md"), *(each for f in folders for each in f.rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_pages_named_in_code_and_its_texts_exist() -> None:
    for folder in ("firmware", "hardware", "hub", "scripts", "systemd", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".json", ".py", ".service", ".toml"} and not path.is_symlink():
                for page in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8")):
                    assert (ROOT / page).exists(), f"{path.name} names {page}"


def test_every_room_is_on_the_map() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for room in (ROOT / "hub").iterdir():
        if room.is_dir() and not room.name.startswith("__"):
            assert f"`hub/{room.name}`" in readme
