"""``facedown init`` on a terminal: asks the questions of :mod:`hub.setup` one by one."""

import select
import sys
from collections.abc import Callable, Collection
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import typer

from hub.cards.deck import MAX_DECK_BYTES
from hub.games.files import MAX_SHEET_BYTES, open_named
from hub.kernel.reasons import Reason
from hub.readers.causes import ReaderReason, taker
from hub.readers.devices import serial_devices
from hub.setup.asking import step_of, steps_of
from hub.setup.broker import broker_answers
from hub.setup.draft import SIMULATED, Draft, Refused
from hub.setup.hearing import Asked, Heard, Hearing
from hub.setup.making import free_port, port_fault
from hub.setup.questions import Question, SetupReason, Step, text

_LOOK_S = 0.1
_KNOWN_S = 5.0
"""The time in which devices can show whether they are readers, in seconds."""
_ANYHOW = {True: ("y", "yes"), False: ("n", "no")}
"""Answers to yes-or-no questions that are accepted in every language, besides its own words."""


def file_text(path: Path, most: int) -> str:
    """Read a text file of at most ``most`` bytes. Raises :class:`Refused` if it is longer, cannot
    be read, or is not UTF-8."""
    try:
        with open_named(path) as file:
            content = file.read(most + 1)
    except OSError as error:
        why = SetupReason("file-unread", file=str(path), fault=str(error.strerror))
        raise Refused(why) from None
    if len(content) > most:
        raise Refused(SetupReason("file-too-long", file=str(path), most=most))
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Refused(SetupReason("not-text", file=str(path))) from None


def most_bytes(name: str) -> int:
    """The largest size, in bytes, of the file that answers the question ``name``."""
    return MAX_DECK_BYTES if name.startswith("deck") else MAX_SHEET_BYTES


class Talk:
    """Asks the questions of ``draft``, except those in ``said``, which options have answered."""

    def __init__(self, draft: Draft, said: Collection[str]) -> None:
        self._draft = draft
        self._said = {*said}
        self._stack = ExitStack()
        self._hearing: Hearing | None = None

    def ask(self) -> None:
        """Ask all open questions, step by step. Each is asked again until its answer is valid."""
        with self._stack:
            if not any(name.endswith(".reader") for name in self._said):
                self._listen()
            for index in range(len(steps_of(self._draft))):
                self._step(steps_of(self._draft)[index].id)

    def confirm(self, key: str, *, default: bool, **places: object) -> bool:
        """Ask the yes-or-no question with the text ``key``. An empty answer means ``default``;
        ``places`` fill in the text."""
        words = {it: self._text(f"say.{'yes' if it else 'no'}").split() for it in (True, False)}
        first = "/".join(w[0].upper() if it is default else w[0] for it, w in words.items())
        meant = {word: it for it, own in words.items() for word in (*own, *_ANYHOW[it])}
        answer = self._line(f"{self._text(key, **places)} [{first}]: ").lower()
        while answer not in meant:
            if not answer:
                return default
            answer = self._line(f"{SetupReason('yes-or-no').told(self._draft.language)}: ").lower()
        return meant[answer]

    # One step

    def _step(self, name: str) -> None:
        if self._open_ones(name):
            step = self._find(name)
            typer.secho(f"\n{step.title}", bold=True)
            typer.echo(f"  {step.about}")
            if name == "readers":
                self._readers()
            self._ask_all(lambda: self._open_ones(name))
        if name == "broker":
            self._try_broker()
        if name == "pages":
            self._try_port()

    def _find(self, name: str) -> Step:
        return step_of(self._draft, name)

    def _open_ones(self, name: str) -> list[Question]:
        return [
            each
            for each in self._find(name).questions
            if each.name not in self._said and (not each.minor or each.fault)
        ]

    def _ask_all(self, questions: Callable[[], list[Question]]) -> None:
        asked: set[str] = set()
        while left := [each.name for each in questions() if each.name not in asked]:
            self._ask(left[0])
            asked.add(left[0])

    def _question(self, name: str) -> Question:
        every = (each for step in steps_of(self._draft) for each in step.questions)
        return next(each for each in every if each.name == name)

    def _ask(self, name: str) -> None:
        while True:
            question = self._question(name)
            typer.echo()
            try:
                self._draft.answer(name, self._answer(question))
            except Refused as error:
                self._complain(error.reason.told(self._draft.language))
                continue
            after = self._question(name)
            if not after.fault:
                return
            self._complain(after.fault)

    def _answer(self, question: Question) -> object:
        match question.kind:
            case "yes":
                self._about(question)
                return self.confirm(question.label, default=bool(question.value))
            case "choice":
                return self._choose(question)
            case "file":
                self._about(question)
                given = self._line(f"{question.label}: ")
                if not given:
                    return self._draft.value(question.name)
                return file_text(Path(given).expanduser(), most_bytes(question.name))
            case "password":
                self._about(question)
                return typer.prompt(question.label, default="", show_default=False, hide_input=True)
            case _:
                self._about(question)
                shown = f" [{question.value}]" if question.value != "" else ""
                given = self._line(f"{question.label}{shown}: ")
                return given or question.value

    def _choose(self, question: Question) -> str:
        typer.echo(question.label)
        self._about(question)
        width = max(len(each.label) for each in question.options)
        for number, option in enumerate(question.options, start=1):
            typer.echo(f"  {number}  {option.label:<{width}}  {option.about}".rstrip())
        values = [each.value for each in question.options]
        at = values.index(str(question.value)) + 1 if question.value in values else 1
        given = self._line(f"{self._text('say.number')} [{at}]: ")
        if not given:
            return values[at - 1]
        if given.isdecimal() and 1 <= int(given) <= len(values):
            return values[int(given) - 1]
        labels = {each.label.casefold(): each.value for each in question.options}
        return labels.get(given.casefold(), given)

    def _about(self, question: Question) -> None:
        if question.about:
            typer.echo(f"  {question.about}")

    def _complain(self, words: str) -> None:
        typer.echo(f"  ! {words}")

    def _text(self, key: str, **places: object) -> str:
        return text(self._draft.language, key, **places) if "." in key and " " not in key else key

    @staticmethod
    def _line(prompt: str) -> str:
        typer.echo(prompt, nl=False)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    # Readers

    def _listen(self) -> None:
        if self._hearing is not None:
            self._hearing.__exit__()
        hearing = Hearing(serial_devices())
        self._hearing = hearing.__enter__()
        self._draft.devices = [each.address for each in hearing.all()]

    def _readers(self) -> None:
        self._stack.callback(self._close)
        while not (works := self._tell_devices()):
            if not self.confirm("say.look-again", default=False):
                self._said.update(self._draft.reader_keys())
                return
            self._listen()
        if not self.confirm("say.tell-apart", default=True, n=len(works)):
            return
        if self._hearing is not None:
            self._tell_apart(self._hearing, len(works))

    def _close(self) -> None:
        if self._hearing is not None:
            self._hearing.__exit__()
            self._hearing = None

    def _tell_devices(self) -> list[Heard]:
        hearing = self._hearing
        if hearing is None or not hearing.all():
            typer.echo(f"  {self._text('say.no-device')}")
            if by := taker():
                self._complain(ReaderReason("braille-takes", by=by).told(self._draft.language))
            return []
        patience = monotonic() + _KNOWN_S
        while monotonic() < patience and not all(each.answers for each in hearing.all()):
            hearing.wait(_LOOK_S)  # a slow device may still answer
        for each in hearing.all():
            name = each.address.removeprefix("pn532:")
            said = self._text("say.answers" if each.answers else "say.silent", device=name)
            typer.echo(f"  {said}" if each.answers or not each.why else f"  ! {self._why(each)}")
        return [each for each in hearing.all() if each.answers]

    def _tell_apart(self, hearing: Hearing, works: int) -> None:
        taken: dict[str, str] = {}
        for key, seat in self._draft.reader_keys().items():
            address = None
            if len(taken) < works:
                typer.echo(self._text("say.lay", seat=seat))
                address = self._hear(hearing, seat, taken)
            if address is not None:
                taken[address] = seat
                self._draft.answer(key, address)
                name = address.removeprefix("pn532:")
                typer.echo(f"  {self._text('say.heard', seat=seat, device=name)}")
            else:
                self._draft.answer(key, SIMULATED)
                typer.echo(f"  {self._text('say.simulated', seat=seat)}")
            self._said.add(key)

    def _hear(self, hearing: Hearing, seat: str, taken: dict[str, str]) -> str | None:
        """Wait for a card on a reader. Returns the reader's address, or None if the user presses
        Enter. ``taken``: the readers already found → their seats."""
        asked, told, down = Asked(seat, hearing.all()), None, _down(hearing)
        while not select.select([sys.stdin], [], [], _LOOK_S)[0]:
            address, why = asked.answer(hearing.all(), taken)
            if address is not None:
                return address
            if why is not None and why != told:
                self._complain(why.told(self._draft.language))
            told = why
            now = _down(hearing)
            for each in now.keys() - down.keys():
                self._complain(self._why(now[each]))
            down = now
        self._line("")
        return None

    def _why(self, heard: Heard) -> str:
        return heard.why.told(self._draft.language) if heard.why else ""

    # Trying the answers out

    def _try_broker(self) -> None:
        while (broker := self._draft.broker()) is not None:
            typer.echo(f"  {self._text('say.trying', host=broker.host, port=broker.port)}")
            why = broker_answers(broker)
            if why is None:
                typer.echo(f"  {self._text('say.broker-answers')}")
                return
            self._complain(why.told(self._draft.language))
            if not self.confirm("say.change", default=True):
                return
            self._ask_all(lambda: [*self._find("broker").questions])

    def _try_port(self) -> None:
        """Check the port. If it is taken and no option chose it, choose another one."""
        why = self.port_fault()
        if why is None:
            return
        self._complain(why.told(self._draft.language))
        if "port" not in self._said:
            self._draft.answer("port", free_port(int(self._draft.value("port"))))
            typer.echo(f"  {self._text('say.port', port=self._draft.value('port'))}")

    def port_fault(self) -> Reason | None:
        """Why the pages cannot be served at the chosen port; None if they can."""
        values = self._draft.values
        return port_fault(int(values["port"]), phones=bool(values["phones"]))


def _down(hearing: Hearing) -> dict[str, Heard]:
    return {each.address: each for each in hearing.all() if each.answers is False}
