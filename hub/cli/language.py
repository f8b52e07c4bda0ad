"""The language of a command's output: the requested one, else the terminal's."""

import os

from hub.cli.failing import give_up
from hub.kernel.catalogues import languages
from hub.setup.words import language_of


def spoken(asked: str = "") -> str:
    """The language to use: the requested one, else the terminal's."""
    return language_of(asked, *(os.environ.get(key, "") for key in ("LC_ALL", "LANG")))


def known_language(locale: str) -> None:
    """End the command if there is no such language."""
    if locale and locale not in languages():
        give_up(f"no language {locale[:20]!a}; there are {', '.join(languages())}")
