"""Checks a certificate and its key before they are given to a broker."""

import re
import ssl
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path

from hub.games.files import open_named
from hub.install.steps import File, Refused

CERT, KEY = "/etc/mosquitto/certs/facedown.pem", "/etc/mosquitto/certs/facedown.key"
_GROUP = "mosquitto"
_MOST_BYTES = 64 * 1024
_ANOTHERS = "KEY_VALUES_MISMATCH"
"""OpenSSL's reason for a key that belongs to another certificate."""


class _Asked(Exception):
    """OpenSSL asked for the pass phrase of a key."""


def tls_files(given: tuple[Path, Path] | None) -> Iterator[File]:
    """Copies for mosquitto.

    Raises :class:`Refused` for unsuitable files, or two that do not belong together: mosquitto
    would not start with them.
    """
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
