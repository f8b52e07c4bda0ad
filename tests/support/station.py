"""A reader whose tags are plain objects in memory: no chip, no wire, no delay."""

from collections.abc import Callable, Sequence

from hub.ports import TagGone, TagSeen
from hub.sim.tags import Nibble, Power, Tag


class BareField:
    """A :class:`hub.ports.TagStation`, with a hand that places and lifts tags."""

    def __init__(self) -> None:
        self.lying: list[Tag] = []

    def put(self, tag: Tag) -> None:
        if tag not in self.lying:
            tag.power_off()
            self.lying.append(tag)

    def lift(self, leaves: Callable[[Tag], bool] = lambda tag: True) -> None:
        for tag in [tag for tag in self.lying if leaves(tag)]:
            tag.power_off()
            self.lying.remove(tag)

    def open(self) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...

    def tags(self) -> Sequence[TagSeen]:
        for tag in self.lying:
            tag.power_off()
            tag.power = Power.ACTIVE
        return [TagSeen(tag.uid, tag.sel_res) for tag in self.lying[:2]]

    def exchange(self, command: bytes) -> bytes:
        active = [tag for tag in self.lying if tag.power is Power.ACTIVE]
        answer = active[0].exchange(command) if len(active) == 1 else None
        if answer is None:
            raise TagGone
        return bytes([answer]) if isinstance(answer, Nibble) else answer
