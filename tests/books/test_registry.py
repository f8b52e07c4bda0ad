"""The registry finds what the families bring, by ruleset; another family needs one line."""

from importlib.resources import files
from pathlib import Path

import pytest

from hub.games import registry
from hub.games.family import Family
from hub.games.game import RulesError


def test_no_two_families_share_a_ruleset_or_a_name() -> None:
    games = [game.ruleset for family in registry.FAMILIES for game in family.games]
    views = [game.view_type for family in registry.FAMILIES for game in family.games]
    assert sorted(games) == sorted({*games})
    assert sorted(str(view.__struct_config__.tag) for view in views) == sorted(games)
    assert len({family.id for family in registry.FAMILIES}) == len(registry.FAMILIES)


def test_an_added_family_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(Family):
        id = "other"
        games = ()

    before = registry.rulebooks()
    other = Other()
    monkeypatch.setattr(registry, "FAMILIES", (*registry.FAMILIES, other))
    assert registry.rulebooks() is not before
    assert {*registry.rulebooks().games} == {*before.games}
    monkeypatch.undo()
    assert registry.rulebooks() is before, "a snapshot knows its games by what they are"


def test_an_unknown_ruleset_is_refused_with_the_known_ones() -> None:
    assert registry.family_of("chess") is None
    with pytest.raises(RulesError, match=r"'chess'; this hub knows unroll"):
        registry.rulebooks().game("chess")


def test_a_familys_styles_carry_its_name() -> None:
    """They are served beside all others."""
    for family in registry.FAMILIES:
        for style in Path(str(files(family.package) / "pages")).rglob("*.css"):
            assert style.name.removesuffix(".css").split("-")[0] == family.id


def test_commands_on_characters_have_unique_names() -> None:
    apps = [family.sheet_commands for family in registry.FAMILIES]
    found = [c.name or c.callback.__name__ for app in apps if app for c in app.registered_commands]
    names = [*found, "check", "example", "export"]
    assert sorted(names) == sorted({*names})
