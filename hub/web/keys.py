"""Roles, the keys that open them, and the limit for wrong keys.

A key is 128 random bits in base64url. It is compared by its SHA-256, because random bits need no
slow hash.
"""

import hmac
from collections import OrderedDict
from collections.abc import Callable, Iterable
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from hub.world import MACHINE, World

KEY_BYTES = 16
MAX_KEY_CHARS = 128

PUBLIC = ""
"""The role without a key."""
GM_PAGE = "gm"
TABLE = "table"
"""The role of the virtual table, which may do what the GM and every seat may."""


def seat_role(seat: str) -> str:
    """The role of a seat's own player: ``seat:`` and the seat."""
    return f"seat:{seat}"


def seat_of(role: str) -> str | None:
    """The seat that a role belongs to; None if it is not a seat's."""
    kind, _, seat = role.partition(":")
    return seat if kind == "seat" else None


def new_key(world: World = MACHINE) -> str:
    """A new key, to be shown to the person at the hub and never stored."""
    return world.url_token(KEY_BYTES)


def hash_key(key: str) -> str:
    """The SHA-256 of a key or of a session's id, in hex. Of an id only this is stored."""
    return sha256(key.encode(errors="surrogatepass")).hexdigest()


def key_fits(key: str, hashed: str) -> bool:
    """Whether ``key`` has this hash, compared in constant time."""
    return len(key) <= MAX_KEY_CHARS and hmac.compare_digest(hash_key(key), hashed)


class Keys:
    """The keys of this run, one for each role. They are in memory only."""

    def __init__(self, roles: Iterable[str], world: World = MACHINE) -> None:
        self._world = world
        self._keys = {role: new_key(world) for role in roles}
        self._hashes = {role: hash_key(key) for role, key in self._keys.items()}

    def __contains__(self, role: str) -> bool:
        return role in self._keys

    def __repr__(self) -> str:
        return f"Keys({', '.join(self._keys)})"

    def of(self, role: str) -> str:
        """The key that opens ``role``. Raises :class:`KeyError`."""
        return self._keys[role]

    def opened_by(self, key: str, wanted: str) -> str | None:
        """The role that ``key`` opens: ``wanted``, or the virtual table's, which includes it; None
        if the key fits neither.
        """
        fitting = [
            role
            for role in (TABLE, wanted)
            if role in self._hashes and key_fits(key, self._hashes[role])
        ]
        return fitting[-1] if fitting else None

    def renew(self, role: str, key: str = "") -> None:
        """Replace the key of ``role`` by ``key``, or by a new key if that is empty. The old key
        becomes invalid.
        """
        self._keys[role] = key or new_key(self._world)
        self._hashes[role] = hash_key(self._keys[role])


class AddressLimit:
    """Counts wrong keys by address, in bounded memory, and forgives ``per_minute`` of them each
    minute. It never blocks the right key.
    """

    def __init__(
        self, per_minute: int, clock: Callable[[], float], max_addresses: int = 1024
    ) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._max_addresses = max_addresses
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def exceeded(self, address: str) -> bool:
        """Whether this address has sent too many wrong keys."""
        return self._level(network_of(address)) > self._per_minute - 1

    def note(self, address: str) -> None:
        """Count a wrong key from this address."""
        network = network_of(address)
        level = min(self._level(network) + 1, 2 * self._per_minute)
        self._spent[network] = (level, self._clock())
        self._spent.move_to_end(network)
        while len(self._spent) > self._max_addresses:
            self._spent.popitem(last=False)

    def _level(self, network: str) -> float:
        """How many wrong keys are not yet forgiven; they are forgiven evenly over time."""
        level, since = self._spent.get(network, (0.0, 0.0))
        return max(0.0, level - (self._clock() - since) * self._per_minute / 60)


def network_of(address: str) -> str:
    """The part of an address that counts as one client: of IPv6 the /64, because a host may own all
    of it.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or parsed.exploded[:19])
    return str(parsed)
