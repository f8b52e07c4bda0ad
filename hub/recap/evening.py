"""From a journal to the recap's file."""

from collections.abc import Callable
from pathlib import Path

from hub.games.registry import rulebooks
from hub.journal import JournalRows
from hub.pictures.store import Pictures, folder_of
from hub.recap.gather import MOST_SCENES, Recap, gather
from hub.recap.page import write_recap
from hub.themes import OURS, look_of


def evening_of(
    journal: Path,
    reader: JournalRows,
    theme: str,
    scenes: int = MOST_SCENES,
    done: Callable[[int], object] = lambda work: None,
) -> tuple[Recap, bytes]:
    """The recap of a journal, and its HTML file.

    ``theme``: one of the hub's, or a file. ``scenes`` and ``done``: see
    :func:`hub.recap.gather.gather`, which also says what is raised for an inconsistent journal.
    Raises :class:`hub.kernel.faults.Faulty` for a theme that cannot be used.
    """
    look = look_of(theme, None) if theme in OURS else look_of("", Path(theme))
    found = gather(reader.rows, reader.table, rulebooks(), scenes, done)
    return found, write_recap(found, look, Pictures(folder_of(journal)).read)
