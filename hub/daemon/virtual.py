"""Wiring of simulated readers, or of simulated boards that run the firmware, and their clock."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec import Struct, field

from hub.cards.deck import Deck
from hub.config.loader import TableFiles
from hub.daemon.output import StartError
from hub.daemon.runner import Runner
from hub.games.dealing import BLANK
from hub.games.game import Choice
from hub.ports import VirtualField
from hub.readers.address import Address, Pn532Address, SeatAddress, SimAddress
from hub.readers.kinds import parse_address
from hub.readers.lamp import SeatLamps
from hub.web.tabletop import HandCard, LightSource
from hub.world.disk import DISK


class SimulatedTabletop:
    """Implements :class:`hub.web.tabletop.VirtualTable`. A seat's hand consists of the deck's sets
    that belong to it, or else the set of its name, or else the cards without a set; of those, cards
    with two ends are in the middle of the table instead."""

    def __init__(
        self,
        fields: Mapping[str, VirtualField],
        deck: Deck,
        sets: Mapping[str, Collection[str]],
        label: Callable[[Choice], str],
    ) -> None:
        """``fields``: seat → its simulated reader; ``sets``: seat → the sets that belong to it;
        ``label``: the name of a card."""
        self._label = label
        self.readers = fields
        groups = {card.group for card in deck.cards}
        named = {seat: [seat] if seat in groups else [""] for seat in fields}
        held = {seat: sets.get(seat) or named[seat] for seat in fields}
        self.hands: Mapping[str, Mapping[str, Choice]] = {
            seat: {
                card.tag: card.choice
                for card in deck.cards
                if card.group in held[seat] and card.in_play and card.choice != BLANK
                if not (card.of and not card.group)
            }
            for seat in fields
        }
        """Seat → tag → card."""
        self._deck = [
            HandCard(end.tag, label(end.choice), end.choice.kind, end.choice.value, other.tag)
            for end in deck.cards
            if end.of and not end.group and end.in_play and (other := deck.other_end(end))
        ]

    def deck(self) -> Sequence[HandCard]:
        """The cards in the middle of the table."""
        return self._deck

    def hand(self, seat: str) -> Sequence[HandCard]:
        """A seat's cards with their printed texts."""
        return [
            HandCard(tag, self._label(choice), choice.kind, choice.value)
            for tag, choice in self.hands[seat].items()
        ]


class Virtual(Struct, frozen=True):
    """The simulated devices of the virtual table; empty at most tables."""

    fields: Mapping[str, VirtualField] = {}
    """Seat → its simulated reader."""
    addresses: Mapping[str, Address] = field(default_factory=dict)
    """Seat → the address for the hub's driver."""
    wires: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    """Seat → the last data sent to the lamps of its board, if it has one."""
    clock: Callable[[], bytes] | None = None
    """The last data sent to the lights of the clock, if it has a board."""

    def tabletop(self, files: TableFiles) -> SimulatedTabletop | None:
        """The simulated readers with the cards beside them; None without simulated readers."""
        if not self.fields:
            return None
        return SimulatedTabletop(self.fields, files.deck, files.config.sets, files.label)

    def lights(self, files: TableFiles, runner: Runner, lamps: SeatLamps) -> LightSource | None:
        """The lights of the virtual table, which follow the table from now on; None without
        simulated readers."""
        if not self.fields:
            return None
        from hub.daemon.lights import TableLights, shown_by_clock

        shows = shown_by_clock(files.config)
        lights = TableLights(lamps, shows, runner.now_ms, self.wires, self.clock)
        runner.add_publisher(lights)
        return lights


def open_virtual(files: TableFiles, stack: AsyncExitStack, micropython: Sequence[str]) -> Virtual:
    """Start everything that the configuration calls simulated. With the command ``micropython``,
    each reader is behind a board that runs the shipped firmware, and so is the clock. Raises
    :class:`StartError` if nothing can be simulated."""
    found = {seat.name: parse_address(seat.reader) for seat in files.config.seats}
    names = {seat: each.name for seat, each in found.items() if isinstance(each, SimAddress)}
    if not names:
        return Virtual()
    folder = Path(stack.enter_context(DISK.temporary_folder("facedown-")))
    from hub.sim.cables import NoTerminal
    from hub.sim.readers import SimulatedReader

    try:
        if micropython:
            return _on_boards(files, stack, names, folder, micropython)
        fields = {
            seat: stack.enter_context(SimulatedReader(name, folder)) for seat, name in names.items()
        }
    except NoTerminal as error:
        raise StartError(str(error)) from None
    return Virtual(fields, {seat: Pn532Address(each.path) for seat, each in fields.items()})


def _on_boards(
    files: TableFiles,
    stack: AsyncExitStack,
    names: Mapping[str, str],
    folder: Path,
    micropython: Sequence[str],
) -> Virtual:
    import hub.firmware
    from hub.daemon.lights import CLOCK_LIGHTS, shown_by_clock
    from hub.sim.boards import SimulatedClock
    from hub.sim.seats import SimulatedSeat

    firmware = Path(str(hub.firmware.__file__)).parent
    seats = {
        seat: stack.enter_context(
            SimulatedSeat(name, folder, number=at, micropython=micropython, firmware=firmware)
        )
        for at, (seat, name) in enumerate(names.items(), 1)
    }
    config, clock = files.config, None
    if config.mqtt.enabled:
        clock = stack.enter_context(
            SimulatedClock(
                folder,
                micropython=micropython,
                firmware=firmware,
                table=config.table.name,
                port=config.mqtt.broker_port,
                shows=shown_by_clock(config),
                lights=CLOCK_LIGHTS,
            )
        )
    return Virtual(
        seats,
        {seat: SeatAddress(each.path) for seat, each in seats.items()},
        {seat: lambda each=each: each.lamps for seat, each in seats.items()},  # type: ignore[misc]
        None if clock is None else lambda: clock.lights,
    )
