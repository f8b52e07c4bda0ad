"""The doctor's findings as values, from which sentences are made in any language."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from msgspec import Struct

from hub.kernel import catalogues
from hub.kernel.catalogues import ENGLISH
from hub.kernel.reasons import Reason
from hub.readers.verdicts import Level


class DoctorReason(Reason):
    """The sentence for a finding, or for its remedy."""

    package = __package__


text = partial(catalogues.text, __package__)


Area = Literal[
    "python",
    "configuration",
    "files",
    "disk",
    "clock",
    "readers",
    "deck",
    "broker",
    "pages",
    "unit",
]
"""The part of a table or machine that a finding is about. A report has the areas in this order."""


class Finding(Struct, frozen=True):
    """A finding, which holds nothing secret. ``where``: the file, seat, address or library that it
    is about."""

    area: Area
    code: str
    level: Level
    where: str = ""
    values: Mapping[str, Any] = {}
    """The values in the finding's sentences. ``config`` is the configuration's file, quoted for a
    shell; ``hub.toml`` if left out."""

    def told(self, language: str) -> tuple[str, str]:
        """The sentences for the finding and for its remedy. The remedy is empty if there is nothing
        to do."""
        values = {key: str(v) if isinstance(v, float) else v for key, v in self.values.items()}
        values.setdefault("config", "hub.toml")
        values["where"] = self.where
        do = DoctorReason(f"{self.code}.do", **values)
        what = DoctorReason(self.code, **values).told(language)
        return what, do.told(language) if do.is_known else ""

    @property
    def what(self) -> str:
        """The sentence for the finding, in English."""
        return self.told(ENGLISH)[0]

    @property
    def do(self) -> str:
        """The sentence for the remedy, in English; empty if there is nothing to do."""
        return self.told(ENGLISH)[1]


def wrong(area: Area, code: str, where: str = "", /, **values: object) -> Finding:
    """The finding that something is wrong; ``values`` go into its sentences."""
    return Finding(area, code, Level.WRONG, where, values)


def note(area: Area, code: str, where: str = "", /, **values: object) -> Finding:
    """The finding of something that may be wrong; ``values`` go into its sentences."""
    return Finding(area, code, Level.NOTE, where, values)


def fine(area: Area, code: str, where: str = "", /, **values: object) -> Finding:
    """The finding that all is well; ``values`` go into its sentence."""
    return Finding(area, code, Level.OK, where, values)


class Told(Struct, frozen=True):
    """A finding in a report. ``what``: its sentence; ``do``: the remedy, or empty."""

    area: Area
    code: str
    """The kind of finding; stable between versions."""
    level: Level
    where: str
    what: str
    do: str


class Report(Struct, frozen=True):
    """The output of ``facedown doctor --json``. ``facedown`` is the hub's version."""

    facedown: str
    worst: Level
    findings: list[Told]
    schema: Literal[1] = 1


_WORSE = (Level.OK, Level.NOTE, Level.WRONG)


def report(version: str, findings: list[Finding], language: str = ENGLISH) -> Report:
    """The findings in the form of ``facedown doctor --json``. ``version``: the hub's version."""
    worst = max((each.level for each in findings), key=_WORSE.index, default=Level.OK)
    told = [Told(f.area, f.code, f.level, f.where, *f.told(language)) for f in findings]
    return Report(version, worst, told)
