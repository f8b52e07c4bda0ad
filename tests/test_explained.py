"""Each panel of the console and each kind of overrule is explained in every language."""

import re

import pytest

from hub.games import registry
from hub.kernel.catalogues import COMMON, catalogue
from tests.support.page_files import page_files

PLAIN = {"directed", "farewell", "help"}
"""Panels that are an explanation themselves."""


def texts(language: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for package in (COMMON, *(family.package for family in registry.FAMILIES)):
        found |= catalogue("pages", language, package)
    return found


def panels() -> set[str]:
    found: set[str] = set()
    scripts = (file for file in page_files().values() if file.suffix == ".js")
    for text in (script.read_text(encoding="utf-8") for script in scripts):
        for said in re.findall(r"(?<!const )\bpanel\(\s*([^,]+),", text):
            found |= {*re.findall(r'"([a-z-]+)"', said)}
        found |= {"evening"} if "panel(\n    EVENING" in text else set()
    return found


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_panel_has_an_explanation(language: str) -> None:
    known = texts(language)
    assert {"asked", "declared", "log", "scene", "newcomers"} <= panels()
    lacking = {
        key
        for key in panels() - PLAIN
        if not {f"word.panel.{key}", f"word.panel.{key}.more"} <= known.keys()
    }
    assert lacking == set()


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_kind_of_overrule_has_an_explanation(language: str) -> None:
    known = texts(language)
    items = {key.split(".")[2] for key in known if re.fullmatch(r"gm\.holds\.[a-z-]+", key)}
    items -= {"against", "no-combo"}
    items |= {"at-zero"}
    assert {f"word.holds.{each}.more" for each in items} <= known.keys()
    assert {f"word.holds.{each}" for each in items} <= known.keys()
