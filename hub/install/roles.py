"""Access rights on the broker: mosquitto's access list.

Ref: mosquitto.conf(5), ``acl_file``. Lines above the first ``user`` apply to clients without a
name; ``deny`` takes precedence over lines that allow.
"""

from collections.abc import Iterable
from enum import StrEnum


class Role(StrEnum):
    """The broker's users."""

    HUB = "hub"
    DISPLAY = "display"
    """Reads what the whole table may see, and writes nothing."""
    DEVICE = "device"
    """Clocks and lamps: they read the same, and report their own state."""
    GM = "gm"
    """Reads everything and gives commands."""
    HOMEASSISTANT = "homeassistant"


ALWAYS = (Role.HUB, Role.DISPLAY, Role.DEVICE, Role.GM)

_PUBLIC = (
    "topic read facedown/#",
    "topic deny facedown/+/cmd",
    "topic deny facedown/+/reply/#",
)
"""Commands and replies are for the GM: they include NPCs' sheets."""

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
    """The file.

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
