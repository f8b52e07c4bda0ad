"""Runs guides as written: every fenced block of a page, from top to bottom, in one shell.

A block's info string says how it is run:

``sh``             commands to type, one a line. Each has to succeed; its output is not checked.
                   ``# words`` is done by hand, as in a dialogue.
``sh lasting``     one command that keeps running until the guide ends.
``console``        a dialogue. ``$ words`` is typed at the shell's prompt, ``> words`` is typed at a
                   question (``>`` alone: Enter), ``# words`` is done by hand, and any other line
                   is expected output: in this order, with ``…`` for any text.
``toml FILE`` (or any other word with a file's name)  the contents to write into that file.
``text``           an illustration; nothing is done.

``sudo``, ``git``, ``apt`` and ``make`` are stand-ins that check their arguments and change nothing.
Readers are PN532 chips on ptys, found through ``FACEDOWN_SERIAL``. A Facedown command that a page
mentions only in a sentence, as `` `facedown log` ``, has to be run in one of its blocks.
"""

import os
import re
import shlex
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import pexpect

from hub.readers.devices import SERIAL
from hub.sim.readers import SimulatedReader

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "docs" / "build"
BIN = Path(sys.executable).parent
SECONDS = 90
_PROMPT = "guide$ "
_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```$", re.M | re.S
)

_MENTIONED = re.compile(r"(?<!`)`(facedown [a-z-]+)[^`\n]*`(?!`)")
_RUN = re.compile(r"(?:^|[\s;&|/])(facedown [a-z-]+)")
_STAND_IN = """\
#!/bin/sh
set -eu
name=$(basename "$0")
case "$name $*" in
  "sudo apt install "*|"sudo apt-get install "*) exit 0 ;;
  "sudo apt update"|"sudo apt-get update"|"sudo reboot"|"sudo raspi-config "*) exit 0 ;;
  "sudo usermod -aG dialout "*) getent group dialout >/dev/null ;;
  "sudo systemctl "*) exit 0 ;;
  "git clone "*) mkdir -p facedown ;;
  "make setup"|"make demo"*) mkdir -p .venv && ln -sfn "$GUIDE_BIN" .venv/bin ;;
  *) echo "$name: nobody has said what the guide's '$name $*' does" >&2; exit 97 ;;
esac
"""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    kind: str
    words: str
    """The rest of the info string."""
    text: str


@dataclass
class Walk:
    """A person following a guide, with a folder of their own, a shell and readers.

    ``readers``: names below ``/dev/serial/by-id``. ``hands``: the action behind each ``# words``;
    called with this walk.
    """

    folder: Path
    readers: tuple[str, ...] = ()
    hands: Mapping[str, Callable[["Walk"], None]] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self.ran: list[str] = []
        self.said: dict[str, str] = {}
        self.home, serial, stand_ins = (self.folder / n for n in ("home", "serial", "stand-ins"))
        for each in (self.home, serial / "by-id", stand_ins):
            each.mkdir(parents=True)
        for name in ("sudo", "git", "make", "apt"):
            script = stand_ins / name
            script.write_text(_STAND_IN, encoding="utf-8")
            script.chmod(script.stat().st_mode | stat.S_IXUSR)
        self.fields = {
            name: self._stack.enter_context(
                SimulatedReader(name, serial / "by-id", time_scale=0, misses=0)
            )
            for name in self.readers
        }
        self._env = {
            **os.environ,
            **self.env,
            SERIAL: str(serial),
            "PATH": f"{stand_ins}:{BIN}:{os.environ['PATH']}",
            "GUIDE_BIN": str(BIN),
            "HOME": str(self.home),
            "USER": "pi",
            "PS1": _PROMPT,
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
            "COLUMNS": "100",
        }
        self.shell = self._shell()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _shell(self) -> "pexpect.spawn[str]":
        """A shell on a terminal; it ends with everything that it has started."""
        shell = pexpect.spawn(
            "bash", ["--norc", "--noprofile", "--noediting"], cwd=self.home, env=self._env,
            encoding="utf-8", timeout=SECONDS, dimensions=(50, 100), echo=False,
            # at Ctrl-C a terminal drops pending output, even half a character
            codec_errors="replace",
        )  # fmt: skip
        self._stack.callback(_end, shell)
        shell.expect_exact(_PROMPT)
        return shell

    def follow(self, page: Path) -> None:
        """Do everything that the page says. Raises :class:`AssertionError` with page and line."""
        text = page.read_text(encoding="utf-8")
        for block in blocks(text):
            try:
                self.do(block)
            except (pexpect.ExceptionPexpect, AssertionError, KeyError) as error:
                seen = self.shell.before or ""
                told = str(error).partition("\n")[0]
                raise AssertionError(
                    f"{page.name}:{block.line}: {told}\n{block.text}\n--- the terminal said:\n"
                    f"{seen if isinstance(seen, str) else ''}"
                ) from error
        left = mentioned(text) - {name for each in self.ran for name in _RUN.findall(each)}
        assert not left, f"{page.name} names commands that none of its blocks runs: {sorted(left)}"

    def do(self, block: Block) -> None:
        """Do what one block says."""
        match block.kind:
            case "sh" if block.words == "lasting":
                self.last(block.text.strip())
            case "sh":
                for command in commands(block.text):
                    if command.startswith("# "):
                        self._by_hand(command[2:])
                    else:
                        self.said[command] = self.run(command)
            case "console":
                self._talk(block.text)
            case "text":
                pass
            case _ if block.words:
                file = self.here() / block.words
                file.write_text(block.text, encoding="utf-8")
            case _:
                raise AssertionError(f"a block of {block.kind or 'nothing'}: see tests/support")

    def _by_hand(self, words: str) -> None:
        if words not in self.hands:
            raise AssertionError(f"nobody has said what hands do: {words}")
        self.hands[words](self)

    def here(self) -> Path:
        """The shell's current folder."""
        return Path(self.run("pwd", told=False).strip())

    def run(self, command: str, *, told: bool = True) -> str:
        """Type a command, wait until it has succeeded, and return its output."""
        self._type(command, told=told)
        self.shell.expect_exact(_PROMPT)
        said = str(self.shell.before)
        self.shell.sendline("echo status=$?")
        self.shell.expect(r"status=(\d+)\r\n")
        status = self.shell.match.group(1)  # type: ignore[union-attr]
        self.shell.expect_exact(_PROMPT)
        assert status == "0", f"`{command}` ended with status {status}: {said}"
        return said

    def last(self, command: str) -> None:
        """Type a command that keeps running, and go on in another shell in the same folder."""
        here = self.here()
        self._type(command)
        self.lasting = self.shell
        self.shell = self._shell()
        self.run(f"cd {shlex.quote(str(here))}", told=False)

    def _type(self, command: str, *, told: bool = True) -> None:
        if told:
            self.ran.append(command)
        self.shell.sendline(command)

    def _talk(self, text: str) -> None:
        at_prompt = True
        for line in text.splitlines():
            sign, _, words = line.partition(" ")
            if sign == "$":
                if not at_prompt:
                    self.shell.expect_exact(_PROMPT)
                self._type(words)
                at_prompt = False
            elif sign == ">":
                self.shell.sendline(words)
            elif sign == "#":
                self._by_hand(words)
            elif line.strip() not in ("", "…"):
                self.shell.expect(shown(line))
        if not at_prompt:
            self.shell.expect_exact(_PROMPT)


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, from top to bottom."""
    for found in _FENCE.finditer(text):
        kind, _, words = found["info"].strip().partition(" ")
        body = re.sub(rf"^{found['indent']}", "", found["body"], flags=re.M)
        yield Block(text.count("\n", 0, found.start()) + 1, kind, words.strip(), body)


def commands(text: str) -> Iterator[str]:
    """Each command of an ``sh`` block; continued lines are joined."""
    joined = text.replace("\\\n", " ")
    yield from filter(None, map(str.strip, joined.splitlines()))


def mentioned(text: str) -> set[str]:
    """The Facedown commands that a page names in its sentences."""
    return set(_MENTIONED.findall(_FENCE.sub("", text)))


def shown(line: str) -> str:
    """The pattern of a page's line in a terminal: any spaces, ``…`` for anything."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in line.strip().split("…")]
    return r"[^\n]*?".join(parts)


def _end(shell: "pexpect.spawn[str]") -> None:
    """End a shell and what runs in it; first by Ctrl-C, as a person would."""
    if shell.isalive():
        shell.sendintr()
        shell.sendeof()
        deadline = time.monotonic() + 3
        while shell.isalive() and time.monotonic() < deadline:
            try:
                shell.read_nonblocking(4096, timeout=0.1)
            except pexpect.TIMEOUT:
                shell.sendeof()
            except pexpect.EOF:
                break
    shell.close(force=True)
