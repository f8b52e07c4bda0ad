"""Checks the MQTT messages that a page of the docs shows against messages that were received.

A page writes ``…`` for what it leaves out; all else must match exactly.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.support.subscriber import Heard

CONNECT = Path(__file__).parents[2] / "docs" / "connect"
_MQTT = ("mqtt", "home-assistant", "homie", "broker", "commands")
_TOPIC = re.compile(r"(?:facedown|homeassistant|homie)/\S+")
_ROW = re.compile(r"^\| `(facedown/T/[^`]+)`")
_SPAN = re.compile(r"`(\{[^`]+\})`")
_GIVEN = re.compile(r"-t (\S+).*-m '(\{.*\})'", re.DOTALL)


def _fenced(page: str) -> Iterator[tuple[str, str]]:
    """The messages in code blocks: a topic and its payload, or a command that publishes one."""
    for block in re.findall(r"^```\w*\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", "").splitlines():
            topic, _, payload = line.partition(" ")
            if _TOPIC.fullmatch(topic) and payload:
                yield topic, payload
            elif given := _GIVEN.search(line):
                yield given[1], given[2]


def mqtt_pages() -> str:
    """The pages about MQTT, one after the other."""
    return "".join((CONNECT / f"{each}.md").read_text(encoding="utf-8") for each in _MQTT)


def messages(page: str) -> list[tuple[str, str]]:
    """Topic and payload of each message that the page shows.

    The topic is empty for a document in a sentence, which may be part of a message.
    """
    found = list(_fenced(page))
    for line in page.splitlines():
        row = _ROW.match(line)
        found += [(row[1] if row else "", span) for span in _SPAN.findall(line)]
    return found


def _pattern(shown: str) -> re.Pattern[str]:
    """A pattern in which ``…`` stands for any text.

    If ``…`` stands for whole keys or elements there may be none, so its comma is optional, too.
    """
    parts = re.sub(r",?…,?", "…", shown).split("…")
    return re.compile(".*".join(map(re.escape, parts)), re.DOTALL)


def _topic_pattern(topic: str) -> re.Pattern[str]:
    names = re.sub(r"(?<=/)[TSCN](?=/|$)", "…", topic.replace("/demo/", "/…/"))
    return re.compile(re.escape(names).replace("…", "[^/]+"))


def _compact(payload: bytes) -> str:
    try:
        return json.dumps(json.loads(payload), separators=(",", ":"), ensure_ascii=False)
    except ValueError:
        return payload.decode()


def unsaid(page: str, heard: Iterable[Heard]) -> list[str]:
    """The messages of the page that were never published."""
    said = {(each.topic, _compact(each.payload)) for each in heard}
    return [
        f"{topic} {shown}".strip()
        for topic, shown in messages(page)
        if not any(
            _pattern(shown).fullmatch(payload)
            if topic and _topic_pattern(topic).fullmatch(at)
            else not topic and _pattern(shown).search(payload)
            for at, payload in said
        )
    ]
