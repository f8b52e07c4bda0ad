"""Passwords for the broker, and mosquitto's password file.

Ref: mosquitto_passwd(1); mosquitto 2.0, lib/password_mosq.c: ``$7$ITERATIONS$SALT$HASH``, PBKDF2
with SHA-512 over 64 bytes, both in base64.
"""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import pbkdf2_hmac

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters that are not mistaken for others when typed on a device."""
_CHARS = 20
"""Of 31 letters: 99 bits."""
_ITERATIONS = 1000
"""More add nothing to 99 random bits, and a Pi Zero computes them at each connection."""
_MOST_ITERATIONS = 10_000_000
_SALT_BYTES, _HASH_BYTES = 12, 64
_KIND = "7"


def new_password() -> str:
    """A random password."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CHARS))


def hashed(password: str) -> str:
    """The entry for mosquitto's file, without the name."""
    salt = secrets.token_bytes(_SALT_BYTES)
    made = pbkdf2_hmac("sha512", password.encode(), salt, _ITERATIONS, _HASH_BYTES)
    return f"${_KIND}${_ITERATIONS}${b64encode(salt).decode()}${b64encode(made).decode()}"


def fits(password: str, entry: str) -> bool:
    """Whether it is the password of such an entry; False for an entry of another form."""
    try:
        empty, kind, iterations, salt, made = entry.split("$")
        rounds, wanted = int(iterations), b64decode(made, validate=True)
        if empty or kind != _KIND or not 0 < rounds <= _MOST_ITERATIONS or not wanted:
            return False
        got = pbkdf2_hmac("sha512", password.encode(), b64decode(salt), rounds, len(wanted))
    except ValueError:
        return False
    return hmac.compare_digest(got, wanted)


def entries(text: str) -> dict[str, str]:
    """User → entry, from mosquitto's password file."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {user: entry.strip() for user, colon, entry in pairs if colon}


def with_entries(text: str, new: Mapping[str, str]) -> str:
    """The file with these users' entries replaced or added; all other lines unchanged."""
    kept = [line for line in text.splitlines() if line.partition(":")[0] not in new]
    return "\n".join([*kept, *(f"{user}:{entry}" for user, entry in new.items()), ""])
