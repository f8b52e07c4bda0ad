"""What a start leaves undone, because it would keep people waiting for the pages."""

import gc
import os
from pathlib import Path

import pytest

from hub.daemon.main import settle
from hub.games.registry import FAMILIES
from hub.kernel.program import digest_of, files_below
from hub.web import assets
from hub.web.assets import Assets


def test_no_file_of_the_pages_is_prepared_before_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(assets, "_written", lambda path, file: asked.append(path) or b"")
    monkeypatch.setattr(assets, "catalogue", lambda *_: asked.append("a catalogue") or {})
    served = Assets()
    assert asked == []
    served.body("css/theme.css")
    served.body("css/theme.css")
    assert asked == ["css/theme.css"]


def test_objects_are_exempt_from_garbage_collection_without_one() -> None:
    collected: list[str] = []
    told = lambda phase, _: collected.append(phase)  # noqa: E731
    gc.disable()
    gc.callbacks.append(told)
    try:
        settle()
        assert gc.isenabled() and gc.get_freeze_count() > 0
        assert collected == []
    finally:
        gc.callbacks.remove(told)
        gc.unfreeze()
        gc.enable()


def test_the_ids_of_games_and_stories_are_known_without_them() -> None:
    for family in FAMILIES:
        assert family.rulesets == tuple(game.ruleset for game in family.games)
        assert family.story_rulesets == tuple(story.ruleset for story in family.stories)


def test_a_changed_file_of_the_program_changes_its_digest(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    for path in ("js/a.js", "b.css"):
        (tmp_path / path).write_text("1")
        os.utime(tmp_path / path, ns=(1, 1))
    assert [path for path, _ in files_below(tmp_path)] == ["b.css", "js/a.js"]
    before = digest_of(files_below(tmp_path))
    assert digest_of(files_below(tmp_path)) == before
    os.utime(tmp_path / "js/a.js", ns=(1, 2))
    assert digest_of(files_below(tmp_path)) != before
