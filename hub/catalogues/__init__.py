"""What is said to people, in each language: the pages' texts and the sentences of reasons.

A catalogue is a JSON file, key → text: ``pages.LANGUAGE.json`` or ``reasons.LANGUAGE.json``.
``docs/translating.md`` says what a text may hold.
"""

import json
from importlib.resources import files


def languages() -> list[str]:
    """The codes of those that there are, English first."""
    found: list[str] = json.loads(_read("languages.json"))
    return found


def catalogue(name: str, language: str) -> dict[str, str]:
    """The catalogue ``pages`` or ``reasons`` of a language."""
    found: dict[str, str] = json.loads(_read(f"{name}.{language}.json"))
    return found


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
