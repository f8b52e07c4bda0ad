"""The contents of mosquitto's files: passwords, certificates and access rights.

Ref: mosquitto_passwd(1); mosquitto 2.0, lib/password_mosq.c: ``$7$ITERATIONS$SALT$HASH``, PBKDF2
with SHA-512 over 64 bytes, both in base64. mosquitto.conf(5), ``acl_file``: lines above the first
``user`` apply to clients without a name; ``deny`` takes precedence over lines that allow.
"""

import hmac
import re
import secrets
import ssl
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from hashlib import pbkdf2_hmac
from io import TextIOWrapper
from pathlib import Path

from hub.games.files import open_named
from hub.install.steps import File, Refused

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not mistaken for each other when a password is typed."""
_CHARS = 20
"""The length of a new password. With 31 letters and digits to choose from, it has 99 random
bits."""
_ITERATIONS = 1000
"""The rounds of PBKDF2. More add nothing to 99 random bits, and a Pi Zero computes them at each
connection."""
_MOST_ITERATIONS = 10_000_000
_SALT_BYTES, _HASH_BYTES = 12, 64
_KIND = "7"


def new_password() -> str:
    """A random password, easy to type, with 99 random bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CHARS))


def hashed(password: str) -> str:
    """The entry for a password in mosquitto's password file, without the user's name."""
    salt = secrets.token_bytes(_SALT_BYTES)
    made = pbkdf2_hmac("sha512", password.encode(), salt, _ITERATIONS, _HASH_BYTES)
    return f"${_KIND}${_ITERATIONS}${b64encode(salt).decode()}${b64encode(made).decode()}"


def fits(password: str, entry: str) -> bool:
    """Whether a password is that of an entry in mosquitto's password file; False for an entry of
    another form."""
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
    """The entries in the text of mosquitto's password file: user → entry."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {user: entry.strip() for user, colon, entry in pairs if colon}


def with_entries(text: str, new: Mapping[str, str]) -> str:
    """The text of the password file with the entries in ``new`` (user → entry) replaced or added;
    all other lines stay."""
    kept = [line for line in text.splitlines() if line.partition(":")[0] not in new]
    return "\n".join([*kept, *(f"{user}:{entry}" for user, entry in new.items()), ""])


CERT, KEY = "/etc/mosquitto/certs/facedown.pem", "/etc/mosquitto/certs/facedown.key"
_GROUP = "mosquitto"
_MOST_BYTES = 64 * 1024
_ANOTHERS = "KEY_VALUES_MISMATCH"
"""OpenSSL's reason for a key that belongs to another certificate."""


class _Asked(Exception):
    """Raised when OpenSSL asks for a key's pass phrase."""


def tls_files(given: tuple[Path, Path] | None) -> Iterator[File]:
    """Yield mosquitto's copies of a certificate and its key; none if ``given`` is None. Raises
    :class:`Refused` if mosquitto would not start with them."""
    if given is None:
        return
    contents = [_pem(given[0], "CERTIFICATE"), _pem(given[1], "PRIVATE KEY")]
    _check_pair(*given)
    for path, content in zip((CERT, KEY), contents, strict=True):
        yield File(path=path, content=content, mode=0o640, group=_GROUP, secret=True, shared=True)


def _pem(file: Path, what: str) -> str:
    try:
        with TextIOWrapper(open_named(file), encoding="ascii") as text:
            content = text.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Refused(f"{file}: {getattr(error, 'strerror', None) or 'is no PEM'}") from None
    if len(content) > _MOST_BYTES or not re.search(f"-----BEGIN [A-Z ]*{what}-----", content):
        raise Refused(f"{file}: has no {what.lower()} in PEM")
    return content


def _check_pair(cert: Path, key: Path) -> None:
    def phrase() -> str:
        raise _Asked

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, phrase)
    except _Asked:
        raise Refused(
            f"{key}: has a pass phrase, and nobody is there to type it when the broker starts; "
            f"one without: openssl pkey -in {key} -out KEY"
        ) from None
    except ssl.SSLError as error:
        if error.reason == _ANOTHERS:
            raise Refused(f"{key}: is the key of another certificate than {cert}") from None
        why = (error.reason or "cannot be read").lower().replace("_", " ")
        raise Refused(f"{cert} and {key}: OpenSSL cannot use them: {why}") from None
    except OSError as error:
        raise Refused(f"{cert} and {key}: {error.strerror}") from None


class Role(StrEnum):
    """The broker's users."""

    HUB = "hub"
    DISPLAY = "display"
    """A display reads what the whole table may see, and writes nothing."""
    DEVICE = "device"
    """A clock or a lamp reads what a display may, and reports its own state."""
    GM = "gm"
    """The GM reads everything and gives commands."""
    HOMEASSISTANT = "homeassistant"


ALWAYS = (Role.HUB, Role.DISPLAY, Role.DEVICE, Role.GM)

_PUBLIC = ("topic read facedown/#", "topic deny facedown/+/cmd", "topic deny facedown/+/reply/#")
"""The right to read what displays may. It leaves out commands and replies, because they include
NPCs' sheets."""

_TOPICS = {
    Role.HUB: (
        "topic readwrite facedown/#",
        "topic readwrite wled/#",
        "topic readwrite homeassistant/device/+/config",
        "topic read homeassistant/status",
        "topic readwrite homie/5/#",
    ),
    Role.DISPLAY: _PUBLIC,
    Role.DEVICE: (
        *_PUBLIC,
        "topic write facedown/+/clock/+/status",
        # WLED: kno.wled.ge/interfaces/mqtt
        "topic read wled/+",
        "topic read wled/+/api",
        "topic read wled/+/col",
        "topic write wled/+/status",
        "topic write wled/+/g",
        "topic write wled/+/c",
        "topic write wled/+/v",
        # ESPHome, with the topic prefix esphome/NAME
        "topic write esphome/+/status",
        "topic write esphome/+/debug",
    ),
    Role.GM: (
        "topic read facedown/#",
        "topic write facedown/+/cmd",
        "topic write facedown/+/clock/+/dim",
    ),
    Role.HOMEASSISTANT: (
        "topic read homeassistant/#",
        "topic write homeassistant/status",
        "topic read homie/#",
        "topic write facedown/+/clock/+/dim",
    ),
}

_HEAD = """\
# Who may do what at the tables of Facedown: written by `facedown provision`.
# A change of yours is kept: it then writes beside this file.
"""


def access_list(roles: Iterable[Role], *, anonymous: bool, commands: bool) -> str:
    """The text of the access rights (``acl_file``).

    ``anonymous``: clients without a name may read what displays may. ``commands``: Home Assistant
    may give the GM's commands.
    """
    blocks = [_HEAD]
    if anonymous:
        blocks.append("\n".join(("# Whoever gives no name:", *_PUBLIC, "")))
    for role in roles:
        lines = _TOPICS[role]
        if role is Role.HOMEASSISTANT:
            lines += _PUBLIC[:1] if commands else _PUBLIC
            lines += ("topic write facedown/+/cmd",) if commands else ()
        blocks.append("\n".join((f"user {role}", *lines, "")))
    return "\n".join(blocks)
