"""The language in which a command speaks: as it was asked for, else the terminal's."""

import os

from hub.cli.failing import give_up
from hub.kernel.catalogues import languages
from hub.setup.words import language_of


def spoken(asked: str = "") -> str:
    """The language to speak: as it was said, else as the terminal has it."""
    return language_of(asked, *(os.environ.get(key, "") for key in ("LC_ALL", "LANG")))


def known_language(locale: str) -> None:
    """The command gives up over a language that there is not."""
    if locale and locale not in languages():
        give_up(f"no language {locale[:20]!a}; there are {', '.join(languages())}")
