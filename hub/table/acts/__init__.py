"""What can happen at the table, one module for each act: the command that asks for it, who may ask,
what makes it stale, how it is judged, the record it writes, and how that record is folded."""

from collections.abc import Iterator
from typing import TypeVar

from hub.table.acts.characters import *
from hub.table.acts.clock import *
from hub.table.acts.commit import *
from hub.table.acts.decide import *
from hub.table.acts.evening import *
from hub.table.acts.field import *
from hub.table.acts.next import *
from hub.table.acts.overrule import *
from hub.table.acts.pause import *
from hub.table.acts.play_for import *
from hub.table.acts.portrait import *
from hub.table.acts.readers import *
from hub.table.acts.reveal import *
from hub.table.acts.scenes import *
from hub.table.acts.sit_out import *
from hub.table.acts.story import *
from hub.table.acts.timer import *
from hub.table.acts.undo import *
from hub.table.inputs import *
from hub.table.inputs import Command
from hub.table.records import *
from hub.table.records import Event

KindT = TypeVar("KindT")


def _leaves(kind: type[KindT]) -> Iterator[type[KindT]]:
    """The direct and indirect subclasses of ``kind`` that have no subclasses themselves."""
    below = kind.__subclasses__()
    yield from (leaf for each in below for leaf in _leaves(each))
    if not below:
        yield kind


COMMANDS: tuple[type[Command], ...] = (*_leaves(Command),)
EVENTS: tuple[type[Event], ...] = (*_leaves(Event),)
