"""What is said to people, in each language: the pages' texts and the sentences of reasons.

A catalogue is a JSON file, key → text: ``pages.LANGUAGE.json`` or ``reasons.LANGUAGE.json`` in the
folder ``catalogues`` of a package. What all rules have in common stands here, the rest beside each
family's rules. ``docs/translating.md`` says what a text may hold; ``{facedown}`` in any of them is
how the program is called here.
"""

import json
from functools import cache
from importlib.resources import files

from hub.kernel.called import PLACE, called

COMMON = "hub.kernel"
"""The package of the common catalogues."""
ENGLISH = "en"


def languages() -> list[str]:
    """The codes of those that there are, English first."""
    found: list[str] = json.loads(_read(COMMON, "languages.json"))
    return found


def catalogue(name: str, language: str, package: str = COMMON) -> dict[str, str]:
    """The catalogue ``pages`` or ``reasons`` of a package; empty where it has none."""
    found: dict[str, str] = json.loads(_read(package, f"{name}.{language}.json"))
    return found


def text(package: str, language: str, key: str, **places: object) -> str:
    """A text of a package's catalogue ``pages``, its places filled; the English one where the
    language lacks it. Raises :class:`KeyError`."""
    return (_texts(package, language).get(key) or _texts(package, ENGLISH)[key]).format(**places)


@cache
def _texts(package: str, language: str) -> dict[str, str]:
    return catalogue("pages", language, package)


def _read(package: str, name: str) -> str:
    file = files(package).joinpath("catalogues", name)
    if not file.is_file():
        return "{}"
    return file.read_text(encoding="utf-8").replace(PLACE, json.dumps(called())[1:-1])
