"""Sets a table's ``[mqtt]`` section, so that its hub reaches the broker of this machine.

Root does this with the rights of the folder's owner. The folder belongs to the hub, so root must
not follow a link that the hub might have created.
"""

import codecs
import os
import re
import tomllib
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from hub.games.files import open_named
from hub.install.carrying import write_whole
from hub.install.steps import Refused
from hub.kernel.documents import ENCODING

_MOST_BYTES = 64 * 1024
_SECTION = re.compile(r"\s*\[\s*mqtt\s*\]\s*(#.*)?$")
_HEADER = re.compile(r"\s*\[")
_SECRETS = ("password", "password_file")
_HERE = ("127.0.0.1", "::1", "localhost")


class Reach(Struct, frozen=True, forbid_unknown_fields=True):
    """How the hub reaches the broker. ``password_credential``: the name under which systemd hands
    the password to the hub."""

    host: str
    port: int
    username: str
    password_credential: str


class Became(StrEnum):
    """The result of setting the section in a table's file."""

    MISSING = "missing"
    SAME = "same"
    SET = "set"
    ELSEWHERE = "elsewhere"
    """The hub uses another broker or another user there, so the file stays as it is."""


def with_reach(text: str, reach: Reach) -> str | None:
    """Return the text of a configuration with the ``[mqtt]`` section set; None if it uses another
    broker.

    Raises :class:`ValueError` for a text that is no TOML, or that a program cannot edit.
    """
    before = tomllib.loads(text)
    mqtt = before.get("mqtt", {})
    if not isinstance(mqtt, dict):
        raise ValueError("mqtt is no section")
    if mqtt.get("enabled") is True and _by_tls(mqtt, reach):
        return text
    if mqtt.get("enabled") is True and not _ours(mqtt, reach):
        return None
    new: dict[str, Any] = {"enabled": True, **msgspec.structs.asdict(reach)}
    if "embedded" in mqtt:
        new["embedded"] = False
    gone = (*_SECRETS, "tls")
    wanted = {key: value for key, value in {**mqtt, **new}.items() if key not in gone}
    if wanted == mqtt:
        return text
    if "tls" in mqtt:
        raise ValueError("[mqtt.tls] is there; take it out, the broker of this machine needs none")
    made = _edited(text, new)
    if tomllib.loads(made) != {**before, "mqtt": wanted}:
        raise ValueError("its [mqtt] is written in a way that cannot be changed by a program")
    return made


def _by_tls(mqtt: dict[str, Any], reach: Reach) -> bool:
    """Whether the section already uses TLS with our user and password. Its host may be any name,
    because it has to be the name in the certificate."""
    same = all(mqtt.get(key) == getattr(reach, key) for key in ("username", "password_credential"))
    return same and isinstance(mqtt.get("tls"), dict)


def _ours(mqtt: dict[str, Any], reach: Reach) -> bool:
    if mqtt.get("embedded") is True:
        return True
    user = mqtt.get("username", "")
    return mqtt.get("host", _HERE[0]) in _HERE and user in ("", reach.username)


def _edited(text: str, new: dict[str, Any]) -> str:
    lines = text.splitlines()
    wanted = [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in new.items()]
    start = next((n for n, line in enumerate(lines) if _SECTION.match(line)), None)
    if start is None:
        return "\n".join([*lines, *([""] if lines else []), "[mqtt]", *wanted, ""])
    rest = range(start + 1, len(lines))
    end = next((n for n in rest if _HEADER.match(lines[n])), len(lines))
    ours = re.compile(rf"\s*({'|'.join((*new, *_SECRETS))})\s*=")
    kept = [line for line in lines[start + 1 : end] if not ours.match(line)]
    return "\n".join([*lines[: start + 1], *wanted, *kept, *lines[end:], ""])


def set_reach(file: Path, reach: Reach, *, dry: bool = False) -> Became:
    """Set the ``[mqtt]`` section in a configuration file; the old file is kept as
    ``FILE.facedown-old``. ``dry``: write nothing. Raises :class:`Refused`."""
    try:
        with TextIOWrapper(open_named(file), encoding=ENCODING) as there:
            text = there.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return Became.MISSING
    except (OSError, ValueError) as error:
        raise Refused(f"{file}: {getattr(error, 'strerror', None) or 'is no text'}") from None
    if len(text) > _MOST_BYTES:
        raise Refused(f"{file}: is too long")
    try:
        made = with_reach(text, reach)
    except ValueError as error:
        raise Refused(f"{file}: {error}") from None
    if made is None:
        return Became.ELSEWHERE
    if made == text:
        return Became.SAME
    if not dry:
        try:
            write_whole(file.with_name(file.name + ".facedown-old"), text.encode())
            write_whole(file, made.encode())
        except OSError as error:
            raise Refused(f"{file}: {error.strerror}; it is as it was") from None
    return Became.SET


def set_as_owner(file: Path, reach: Reach, *, dry: bool = False) -> Became:
    """Do as :func:`set_reach`, but with the rights of the folder's owner if this process runs as
    root."""
    folder = file.parent
    if not folder.is_dir():
        return Became.MISSING
    owner = folder.stat()
    if os.geteuid() or not owner.st_uid:
        return set_reach(file, reach, dry=dry)
    codecs.lookup(ENCODING)  # loaded from a folder that the owner may not be allowed to read
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        return set_reach(file, reach, dry=dry)
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)
