"""``facedown witness``: listens to a table, and records the heads of its log with times and
signatures."""

import asyncio
import os
import re
import secrets
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import msgspec
import typer
from msgspec import Struct

from hub.audit.witness import Statement, WitnessFault, read_statements, signed, statement_hash
from hub.cli.failing import give_up
from hub.games.files import read_named
from hub.kernel.faults import one_line
from hub.wire.log import GENESIS, LogFault, decode_line, line_hash
from hub.wire.payloads import lines_of
from hub.wire.topics import TopicFault, Topics

if TYPE_CHECKING:
    from hub.mqtt.settings import MqttSettings

_RETRY_S = 2.0
_SEED_BYTES = 32
_HASH = re.compile(r"[0-9a-f]{64}")


def witness(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's name.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="What was heard; added to.")],
    broker: Annotated[str, typer.Option(metavar="HOST[:PORT]", help="The broker.")] = "127.0.0.1",
    username: Annotated[str, typer.Option(help="At the broker.")] = "",
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The password, in a file's first line.")
    ] = None,
    ca: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TLS: who may sign its certificate.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The witness's key; made if there is none.")
    ] = None,
) -> None:
    """Witness a table: record the head of its log at each record, with a time and a signature.

    Anyone who may read at the broker can be a witness; a witness publishes nothing. Later
    `facedown verify LOG --witness FILE` checks a log against the file. The file is as trustworthy
    as its key is safe: keep FILE.key to yourself, and give the others the public key that is
    printed.

    Examples:

      facedown witness kitchen --out kitchen.heard

      facedown witness kitchen --out kitchen.heard --broker table.local:1883 --username guest
    """
    from hub.mqtt.settings import MqttSettings, MqttSettingsError, Tls, tls_context

    host, _, port = broker.rpartition(":") if ":" in broker else (broker, "", "8883" if ca else "")
    try:
        settings = MqttSettings(
            table=table,
            host=host,
            port=int(port or 1883),
            username=username,
            password=_first_line(password_file) if password_file else "",
            tls=Tls(ca=str(ca)) if ca else None,
            client_id=f"facedown-witness-{secrets.token_hex(3)}",
        )
        tls_context(settings.tls)
    except (MqttSettingsError, TopicFault, ValueError) as error:
        give_up(f"--broker {broker}: {error}")
    book = Book(out, key or out.with_name(f"{out.name}.key"), table)
    typer.echo(f"public key {book.key}")
    try:
        asyncio.run(_listen(settings, book))
    except KeyboardInterrupt:
        raise typer.Exit from None


class _Told(Struct):
    """The fields of the topic ``state`` that are about the log's last line."""

    table: str
    seq: int
    head: str
    log: str = ""


class Book:
    """A witness's file ``out``, to which signed statements are added. The file ``key`` holds the
    key that signs them."""

    def __init__(self, out: Path, key: Path, table: str) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        try:
            self._sign = Ed25519PrivateKey.from_private_bytes(_seed(key))
            self.key = self._sign.public_key().public_bytes_raw().hex()
            lines = read_named(out).splitlines() if out.exists() else []
            self._heads = {each.seq: each.head for each in read_statements(lines)}
            self._out = os.open(out, os.O_CREAT | os.O_APPEND | os.O_WRONLY | os.O_CLOEXEC, 0o644)
        except WitnessFault as fault:
            give_up(f"{out}: {fault}; name another file")
        except OSError as error:
            give_up(f"{error.filename}: cannot be used: {error.strerror}")
        self._table, self._log = table, ""
        self._before = statement_hash(lines[-1]) if lines else GENESIS

    def hear_state(self, payload: bytes) -> None:
        """Record the head in a message of the topic ``state``. Messages of other tables are
        ignored."""
        try:
            told = msgspec.json.decode(payload, type=_Told)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return
        if told.table != self._table or not _HASH.fullmatch(told.head):
            return
        if told.log != self._log:
            self._log = told.log if _HASH.fullmatch(told.log) else ""
        if told.seq:
            self._note(told.seq, told.head)

    def hear_event(self, payload: bytes) -> None:
        """Record the head at each log line in a message of the topic ``event``."""
        try:
            for data in lines_of(payload):
                line = decode_line(data)
                begun = getattr(line.event, "log", None)
                if isinstance(begun, str):
                    self._log = begun
                self._note(line.seq, line_hash(data))
        except (LogFault, msgspec.MsgspecError, UnicodeDecodeError) as fault:
            typer.echo(one_line(f"not a line of a log: {fault}"), err=True)

    def _note(self, seq: int, head: str) -> None:
        before = self._heads.get(seq)
        if before == head:
            return
        if before is not None:
            typer.echo(
                f"record {seq} was told with the head {before[:8]} before, and now with {head[:8]}",
                err=True,
            )
        self._heads[seq] = head
        heard = Statement(
            table=self._table,
            log=self._log,
            seq=seq,
            head=head,
            at_ms=time.time_ns() // 1_000_000,
            before=self._before,
            key=self.key,
        )
        line = signed(heard, self._sign.sign)
        os.write(self._out, line + b"\n")
        self._before = statement_hash(line)


async def _listen(settings: "MqttSettings", book: Book) -> NoReturn:
    from hub.mqtt.connection import connect
    from hub.mqtt.failures import ConnectionFailed
    from hub.mqtt.settings import tls_context

    tls = tls_context(settings.tls)
    topics, said = Topics(settings.table), ""
    while True:
        try:
            async with connect(settings, tls, None) as link:
                # Events first: those announced meanwhile are then at least in the state.
                for topic in (topics.event, topics.state):
                    if not await link.subscribe(topic, with_retained=topic == topics.state):
                        give_up(f"{settings.broker}: it lets nobody read {topic}")
                typer.echo(f"listening to {settings.table} at {settings.broker}")
                said = ""
                async for heard in link.received():
                    if heard.topic == topics.state:
                        book.hear_state(heard.payload)
                    else:
                        book.hear_event(heard.payload)
        except ConnectionFailed as failure:
            if str(failure) != said:
                typer.echo(one_line(f"{settings.broker}: {failure}; trying again"), err=True)
                said = str(failure)
            await asyncio.sleep(_RETRY_S)


def _seed(file: Path) -> bytes:
    """The 32 bytes of the witness's key, from ``file``, which is made if it is missing. A file
    without a key ends the command. Raises :class:`OSError`."""
    if not file.exists():
        _make_seed(file)
    try:
        seed = bytes.fromhex(read_named(file).decode("ascii").strip())
    except ValueError:
        seed = b""
    if len(seed) != _SEED_BYTES:
        give_up(f"{file}: this is no key of a witness")
    return seed


def _make_seed(file: Path) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{file.name[:64]}.", dir=file.parent)  # mode 0600
    new = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as key:
            key.write(f"{secrets.token_bytes(_SEED_BYTES).hex()}\n")
            key.flush()
            os.fsync(key.fileno())
        with suppress(FileExistsError):  # another process was faster
            os.link(new, file)
    finally:
        new.unlink(missing_ok=True)


def _first_line(file: Path) -> str:
    try:
        return read_named(file).decode().partition("\n")[0]
    except (OSError, ValueError) as error:
        give_up(f"{file}: cannot be read: {error}")
