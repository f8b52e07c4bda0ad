"""Lays the tracks of a board on a grid of two layers: A* for each connection, and nets that give
way to each other.

First all nets are laid as if they might cross. Where two do, that place costs more in each further
round, until one of them goes elsewhere (negotiated congestion). Lengths are in millimetres; layer 0
is the front.

Ref: L. McMurchie, C. Ebeling, "PathFinder", FPGA 1995.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hardware.boards.make.grid import GRID, POUR, THIN, Barred, Grid, Pad, reach

ROUNDS = 60


@dataclass(frozen=True)
class Track:
    """A straight piece of track."""

    net: str
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]
    width: float


@dataclass(frozen=True)
class Via:
    """A via through both layers."""

    net: str
    at: tuple[float, float]


class Stuck(RuntimeError):
    """No way was found for a connection; the message names the nets."""


class _Laid:
    """The ways of a net, each with half its width and its cells, and where the net keeps others
    away."""

    def __init__(self, net: str) -> None:
        self.net = net
        self.paths: list[tuple[float, list[int]]] = []
        self.stamps: dict[float, set[int]] = {}


class Router(Grid):
    """Lays the tracks of one board."""

    def __init__(
        self,
        size: tuple[float, float],
        pads: Sequence[Pad],
        widths: Mapping[str, float],
        *,
        corner: float,
        clearance: float,
        edge: float,
        via: float,
        barred: Iterable[Barred] = (),
    ) -> None:
        """The arguments are those of :class:`hardware.boards.make.grid.Grid`."""
        super().__init__(
            size,
            pads,
            widths,
            corner=corner,
            clearance=clearance,
            edge=edge,
            via=via,
            barred=barred,
        )
        self.laid: dict[str, _Laid] = {}
        self.led: dict[str, list[Pad]] = {}
        """Nets of which tracks lead only to some pads → those pads."""

    def fan_out(self, net: str) -> None:
        """Lay a via beside each pad of ``net`` on one side only, to connect the pad to a plane."""
        laid = self._plane(net)
        for pad in self.pads:
            if pad.net == net and len(pad.layers) == 1:
                path = self.search(net, self.ends_of(pad), None)
                if path is None:
                    raise Stuck(f"a pad of {net} at {pad.x:.1f}, {pad.y:.1f} has no room for a via")
                laid.paths.append((self.half[net], [*path, self.other_side(path[-1])]))
                self._stamp(laid, laid.paths[-1:])

    def route(self, nets: Sequence[str]) -> int:
        """Lay all ``nets``. Returns how many rounds it took. Raises :exc:`Stuck`."""
        press = 0.6
        waiting = list(nets)
        for turn in range(1, ROUNDS + 1):
            for net in waiting:
                self._lay(net, press)
            crossed = [net for net in nets if self._crossings(net)]
            if not crossed:
                return turn
            waiting = crossed if turn % 5 else list(nets)
            press = min(press * 1.4, 60)
        places = {
            net: [self.place_of(cell) for cell in self._crossings(net)[:2]] for net in crossed
        }
        raise Stuck(f"these still cross: {places}")

    def _lay(self, net: str, press: float) -> None:
        if net in self.laid:
            self._unstamp(self.laid[net])
        laid = self.laid[net] = _Laid(net)
        pads = self.led.get(net) or [pad for pad in self.pads if pad.net == net]
        pads = sorted(pads, key=lambda pad: pad.thin)
        ends = [self.ends_of(pad) for pad in pads]
        if not all(ends):
            raise Stuck(f"a pad of {net} is smaller than the grid")
        tree = set(ends[0])
        for thin in (False, True):
            half = min(self.half[net], THIN) if thin else self.half[net]
            left = [
                cells for pad, cells in zip(pads[1:], ends[1:], strict=True) if pad.thin == thin
            ]
            while left:
                goals = {cell: at for at, cells in enumerate(left) for cell in cells}
                path = self.search(net, tree, goals, press, half)
                if path is None:
                    raise Stuck(f"{net} has no way to its pads, {half * 2} mm wide")
                laid.paths.append((half, path))
                at = goals[path[-1]]
                tree.update(path)
                tree.update(left.pop(at))
        self._stamp(laid, laid.paths)

    def _stamp(self, laid: _Laid, paths: Sequence[tuple[float, Sequence[int]]]) -> None:
        for half in self.halves:
            cells: set[int] = set()
            around = self.disc(reach(self.via / 2 + self.clearance + half))
            for own, path in paths:
                disc = self.disc(reach(own + self.clearance + half))
                for cell in path:
                    cells.update(cell + step for step in disc)
                for flat in self.vias_on(path):
                    cells.update(flat + step for step in around)
                    cells.update(flat + self.layer + step for step in around)
            known = laid.stamps.setdefault(half, set())
            cells -= known
            known |= cells
            taken = self.taken[half]
            for cell in cells:
                if 0 <= cell < 2 * self.layer:
                    taken[cell] += 1

    def _unstamp(self, laid: _Laid) -> None:
        for half, cells in laid.stamps.items():
            taken = self.taken[half]
            for cell in cells:
                if 0 <= cell < 2 * self.layer:
                    taken[cell] -= 1
        laid.stamps = {}

    def _crossings(self, net: str) -> list[int]:
        """The cells where a net is too near to another one; they cost more from now on."""
        laid = self.laid[net]
        found = []
        via_own, via_taken = laid.stamps[self.via / 2], self.taken[self.via / 2]
        for half, path in laid.paths:
            own, taken = laid.stamps[half], self.taken[half]
            found += [cell for cell in path if taken[cell] > (cell in own)]
            for flat in self.vias_on(path):
                found += [
                    cell
                    for cell in (flat, flat + self.layer)
                    if via_taken[cell] > (cell in via_own)
                ]
        for cell in found:
            self.dear[cell] += 0.4
        return found

    def _plane(self, net: str) -> _Laid:
        """The vias of a net's planes, and the short tracks to them."""
        return self.laid.setdefault(f"planes of {net}", _Laid(net))

    def _poured(self, net: str) -> set[int]:
        """The cells of the largest piece of a net's planes, as far as it can be foretold."""
        number = self.numbers[net]
        owner, taken = self.owner[POUR], list(self.taken[POUR])
        through = {
            cell % self.layer
            for pad in self.pads
            if pad.net == net and len(pad.layers) > 1
            for cell in self.ends_of(pad)
        }
        for laid in self.laid.values():
            if laid.net == net:
                for cell in laid.stamps.get(POUR, ()):
                    taken[cell % len(taken)] -= 1
                through.update(flat for _, path in laid.paths for flat in self.vias_on(path))
        free = {
            cell
            for cell in range(2 * self.layer)
            if owner[cell] in (0, number) and taken[cell] <= 0
        }
        largest: set[int] = set()
        while free:
            piece = {free.pop()}
            edge = [*piece]
            while edge:
                cell = edge.pop()
                around = [cell - 1, cell + 1, cell - self.across, cell + self.across]
                if cell % self.layer in through:
                    around.append(self.other_side(cell))
                for after in around:
                    if after in free:
                        free.discard(after)
                        piece.add(after)
                        edge.append(after)
            largest = max(largest, piece, key=len)
        return largest

    def lonely(self, net: str) -> list[Pad]:
        """The pads that the planes of ``net`` do not reach."""
        main = self._poured(net)
        return [
            pad
            for pad in self.pads
            if pad.net == net and not any(cell in main for cell in self.ends_of(pad))
        ]

    def anchor(self, net: str, beside: Collection[str]) -> Pad:
        """A pad that goes through the board, in the largest piece of the planes of ``net``, and
        belongs to none of the parts ``beside``."""
        main = self._poured(net)
        found = [
            (pad.x, pad)
            for pad in self.pads
            if pad.net == net
            and len(pad.layers) > 1
            and pad.part not in beside
            and all(cell in main for cell in self.ends_of(pad))
        ]
        if not found:
            raise Stuck(f"the planes of {net} have no pad")
        return min(found, key=lambda each: each[0])[1]

    def stitch(self, net: str, pitch: float) -> int:
        """Lay vias of ``net`` wherever there is room on a grid of this pitch, to join its planes.
        Returns how many."""
        laid = self._plane(net)
        number, half = self.numbers[net], self.via / 2
        made = 0
        step = int(pitch / GRID)
        for y in range(step // 2, self.down, step):
            for x in range(step // 2, self.across, step):
                flat = self.cell_at(x, y, 0)
                both = (flat, flat + self.layer)
                if (
                    self.no_via[flat]
                    or any(self.owner[half][cell] not in (0, number) for cell in both)
                    or any(self.taken[half][cell] for cell in both)
                ):
                    continue
                laid.paths.append((self.half[net], [*both]))
                self._stamp(laid, laid.paths[-1:])
                made += 1
        return made

    def result(self) -> tuple[list[Track], list[Via]]:
        """All tracks and vias, with tracks in one line joined."""
        tracks: list[Track] = []
        vias: dict[tuple[str, tuple[float, float]], Via] = {}
        for laid in self.laid.values():
            net = laid.net
            for half, path in laid.paths:
                width = half * 2
                for flat in self.vias_on(path):
                    at = self.place_of(flat)
                    vias[net, at] = Via(net, at)
                for layer, cells in _runs(path, self.layer):
                    corners = _corners(cells, self.across)
                    tracks += [
                        Track(net, layer, self.place_of(a), self.place_of(b), width)
                        for a, b in pairwise(corners)
                    ]
        return tracks, list(vias.values())


def _runs(path: Sequence[int], layer: int) -> Iterable[tuple[int, list[int]]]:
    run: list[int] = []
    for cell in path:
        if run and cell // layer != run[-1] // layer:
            yield run[-1] // layer, run
            run = []
        run.append(cell)
    if run:
        yield run[-1] // layer, run


def _corners(cells: Sequence[int], across: int) -> list[int]:
    if len(cells) < 2:
        return []
    kept = [cells[0]]
    for before, cell, after in zip(cells, cells[1:], cells[2:], strict=False):
        if after - cell != cell - before:
            kept.append(cell)
    return [*kept, cells[-1]]
