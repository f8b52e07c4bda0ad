"""The steps of docs/develop/translating.md: a language is two files in each folder, and a line."""

import json
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from hub.kernel.catalogues import COMMON
from hub.web.assets import Assets
from tests.support.reasons import PACKAGES, given, places, sentences, words


@pytest.fixture
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The catalogues of all packages, with a language that does not come with the hub."""
    for package in PACKAGES:
        folder = tmp_path / package / "catalogues"
        shutil.copytree(str(files(package).joinpath("catalogues")), folder)
        for name in ("pages", "reasons"):
            english = json.loads((folder / f"{name}.en.json").read_text("utf-8"))
            made = {key: f"Ŝ {text}" for key, text in english.items() if not key.endswith(".one")}
            (folder / f"{name}.xx.json").write_text(json.dumps(made), "utf-8")
    listed = tmp_path / COMMON / "catalogues" / "languages.json"
    listed.write_text(json.dumps([*json.loads(listed.read_text()), "xx"]))
    monkeypatch.setattr("hub.kernel.catalogues.files", lambda package: tmp_path / package)
    return tmp_path


def test_the_pages_offer_it(catalogues: Path) -> None:
    assets = Assets()
    assert b'data-languages="en de xx"' in assets.body("display.html")
    for path in ("texts/xx.json", "texts/xx.room.json", "texts/reasons.xx.json"):
        said = json.loads(assets.body(path)).items()
        assert [key for key, text in said if "Ŝ " not in text and not key.endswith(".one")] == []


def test_its_reasons_pass_the_checks_of_any_language(catalogues: Path) -> None:
    known = sentences("xx")
    assert known.keys() == {code for code, *_ in given()}
    assert all(places(known[code]) == keys for code, keys, *_ in given())
    assert all(words("xx", each).keys() == words("en", each).keys() for each in PACKAGES)


def test_a_sentence_that_is_missing_or_lacks_a_placeholder_is_found(catalogues: Path) -> None:
    file = catalogues / PACKAGES[1] / "catalogues" / "reasons.xx.json"
    made: dict[str, str] = json.loads(file.read_text("utf-8"))
    made["move-face-up"] = "Ŝ"
    del made["dead"]
    file.write_text(json.dumps(made), "utf-8")
    known = sentences("xx")
    assert {code for code, *_ in given()} - known.keys() == {"dead"}
    there = ((code, keys) for code, keys, *_ in given() if code in known)
    assert {code for code, keys in there if places(known[code]) != keys} == {"move-face-up"}


def test_an_untranslated_family_falls_back_to_english(catalogues: Path) -> None:
    for file in (catalogues / PACKAGES[1] / "catalogues").glob("*.xx.json"):
        file.unlink()
    assets = Assets()
    assert json.loads(assets.body("texts/xx.json"))["own.energy"] == "Energy"
    reasons = json.loads(assets.body("texts/reasons.xx.json"))
    assert reasons["dead"] == "{who} is dead" and reasons["paused"].startswith("Ŝ ")
