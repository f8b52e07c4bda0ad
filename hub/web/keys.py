"""The key to the virtual table, the sessions it opens, and patience with wrong keys.

A key is 128 random bits in base64url. Only its SHA-256 is kept: the bits are random, so nothing
slower is needed.
"""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

KEY_BYTES = 16
MAX_KEY_CHARS = 128
_SESSION_BYTES = 32


def new_key() -> str:
    """A fresh key, to be shown to the person at the hub and not to be stored."""
    return secrets.token_urlsafe(KEY_BYTES)


def hash_key(key: str) -> str:
    """What is stored of a key: its SHA-256 in hex."""
    return sha256(key.encode(errors="surrogatepass")).hexdigest()


def key_fits(key: str, hashed: str) -> bool:
    """Whether ``key`` is the one, compared in constant time."""
    return len(key) <= MAX_KEY_CHARS and hmac.compare_digest(hash_key(key), hashed)


class Sessions:
    """Browsers that have shown the key: hashed ids, bounded, each with its end."""

    def __init__(self, lifetime_s: float, clock: Callable[[], float], limit: int = 64) -> None:
        self._lifetime_s = lifetime_s
        self._clock = clock
        self._limit = limit
        self._ends: OrderedDict[str, float] = OrderedDict()

    def open(self) -> str:
        """A new session's id; the oldest session makes room for it if there are too many."""
        session = secrets.token_urlsafe(_SESSION_BYTES)
        self._ends[hash_key(session)] = self._clock() + self._lifetime_s
        while len(self._ends) > self._limit:
            self._ends.popitem(last=False)
        return session

    def knows(self, session: str) -> bool:
        """Whether this session is open."""
        if len(session) > MAX_KEY_CHARS:
            return False
        hashed = hash_key(session)
        end = self._ends.get(hashed)
        if end is None:
            return False
        if self._clock() >= end:
            del self._ends[hashed]
            return False
        return True


class Patience:
    """So many wrong keys a minute from one address, then none for a while; a bounded memory."""

    def __init__(
        self, per_minute: int, clock: Callable[[], float], max_addresses: int = 1024
    ) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._max_addresses = max_addresses
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def lost_with(self, address: str) -> bool:
        """Whether this address has to wait before it may try a key again."""
        return self._level(_network(address)) > self._per_minute - 1

    def wrong(self, address: str) -> None:
        """Note a wrong key."""
        network = _network(address)
        self._spent[network] = (self._level(network) + 1, self._clock())
        self._spent.move_to_end(network)
        while len(self._spent) > self._max_addresses:
            self._spent.popitem(last=False)

    def _level(self, network: str) -> float:
        """Wrong keys not yet forgiven; they are forgiven evenly over time."""
        level, since = self._spent.get(network, (0.0, 0.0))
        return max(0.0, level - (self._clock() - since) * self._per_minute / 60)


def _network(address: str) -> str:
    """IPv6 hosts have a whole /64 to call from."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return parsed.exploded[:19]
    return str(parsed)
