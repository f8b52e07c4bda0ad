"""``facedown init``: makes the folder of a new table."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from hub.cli.failing import give_up
from hub.cli.init_talk import Talk, file_text, most_bytes
from hub.cli.language import spoken
from hub.config.starter import LEAST_SEATS, MOST_SEATS, Plan, rulesets
from hub.kernel.faults import Faulty
from hub.setup.draft import FILE, Draft, Refused
from hub.setup.making import folder_fault, lying_there, make, next_commands, summary
from hub.setup.questions import SetupReason, text


def init(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="This one, if left out."),
    ] = Path(),
    *,
    seats: Annotated[
        int | None,
        typer.Option(
            metavar=f"{LEAST_SEATS}-{MOST_SEATS}", help="Seats at the table, the GM's among them."
        ),
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(metavar="|".join(rulesets()), help="The book to play by.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A player's new character; once for each."),
    ] = None,
    character: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SAMPLE|FILE",
            help="A character that is there, for a player's seat; once for each.",
        ),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="What a player's seat is called, in their order."),
    ] = None,
    reader: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A seat's reader, in the seats' order: pn532:/dev/…"),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="The table's name in topics; the folder's if left out.")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="The evening's title, for the display between scenes.")
    ] = None,
    theme: Annotated[str | None, typer.Option(help="night, paper or baize.")] = None,
    deck: Annotated[
        str | None, typer.Option(metavar="new|none|FILE", help="The cards; a new deck if left out.")
    ] = None,
    broker: Annotated[
        str | None,
        typer.Option(metavar="none|here|HOST[:PORT]", help="The MQTT broker; here: mosquitto."),
    ] = None,
    broker_user: Annotated[str | None, typer.Option(help="The hub's user name there.")] = None,
    broker_password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its first line is the password there.")
    ] = None,
    broker_tls: Annotated[bool | None, typer.Option("--broker-tls", help="It speaks TLS.")] = None,
    broker_ca: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Whoever signed its certificate; so it speaks TLS."),
    ] = None,
    phones: Annotated[
        bool | None, typer.Option("--phones/--no-phones", help="Let phones open the pages.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port of the pages; 0: any free one.")] = None,
    language: Annotated[str | None, typer.Option(help="In which it asks: en or de.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing: defaults for the rest.")] = False,
    web: Annotated[bool, typer.Option("--web", help="Ask on a page in the browser.")] = False,
    lan: Annotated[
        bool, typer.Option("--lan", help="That page for phones, too, with a key.")
    ] = False,
) -> None:
    """Write a folder that is ready to play: configuration, deck and characters.

    On a terminal it asks for everything not given as an option, finds readers and helps to tell
    them apart. It never overwrites a file without asking.

    Examples:

      facedown init table

      facedown init table --seats 4 --ruleset unroll --yes

      facedown init table --seats 3 --ruleset iron-triangle --player Ada --player Bo --phones

      facedown init table --web

      facedown init table --broker 192.168.1.20 --broker-user hub --broker-password-file secret
    """
    if web or lan:
        _on_a_page(folder, language=spoken(language or ""), lan=lan, port=port)
        return
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not yes
    given = _Given(Draft(name=folder.absolute().name, language=spoken(language or "")))
    given.take("language", language, "--language")
    given.take("name", name, "--name")
    given.take("evening", title, "--title")
    given.take("theme", theme, "--theme")
    given.take("ruleset", ruleset, "--ruleset")
    given.seats(seats, player or [], character or [], seat or [], reader or [])
    given.deck(deck)
    given.broker(broker, broker_user, broker_password_file, broker_tls, broker_ca)
    given.take("phones", phones, "--phones")
    given.take("port", port, "--port")
    draft = given.checked()
    if fault := folder_fault(folder, str(draft.value("name"))):
        give_up(fault.told(draft.language))
    try:
        _write(folder, draft, Talk(draft, given.said) if asks else None, named=bool(player))
    except EOFError:
        give_up(text(draft.language, "say.nothing"))
    except (SystemExit, KeyboardInterrupt):  # Ctrl-C
        typer.echo(f"\n{text(draft.language, 'say.nothing')}", err=True)
        raise


def _write(folder: Path, draft: Draft, talk: Talk | None, *, named: bool) -> None:
    """Ask the open questions, write the folder, and print its contents and the commands to type
    next.

    ``talk``: asks on the terminal; None to ask nothing. ``named``: players were named by options.
    """
    if talk:
        talk.ask()
    language, plan = draft.language, draft.plan()
    if talk:
        _say_what_it_is(folder, plan, language, "say.summary")
    if fault := folder_fault(folder, plan.name):
        give_up(fault.told(language))
    files = ", ".join(map(str, lying_there(folder, plan)))
    if files and not talk:
        give_up(f"{files} would be written over; move what is there, or name another folder")
    question = ("say.over", False) if files else ("say.write", True)
    if talk and not talk.confirm(question[0], default=question[1], files=files):
        give_up(text(language, "say.nothing"))
    try:
        make(folder, plan)
    except Faulty as error:
        give_up(*str(error).split("\n"), text(language, "say.nothing"))
    except OSError as error:
        file = str(error.filename or folder)
        why = SetupReason("not-written", file=file, fault=str(error.strerror))
        give_up(why.told(language), text(language, "say.nothing"))
    if not talk:
        _say_what_it_is(folder, plan, language, "say.made")
        if not named:
            typer.echo(f"  {text(language, 'say.others')}")
    _say_what_follows(folder, plan, language)


def _say_what_it_is(folder: Path, plan: Plan, language: str, title: str) -> None:
    typer.echo(f"\n{text(language, title)}")
    lines = summary(folder, plan, language)
    width = max(len(what) for what, _ in lines)
    for what, how in lines:
        typer.echo(f"  {what:<{width}}  {how}")


def _on_a_page(folder: Path, *, language: str, lan: bool, port: int | None) -> None:
    from hub.daemon.ending import Ending
    from hub.setup.server import set_up

    with Ending() as ending:
        made = set_up(
            folder, ending, language=language, lan=lan, port=8080 if port is None else port
        )
    if made is None:
        give_up(text(language, "say.nothing"))
    _say_what_follows(folder, made.plan, made.language)


def _say_what_follows(folder: Path, plan: Plan, language: str) -> None:
    typer.echo(f"\n{text(language, 'say.done', folder=folder)}\n")
    for command, about in next_commands(folder, plan, language):
        typer.echo(f"  # {about}\n  {command}")
    typer.echo()


class _Given:
    """The answers given by options. All invalid answers are reported together, one a line."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.said: list[str] = []
        self._options: dict[str, str] = {}
        self._faults: list[str] = []

    def take(self, name: str, value: object, option: str) -> None:
        """Take an option's value as the answer to the question ``name``. None means that the option
        was not given."""
        if value is None:
            return
        self._options[name] = option
        self.said.append(name)
        try:
            self.draft.answer(name, value)
        except Refused as error:
            self._blame(option, error.reason.told(self.draft.language))

    def seats(
        self,
        seats: int | None,
        players: list[str],
        characters: list[str],
        names: list[str],
        readers: list[str],
    ) -> None:
        if seats is not None:
            if not LEAST_SEATS <= seats <= MOST_SEATS:
                self._blame(
                    "--seats",
                    f"{seats} seats: a table has {LEAST_SEATS} to {MOST_SEATS}, the GM's among "
                    "them",
                )
                return
            self.take("players", seats - 1, "--seats")
        named = len(characters) + len(players)
        if named > self.draft.players and (seats is not None or named >= MOST_SEATS):
            why = SetupReason("too-many-characters", count=named, players=self.draft.players)
            self._blame("--player", why.told(self.draft.language))
            return
        if named > self.draft.players:
            self.draft.answer("players", named)
        for index, given in enumerate(characters):
            self._character(f"player.{index}", given)
        for index, given in enumerate(players, start=len(characters)):
            self.take(f"player.{index}.character", "new", "--player")
            self.take(f"player.{index}.name", given, "--player")
        for index, given in enumerate(names[: self.draft.players]):
            self.take(f"player.{index}.seat", given, "--seat")
        if len(names) > self.draft.players:
            self._blame("--seat", f"{len(names)} names, but {self.draft.players} players")
        keys = [*self.draft.reader_keys()]
        if len(readers) > len(keys):
            self._blame("--reader", f"{len(readers)} readers, but {len(keys)} seats")
        for key, given in zip(keys, readers, strict=False):
            self.take(key, given, "--reader")

    def _character(self, key: str, given: str) -> None:
        if given in self.draft.samples():
            self.take(f"{key}.character", given, "--character")
            return
        self.take(f"{key}.character", FILE, "--character")
        self._file(f"{key}.text", Path(given), "--character")

    def deck(self, given: str | None) -> None:
        old = given not in (None, "new", "none")
        self.take("deck", "old" if old else given, "--deck")
        if old:
            self._file("deck.text", Path(str(given)), "--deck")

    def broker(
        self,
        where: str | None,
        user: str | None,
        password: Path | None,
        tls: bool | None,
        ca: Path | None,
    ) -> None:
        tls = tls or (True if ca else None)
        if where is None and (user or password or tls):
            where = "here"
        if where is not None and where not in ("none", "here"):
            host, colon, port = where.rpartition(":") if where.count(":") == 1 else (where, "", "")
            self.take("broker.host", host, "--broker")
            self.take("broker.port", port if colon else (8883 if tls else 1883), "--broker")
            where = "elsewhere"
        self.take("broker", where, "--broker")
        self.take("broker.tls", tls, "--broker-tls")
        self.take("broker.username", user, "--broker-user")
        if ca is not None:
            self._file("broker.ca.text", ca, "--broker-ca")
        if password is not None:
            self._file("broker.password", password, "--broker-password-file")
        if where is not None:
            self.said += ["broker.username", "broker.password", "broker.tls", "broker.ca.text"]

    def _file(self, name: str, path: Path, option: str) -> None:
        try:
            content = file_text(path, most_bytes(name))
        except Refused as error:
            self.said.append(name)
            self._blame(option, error.reason.told(self.draft.language))
            return
        if name == "broker.password":
            content = (content.splitlines() or [""])[0]
        self.take(name, content, option)

    def _blame(self, option: str, why: str) -> None:
        self._faults.append(f"{option}: {why}")

    def checked(self) -> Draft:
        if why := self._faults or [*self._of_the_draft()]:
            give_up(*why)
        return self.draft

    def _of_the_draft(self) -> Iterator[str]:
        """Yield a line for each fault of the draft, with the option that is most closely related to
        it."""
        near = {name.rpartition(".")[0]: option for name, option in self._options.items()}
        for name, fault in self.draft.faults().items():
            option = self._options.get(name) or near.get(name.rpartition(".")[0])
            why = fault.told(self.draft.language)
            yield f"{option}: {why}" if option else why
