"""What docs/translating.md says: a language is two files and a line."""

import json
import shutil
from pathlib import Path

import pytest

import hub.catalogues
from hub.web.assets import Assets
from tests.support.reasons import given, places, sentences, words

CATALOGUES = Path(hub.catalogues.__file__).parent


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The catalogues, with a language that the hub does not come with."""
    folder = tmp_path / "catalogues"
    shutil.copytree(CATALOGUES, folder)
    for name in ("pages.{}.json", "reasons.{}.json"):
        english: dict[str, str] = json.loads((folder / name.format("en")).read_text("utf-8"))
        made = {key: f"Ŝ {text}" for key, text in english.items() if not key.endswith(".one")}
        (folder / name.format("xx")).write_text(json.dumps(made), "utf-8")
    languages = json.loads((folder / "languages.json").read_text())
    (folder / "languages.json").write_text(json.dumps([*languages, "xx"]))
    monkeypatch.setattr("hub.catalogues.files", lambda _: folder)
    return folder


def test_the_pages_offer_it(texts: Path) -> None:
    assets = Assets()
    assert b'data-languages="en de xx"' in assets.body("display.html")
    for path in ("texts/xx.json", "texts/xx.room.json", "texts/reasons.xx.json"):
        assert "Ŝ " in json.loads(assets.body(path)).popitem()[1], path


def test_its_reasons_pass_what_any_language_passes(texts: Path) -> None:
    known = sentences(texts, "xx")
    assert known.keys() == {code for code, _, _ in given()}
    assert all(places(known[code]) == keys for code, keys, _ in given())
    assert words(texts, "xx").keys() == words(texts, "en").keys()


def test_a_sentence_that_is_missing_or_lacks_a_place_is_found(texts: Path) -> None:
    file = texts / "reasons.xx.json"
    made: dict[str, str] = json.loads(file.read_text("utf-8"))
    made["move-face-up"] = "Ŝ"
    del made["dead"]
    file.write_text(json.dumps(made), "utf-8")
    known = sentences(texts, "xx")
    assert {code for code, _, _ in given()} - known.keys() == {"dead"}
    there = ((code, keys) for code, keys, _ in given() if code in known)
    assert {code for code, keys in there if places(known[code]) != keys} == {"move-face-up"}
