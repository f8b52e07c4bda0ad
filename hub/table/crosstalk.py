"""Cross-talk: a tag that two readers hear, because their fields overlap, is sealed at neither.

A card with a tag at each end counts as one card. A copied tag cannot be told from the original and
is treated the same. A card carried from one reader to another is heard by one at a time, and does
not swing back and forth within seconds.
"""

from collections.abc import Iterable, Iterator

from hub.table.sealed import Sealed
from hub.table.spots import Desk, Laid, Left, Spot
from hub.table.state import TableState

QUIET_MS = 1000
"""A tag seals only when no other reader has heard it for this long."""
SWING_MS = 3000
"""A tag swings if it is back at a reader within this time and another reader has heard it
meanwhile."""


def departed(before: Spot, laid: tuple[Laid, ...], now_ms: int) -> Sealed[tuple[Left, ...]]:
    """The tags that left a reader recently, given that ``laid`` is on it now."""
    lying = {tag for each in laid for tag in each.tags}
    gone = [Left(each.tag, now_ms) for each in before.laid.unseal() if each.tag not in lying]
    kept = [old for old in before.left.unseal() if _within(old, SWING_MS, now_ms)]
    return Sealed((*kept, *(left for left in gone if left.tag)))


def swings(desk: Desk, seat: str, arrived: Iterable[Laid], now_ms: int) -> tuple[str, ...]:
    """The other seats that a card which has just arrived at ``seat`` swings to and from."""
    own = {old.tag for old in desk[seat].left.unseal() if _within(old, SWING_MS, now_ms)}
    back = {tag for each in arrived if not own.isdisjoint(each.tags) for tag in each.tags}
    return tuple(
        other
        for other, spot in desk.items()
        if other != seat
        and any(old.tag in back and _within(old, SWING_MS, now_ms) for old in spot.left.unseal())
    )


def is_heard_elsewhere(state: TableState, desk: Desk, seat: str, laid: Laid, now_ms: int) -> bool:
    """Whether a tag that ``seat``'s reader hears may be at another seat.

    A card of a set that belongs to the seat counts as its own, even if another reader hears it.
    """
    if not laid.tag or laid.owner == seat:
        return False
    others = [spot for other, spot in desk.items() if other != seat]
    return (
        any(left.tag in laid.tags and _within(left, QUIET_MS, now_ms)
            for spot in others for left in spot.left.unseal())
        or seat in crossed(state, desk, laid.tag)
    )  # fmt: skip


def crossed(state: TableState, desk: Desk, tag: str = "") -> set[str]:
    """The seats whose readers hear the same tag now, or between which a tag swings. With ``tag``,
    only those that hear this one.

    A seal counts as its card: if the seal's reader is lost, another reader may still hear the
    tag.
    """
    found: set[str] = set()
    hearing: dict[str, set[str]] = {}
    for seat, spot in desk.items():
        for each in spot.laid.unseal():
            for name in each.tags if tag in {"", *each.tags} else ():
                hearing.setdefault(name, set()).add(seat)
        if spot.swings and not tag:
            found |= {seat, *spot.swings}
    for sealed, seat in _sealed(state):
        if sealed in hearing:
            hearing[sealed].add(seat)
    return found.union(*(seats for seats in hearing.values() if len(seats) > 1))


def _sealed(state: TableState) -> Iterator[tuple[str, str]]:
    """The tag of each current seal, and its seat."""
    scene = state.scene
    if scene is None:
        return
    beside = (seal for seals in scene.beside.values() for seal in seals)
    for seal in (*scene.seals.values(), *beside):
        yield seal.tag(), seal.seat


def _within(left: Left, ms: int, now_ms: int) -> bool:
    return 0 <= now_ms - left.at_ms < ms
