"""Checks whether a table's files and settings expose secrets, or let others change them."""

import os
import stat
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

from hub.config.mqtt import Mqtt
from hub.config.settings import Config
from hub.kernel.documents import Document
from hub.kernel.faults import Fault
from hub.kernel.reasons import Reason

_READ, _WRITE = stat.S_IROTH, stat.S_IWOTH


def exposed(document: Document, config: Config) -> list[Fault]:
    """Warnings: files with secrets that others can read, files that others can change, and a
    password sent over a network in plain text. The hub starts anyway."""
    here = Path(document.name)
    found = []
    read = [file for file in _secret(here, config) if _others_may(file, _READ)]
    if read:
        found.append(Fault((), Reason("others-read", files=_named(read))))
    changed = [file for file in {here: None, **_secret(here, config)} if _others_may(file, _WRITE)]
    if changed:
        found.append(Fault((), Reason("others-change", files=_named(changed))))
    named = ("password_file", "password_credential")
    key = next((each for each in named if getattr(config.mqtt, each)), "password")
    if _in_the_clear(config.mqtt):
        found.append(Fault(("mqtt", key), Reason("in-the-clear", host=config.mqtt.host)))
    return document.placed(found)


def _secret(here: Path, config: Config) -> dict[Path, None]:
    """The files that contain tags, NPCs or passwords, each once."""
    mqtt, files = config.mqtt, [*config.table.decks]
    if mqtt.password is not None and not (mqtt.password_file or mqtt.password_credential):
        files.append(here)
    if config.scene is not None:
        files.append(config.scene.file)
    if config.story is not None:
        files += [*config.story.characters, *config.story.reserve]
    if mqtt.password_file is not None:
        files.append(mqtt.password_file)
    if mqtt.tls is not None and mqtt.tls.key is not None:
        files.append(mqtt.tls.key)
    return dict.fromkeys(files)


def _others_may(file: Path, bit: int) -> bool:
    """Whether users other than the hub's may access the file. If another user owns the file, its
    group is assumed to be the hub's, and may."""
    with suppress(OSError):
        found = file.stat()
        own = found.st_uid == os.geteuid()
        return bool(found.st_mode & (bit | bit << 3 if own else bit))
    return False


def _named(files: list[Path]) -> list[Reason]:
    modes = {file: f"{stat.S_IMODE(file.stat().st_mode):o}" for file in files}
    return [Reason("file-mode", file=file.name, mode=mode) for file, mode in modes.items()]


def _in_the_clear(mqtt: Mqtt) -> bool:
    if not mqtt.enabled or mqtt.tls is not None or mqtt.password is None:
        return False
    try:
        return not ip_address(mqtt.host).is_loopback
    except ValueError:
        return mqtt.host.rstrip(".").lower() != "localhost"
