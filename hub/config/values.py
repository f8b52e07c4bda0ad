"""Types of configuration values with their limits, and passwords from files or from systemd."""

import os
import re
from collections.abc import Iterator
from io import TextIOWrapper
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from hub.games.files import kind_of, open_named
from hub.kernel.catalogues import languages
from hub.kernel.documents import ENCODING
from hub.kernel.documents.sections import Hook, must_be
from hub.kernel.reasons import Reason
from hub.table.sealed import Sealed

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to

Label = Annotated[
    str, must_be(Reason("a-host-label"), pattern=r"^([a-z0-9]([a-z0-9-]{0,56}[a-z0-9])?)?\Z")
]
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*\.?")

Name = Annotated[str, must_be(Reason("a-short-id"), pattern=r"^[a-z0-9-]{1,32}\Z")]
Actor = Annotated[str, must_be(Reason("a-name-of", most=64), pattern=r"^[^\x00-\x1f\x7f]{1,64}\Z")]
Title = Annotated[
    str,
    must_be(Reason("one-line-of", most=80), pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,80}\Z"),
]
Language = Annotated[str, must_be(Reason("one-line-of", most=16), max_length=16)]
FilePath = Annotated[Path, must_be(Reason("a-file-path"))]
Host = Annotated[str, must_be(Reason("a-host"), min_length=1)]
Port = Annotated[int, must_be(Reason("a-port"), ge=1, le=65535)]
Warnings = Annotated[
    tuple[Annotated[float, Meta(gt=0, le=3600)], ...],
    must_be(Reason("some-seconds", most=16), max_length=16),
]


def seconds(least: int, most: int) -> Meta:
    """The limits of a duration, ``least`` to ``most`` seconds."""
    return must_be(Reason("seconds-from", least=least, most=most), ge=least, le=most)


def started_from(file: Path) -> Hook:
    """A hook that reads a string as a path, starting from the folder of ``file``, or as a sealed
    text, as the type requires."""
    folder = file.absolute().parent

    def hook(kind: Any, given: Any) -> Any:
        if not isinstance(given, str) or not given or "\0" in given:
            raise ValueError
        return folder / given if kind is Path else Sealed(given)

    return hook


def missing(**files: Path | None) -> Iterator[tuple[str, Reason]]:
    """Yield the key of each file that is missing or not a regular file, and why."""
    for key, file in files.items():
        if file is None:
            continue
        called = ascii(str(file))
        try:
            kind = kind_of(file)
        except FileNotFoundError:
            yield key, Reason("no-file-there", file=called)
        except OSError as error:
            yield key, Reason("names-unread", file=called, fault=str(error.strerror))
        else:
            if kind is not None:
                yield key, Reason("names-no-file", file=called, kind=kind)


def bad_host(**hosts: str) -> Iterator[tuple[str, Reason]]:
    """Yield the key of each value that is neither an address nor a host name, and why."""
    for key, host in hosts.items():
        try:
            ip_address(host)
        except ValueError:
            if not _HOST.fullmatch(host) or host.replace(".", "").isdigit():
                yield key, Reason("no-host", value=ascii(host))


def bad_language(language: str) -> Iterator[tuple[str, Reason]]:
    """Yield a fault unless the language is available."""
    if language not in languages():
        yield "language", Reason("one-of-words", words=[f'"{each}"' for each in languages()])


def bad_proxy(proxy: str) -> Iterator[tuple[str, Reason]]:
    """Yield a fault unless ``proxy`` is an address or a network, and not all addresses."""
    try:
        network = ip_network(proxy)
    except ValueError:
        yield "proxies", Reason("no-network", value=ascii(proxy[:64]))
        return
    if network.prefixlen == 0:
        yield "proxies", Reason("everybody", value=ascii(proxy))


MAX_PASSWORD_CHARS = 1024

Credential = Annotated[
    str, must_be(Reason("a-credential"), pattern=r"^([A-Za-z0-9_-][A-Za-z0-9_.-]{0,63})?\Z")
]
"""The name of a credential from systemd (systemd.exec(5), Credentials); empty: none."""
CREDENTIALS = Path("/etc/facedown/credentials")
"""The folder from which systemd takes credentials; it has a folder for each table."""


def credential_file(name: str, table: str) -> Path:
    """The file of a systemd credential: in a service the copy that systemd hands over, else its
    source for the ``table``.

    Ref: systemd.exec(5), ``LoadCredential=``.
    """
    handed_in = os.environ.get("CREDENTIALS_DIRECTORY", "")
    return (Path(handed_in) if handed_in else CREDENTIALS / table) / name


def read_password(file: Path) -> Sealed[str] | None:
    """The first line of a file, sealed; None if the file cannot be read, or the line is empty or
    too long."""
    try:
        with TextIOWrapper(open_named(file), encoding=ENCODING) as lines:
            password = lines.readline(MAX_PASSWORD_CHARS + 3).rstrip("\r\n")
    except (OSError, ValueError):
        return None
    return Sealed(password) if 0 < len(password) <= MAX_PASSWORD_CHARS else None
