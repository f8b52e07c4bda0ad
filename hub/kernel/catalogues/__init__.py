"""The texts shown to people, in each language: texts of the pages and sentences of reasons.

A catalogue is a JSON file, key → text: ``pages.LANGUAGE.json`` or ``reasons.LANGUAGE.json`` in the
folder ``catalogues`` of a package. The common catalogues are here; each family's own are in its
package. ``docs/develop/translating.md`` says what a text may contain. ``{facedown}`` in a text
stands for the command that starts this program.
"""

import json
from functools import cache
from importlib.resources import files

from hub.kernel.called import PLACE, called
from hub.kernel.texts import Texts

COMMON = "hub.kernel"
ENGLISH = "en"


def languages() -> list[str]:
    """The codes of the available languages, English first."""
    found: list[str] = json.loads(_read(COMMON, "languages.json"))
    return found


def catalogue(name: str, language: str, package: str = COMMON) -> dict[str, str]:
    """The catalogue ``name`` of a package, such as ``pages``; empty if it has none."""
    found: dict[str, str] = json.loads(_read(package, f"{name}.{language}.json"))
    return found


def text(package: str, language: str, key: str, **places: object) -> str:
    """A text of a package's ``pages`` catalogue, in English if ``language`` lacks it; ``places``
    fills its placeholders."""
    return _texts(package, language)(key, **places)


@cache
def _texts(package: str, language: str) -> Texts:
    return Texts(catalogue("pages", ENGLISH, package) | catalogue("pages", language, package))


def _read(package: str, name: str) -> str:
    file = files(package).joinpath("catalogues", name)
    if not file.is_file():
        return "{}"
    return file.read_text(encoding="utf-8").replace(PLACE, json.dumps(called())[1:-1])
