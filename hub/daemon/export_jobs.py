"""Jobs of the process that writes the console's downloads: :mod:`hub.daemon.export_process`."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct


class What(StrEnum):
    """The kind of paper to print."""

    RULES = "rules"
    SHEETS = "sheets"
    COUNTDOWNS = "countdowns"
    TENTS = "tents"


class RecapJob(Struct, frozen=True, tag="recap"):
    """The job of writing the recap of a journal, as HTML."""

    journal: str
    theme: str


class DeckJob(Struct, frozen=True, tag="deck"):
    """The job of writing the cards of a configuration's deck, as PDF."""

    config: str
    theme: str
    paper: str
    layout: Literal["duplex", "fold"]
    locale: str
    starter: bool
    """Whether to print only what the characters know now."""


class PapersJob(Struct, frozen=True, tag="papers"):
    """The job of writing papers for a configuration, as PDF."""

    config: str
    what: What
    theme: str
    paper: str
    locale: str
    address: str = ""
    """The address of the pages, for tents."""
    keys: bool = False
    """Whether the codes on tents include the keys of the players' seats."""


Job = RecapJob | DeckJob | PapersJob
