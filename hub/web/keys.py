"""Roles and the keys that open them, and how many wrong ones are borne.

A key is 128 random bits in base64url, compared by its SHA-256: the bits are random, so nothing
slower is needed.
"""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

KEY_BYTES = 16
MAX_KEY_CHARS = 128

PUBLIC = ""
"""The role of whoever has shown no key."""
GM_PAGE = "gm"
TABLE = "table"
"""The virtual table's role: it may do what the GM and every seat may."""


def seat_role(seat: str) -> str:
    """The role of a seat's own player."""
    return f"seat:{seat}"


def seat_of(role: str) -> str | None:
    """The seat whose role it is; None if it is no seat's."""
    kind, _, seat = role.partition(":")
    return seat if kind == "seat" else None


def new_key() -> str:
    """A fresh key, to be shown to the person at the hub and not to be stored."""
    return secrets.token_urlsafe(KEY_BYTES)


def hash_key(key: str) -> str:
    """What is stored of a key: its SHA-256 in hex."""
    return sha256(key.encode(errors="surrogatepass")).hexdigest()


def key_fits(key: str, hashed: str) -> bool:
    """Whether ``key`` is the one, compared in constant time."""
    return len(key) <= MAX_KEY_CHARS and hmac.compare_digest(hash_key(key), hashed)


class Keys:
    """The keys of this start, one for each role; in clear in memory alone."""

    def __init__(self, roles: Iterable[str]) -> None:
        self._keys = {role: new_key() for role in roles}
        self._hashes = {role: hash_key(key) for role, key in self._keys.items()}

    def __contains__(self, role: str) -> bool:
        return role in self._keys

    def __repr__(self) -> str:
        return f"Keys({', '.join(self._keys)})"

    def of(self, role: str) -> str:
        """The key that opens ``role``. Raises :class:`KeyError`."""
        return self._keys[role]

    def opened_by(self, key: str, wanted: str) -> str | None:
        """The role that ``key`` gives to somebody who wants ``wanted``: that one, or the virtual
        table's, which opens all; None for a key that does not fit."""
        fitting = [
            role
            for role in (TABLE, wanted)
            if role in self._hashes and key_fits(key, self._hashes[role])
        ]
        return fitting[-1] if fitting else None

    def renew(self, role: str, key: str = "") -> None:
        """Make a new key for ``role``, or take this one; the old one opens nothing any more."""
        self._keys[role] = key or new_key()
        self._hashes[role] = hash_key(self._keys[role])


class AddressLimit:
    """Counts wrong keys by address, in a bounded memory. It holds up nobody with the right one."""

    def __init__(
        self, per_minute: int, clock: Callable[[], float], max_addresses: int = 1024
    ) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._max_addresses = max_addresses
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def exceeded(self, address: str) -> bool:
        """Whether so many wrong keys came from this address that nothing more is said of them."""
        return self._level(network_of(address)) > self._per_minute - 1

    def note(self, address: str) -> None:
        """Note a wrong key."""
        network = network_of(address)
        level = min(self._level(network) + 1, 2 * self._per_minute)
        self._spent[network] = (level, self._clock())
        self._spent.move_to_end(network)
        while len(self._spent) > self._max_addresses:
            self._spent.popitem(last=False)

    def _level(self, network: str) -> float:
        """Wrong keys not yet forgiven; they are forgiven evenly over time."""
        level, since = self._spent.get(network, (0.0, 0.0))
        return max(0.0, level - (self._clock() - since) * self._per_minute / 60)


def network_of(address: str) -> str:
    """What counts as one address: an IPv6 host has a whole /64 to call from."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or parsed.exploded[:19])
    return str(parsed)
