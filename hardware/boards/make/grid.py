"""A board of two layers as a grid, and the cheapest way for a track from one cell to another.

Lengths are in millimetres; layer 0 is the front. A cell's number is ``layer * cells of a layer + y
* cells across + x``.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot, inf

GRID = 0.25
VIA_COST = 10.0
BACK_COST = 1.25
"""The price of a step on the back, higher than on the front so that the plane there stays whole."""
THIN = 0.3
"""Half the width of a track to a thin pad."""
WIDE = 0.5
"""A track of at least this half width carries too much for a via: it changes sides only at legs."""
POUR = 0.2
"""Half the least width of a plane that is counted on, and how much more it keeps away than a track.
"""


def reach(distance: float) -> float:
    """The distance that the cells of a way must have from a point so that the way itself keeps
    ``distance``: the middle of a diagonal step is nearer than its two ends."""
    return hypot(distance, GRID * 0.7072) + 0.005


Barred = tuple[tuple[float, float, float, float], tuple[int, ...]]
"""A rectangle (left, top, right, bottom) and the layers in which it is barred."""


@dataclass(frozen=True)
class Pad:
    """Copper that is there before any track: a rectangle along the axes, or a disc."""

    net: str
    """Its net; empty if it has none, as a hole."""
    x: float
    y: float
    width: float
    height: float
    disc: bool
    layers: tuple[int, ...]
    part: str = ""
    thin: bool = False
    """Whether its track is narrow, even if its net's tracks are wide, because little current flows
    there."""

    def distance(self, x: float, y: float) -> float:
        """How far a place is from the pad's edge; 0 or less inside it."""
        if self.disc:
            return hypot(x - self.x, y - self.y) - self.width / 2
        across = abs(x - self.x) - self.width / 2
        along = abs(y - self.y) - self.height / 2
        if across > 0 and along > 0:
            return hypot(across, along)
        return max(across, along)


class Grid:
    """The grid of one board: its pads, and how near to them the tracks of each net may come."""

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
        """``barred``: rectangles and layers without tracks and vias; ``corner``: the radius of the
        board's corners."""
        self.pads, self.clearance, self.via = pads, clearance, via
        self.across, self.down = int(size[0] / GRID) + 1, int(size[1] / GRID) + 1
        self.layer = self.across * self.down
        self.half = {net: width / 2 for net, width in widths.items()}
        self.halves = sorted({*self.half.values(), via / 2, POUR, THIN})
        self.numbers = {net: at for at, net in enumerate(sorted(widths), start=1)}
        self.owner = {half: [0] * (2 * self.layer) for half in self.halves}
        self.no_via = bytearray(self.layer)
        self.taken = {half: [0] * (2 * self.layer) for half in self.halves}
        self.dear = [0.0] * (2 * self.layer)
        self._edges(size, edge, corner)
        for rect, layers in barred:
            self._bar(rect, layers)
        for pad in pads:
            self._keep_off(pad)

    def cell_at(self, x: int, y: int, layer: int) -> int:
        """The cell in a column, a row and a layer."""
        return layer * self.layer + y * self.across + x

    def place_of(self, cell: int) -> tuple[float, float]:
        """Where a cell is on the board."""
        y, x = divmod(cell % self.layer, self.across)
        return round(x * GRID, 4), round(y * GRID, 4)

    def _edges(self, size: tuple[float, float], edge: float, corner: float) -> None:
        for half in self.halves:
            owner, least = self.owner[half], edge + half + 0.01
            for y in range(self.down):
                for x in range(self.across):
                    across = min(x * GRID, size[0] - x * GRID)
                    down = min(y * GRID, size[1] - y * GRID)
                    near = min(across, down)
                    if across < corner and down < corner:
                        near = min(near, corner - hypot(corner - across, corner - down))
                    if near < least:
                        owner[self.cell_at(x, y, 0)] = owner[self.cell_at(x, y, 1)] = -1

    def _bar(self, rect: tuple[float, float, float, float], layers: tuple[int, ...]) -> None:
        left, top, right, bottom = rect
        pad = Pad(
            "", (left + right) / 2, (top + bottom) / 2, right - left, bottom - top, False, layers
        )
        for half in self.halves:
            self._own(pad, half, reach(half))

    def _keep_off(self, pad: Pad) -> None:
        for half in self.halves:
            self._own(pad, half, reach(half + self.clearance))
        for x, y, _ in self._around(pad, self.via / 2 + 0.15):
            self.no_via[y * self.across + x] = 1

    def _around(self, pad: Pad, far: float) -> Iterable[tuple[int, int, float]]:
        for y in range(
            max(0, int((pad.y - pad.height / 2 - far) / GRID)),
            min(self.down - 1, ceil((pad.y + pad.height / 2 + far) / GRID)) + 1,
        ):
            for x in range(
                max(0, int((pad.x - pad.width / 2 - far) / GRID)),
                min(self.across - 1, ceil((pad.x + pad.width / 2 + far) / GRID)) + 1,
            ):
                distance = pad.distance(x * GRID, y * GRID)
                if distance < far:
                    yield x, y, distance

    def _own(self, pad: Pad, half: float, far: float) -> None:
        owner, number = self.owner[half], self.numbers.get(pad.net, -1)
        for x, y, _ in self._around(pad, far):
            for layer in pad.layers:
                cell = self.cell_at(x, y, layer)
                owner[cell] = number if owner[cell] in (0, number) else -1

    def ends_of(self, pad: Pad) -> list[int]:
        """The cells in the middle of a pad, where a track may end."""
        inside = [
            (distance, self.cell_at(x, y, layer))
            for x, y, distance in self._around(pad, 0.001)
            for layer in pad.layers
        ]
        deepest = min((distance for distance, _ in inside), default=0)
        return [cell for distance, cell in inside if distance <= deepest + 0.15]

    def search(
        self,
        net: str,
        starts: Iterable[int],
        goals: Mapping[int, int] | None,
        press: float = 1.0,
        half: float = 0,
    ) -> list[int] | None:
        """Find the cheapest way from one of ``starts`` to one of ``goals``; without goals, to a
        cell where a via may be. Returns its cells, or None if there is no way."""
        half, number = half or self.half[net], self.numbers[net]
        dear, ahead = self.dear, self._ahead(goals)
        arrived = self._free_for_via(number) if goals is None else goals.__contains__
        onward = self._onward(number, half, vias=goals is not None and half < WIDE)
        best = dict.fromkeys(starts, 0.0)
        came: dict[int, int] = {}
        heap = [(ahead(cell), cell) for cell in best]
        heapq.heapify(heap)
        closed: set[int] = set()
        while heap:
            _, cell = heapq.heappop(heap)
            if cell in closed:
                continue
            closed.add(cell)
            if arrived(cell):
                return _way(came, cell)
            so_far = best[cell]
            for after, price, crowd in onward(cell):
                if after in closed:
                    continue
                cost = so_far + price * (1 + dear[after]) * (1 + press * crowd)
                if cost < best.get(after, inf):
                    best[after] = cost
                    came[after] = cell
                    heapq.heappush(heap, (cost + ahead(after), after))
        return None

    def _onward(
        self, number: int, half: float, *, vias: bool
    ) -> Callable[[int], Iterator[tuple[int, float, int]]]:
        """Returns a function: for a cell, the cells that the net may go on to, each with the price
        of the step and the number of other nets that are there."""
        size, across, own = self.layer, self.across, (0, number)
        owner, taken, via_taken = self.owner[half], self.taken[half], self.taken[self.via / 2]
        front = [(step, 1.0) for step in (-1, 1, -across, across)]
        front += [(row + step, 1.4142) for row in (-across, across) for step in (-1, 1)]
        back = [(step, length * BACK_COST) for step, length in front]

        def onward(cell: int) -> Iterator[tuple[int, float, int]]:
            for step, price in back if cell >= size else front:
                after = cell + step
                if 0 <= after < 2 * size and owner[after] in own:
                    yield after, price, taken[after]
            if vias and self._via_fits(number, cell):
                after, flat = self.other_side(cell), cell % size
                if owner[after] in own:
                    yield after, VIA_COST, via_taken[flat] + via_taken[flat + size]

        return onward

    def _via_fits(self, number: int, cell: int) -> bool:
        flat, own, owner = cell % self.layer, (0, number), self.owner[self.via / 2]
        return not self.no_via[flat] and owner[flat] in own and owner[flat + self.layer] in own

    def _free_for_via(self, number: int) -> Callable[[int], bool]:
        """Returns a function: whether a via fits at a cell and no other net is there."""
        size, taken = self.layer, self.taken[self.via / 2]

        def free(cell: int) -> bool:
            flat = cell % size
            return self._via_fits(number, cell) and not (taken[flat] or taken[flat + size])

        return free

    def _ahead(self, goals: Mapping[int, int] | None) -> Callable[[int], float]:
        """Returns a function: for a cell, a lower limit for the price of the way to the nearest
        goal."""
        if not goals:
            return lambda cell: 0.0
        size, across = self.layer, self.across
        places = [divmod(cell % size, across) for cell in goals]
        top, bottom = min(y for y, _ in places), max(y for y, _ in places)
        left, right = min(x for _, x in places), max(x for _, x in places)

        def ahead(cell: int) -> float:
            y, x = divmod(cell % size, across)
            dx = left - x if x < left else x - right if x > right else 0
            dy = top - y if y < top else y - bottom if y > bottom else 0
            return dx + dy - 0.5858 * (dx if dx < dy else dy)

        return ahead

    def vias_on(self, path: Sequence[int]) -> list[int]:
        """Where a way changes sides, as cells of the front."""
        return [a % self.layer for a, b in pairwise(path) if abs(a - b) == self.layer]

    def disc(self, far: float) -> list[int]:
        """What to add to a cell's number to get all cells that are nearer to it than ``far``."""
        most = int(far / GRID)
        return [
            y * self.across + x
            for y in range(-most, most + 1)
            for x in range(-most, most + 1)
            if hypot(x, y) * GRID < far
        ]

    def other_side(self, cell: int) -> int:
        """The same place on the other layer."""
        return cell - self.layer if cell >= self.layer else cell + self.layer


def _way(came: Mapping[int, int], cell: int) -> list[int]:
    """The cells of a way from its start to ``cell``. ``came``: cell → the one before it."""
    path = [cell]
    while cell in came:
        cell = came[cell]
        path.append(cell)
    return path[::-1]
