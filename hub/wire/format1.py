"""The formats of version 0.1.0: log schema 1 and seal format 1, read into today's types.

A seal of format 1 is bound to table, scene, turn, phase and seat; not to its log, its actor, or its
origin. A line of schema 1 does not list the awaited actors. See ``docs/checking.md``.
"""

from typing import Any

from hub.table.records import ChanceSealed, Seal
from hub.table.sealed import Opening, framed_digest, from_page, from_reader, raw_nonce

_DOMAIN = b"facedown/seal/1"
_UNKNOWN_SINCE = frozenset({"origin", "awaited", "waits_for", "digests", "log"})
"""Fields that no line of schema 1 has."""


def seal_digest_1(table: str, event: Seal, opening: Opening) -> str:
    """The digest of seal format 1. Raises :class:`ValueError` if the nonce is not 32 bytes in
    hex."""
    return framed_digest(
        _DOMAIN,
        table.encode(),
        str(event.scene).encode(),
        str(event.turn).encode(),
        str(event.phase).encode(),
        b"" if isinstance(event, ChanceSealed) else event.seat.encode(),
        raw_nonce(opening),
        opening.choice.encode(),
    )


def today(event: dict[str, Any]) -> dict[str, Any]:
    """The event of a line of schema 1, converted to today's fields. Raises :class:`ValueError` for
    anything that schema 1 does not have."""
    if found := _UNKNOWN_SINCE & event.keys():
        raise ValueError(f"log schema 1 has no {min(found)}")
    kind = event.get("type")
    if kind == "log-begun":
        raise ValueError("log schema 1 has no log-begun")
    if kind == "committed":
        event = dict(event)
        seat = str(event.get("seat"))
        page = event.pop("page", False)
        if not isinstance(page, bool):
            raise ValueError("page must be true or false")
        event["origin"] = from_page(seat) if page else from_reader(seat)
    return event
