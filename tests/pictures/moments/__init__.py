"""Twelve drawn moments of each family of rules, played at the table behind the pages."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

from tests.adapters.web.conftest import Pages
from tests.adapters.web.playing import PlayedTable
from tests.pictures.moments import tourists, tricube, unroll
from tests.pictures.moments.moment import LANGUAGES, Moment

__all__ = ["LANGUAGES", "MOMENTS", "Moment", "moments", "played"]

MOMENTS: Mapping[str, Sequence[Moment]] = {
    "unroll": unroll.MOMENTS,
    "tricube": tricube.MOMENTS,
    "tourists": tourists.MOMENTS,
}
"""Family → its moments, in the order in which they are played."""


def played(family: str, table: PlayedTable) -> Iterator[Moment]:
    """Play a family's moments at a new table, and yield each once the table is in it."""
    for moment in MOMENTS[family]:
        moment.play(table)
        yield moment


async def moments(family: str, pages: Pages) -> AsyncIterator[Moment]:
    """The same at the table behind the pages, which have to be new."""
    for moment in played(family, pages.table):
        yield moment
