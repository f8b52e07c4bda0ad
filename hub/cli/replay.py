"""``facedown replay`` and ``facedown log``: show a journal's events, without sealed cards."""

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.text import Text

from hub.cli.failing import NOT_SOUND, give_up
from hub.cli.language import Locale, spoken, written
from hub.cli.progress import Work, progress
from hub.games.registry import rulebooks, texts, words_of
from hub.games.telling import Words
from hub.journal import JournalRows
from hub.journal.chain import chained
from hub.kernel.faults import one_line
from hub.kernel.texts import Said, Texts, names, said
from hub.ports import JournalError
from hub.table import acts as r
from hub.table.state import Ended, HubMisuse, Phase, TableState
from hub.table.views import PublicView, public_view
from hub.wire.chronicle import followed, ruleset_told
from hub.wire.log import LogFault, decode_row
from hub.wire.played import opens, played

_MOST_DEEDS = 2 * r.MOST_EARLIER
"""How many of the newest deeds are remembered in case they are undone."""
_AT_ONCE, _OFTEN = 20, 500
"""The output is flushed after each of the first 20 records, then after every 500."""
_LAST_MS = 253_370_764_800_000  # the year 9999 begins

JournalPath = Annotated[Path, typer.Argument(metavar="JOURNAL", help="A table's journal.")]


def replay(
    journal: JournalPath,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON Lines.")] = False,
    until: Annotated[
        int | None, typer.Option(min=1, metavar="SEQ", help="Stop after this record.")
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all", help="Tell of every seal, those that were opened too, and of where undos stop."
        ),
    ] = False,
    locale: Locale = "",
) -> None:
    """Replay what happened at a table.

    It prints a line for each event, turn by turn, and then the state of the table; the result is
    the last line. Seals that were opened are listed only with --all. Everything is played again by
    the rules, so an inconsistent journal is found: exit status 1. The hub may go on running. Cards
    that were never revealed are not shown. The table's language is that of the hub.toml beside the
    journal.

    Examples:

      facedown replay kitchen.journal

      facedown replay kitchen.journal --until 40 --all

      facedown replay kitchen.journal --json | jq -r .story
    """
    console = Console(highlight=False, soft_wrap=True, markup=False)
    language = written if as_json else spoken
    tell = texts(language(locale, journal.with_name("hub.toml")))
    with JournalRows.read(journal) as reader, _work("replay", reader, until) as work:
        state = TableState(reader.table, rulebooks())
        deeds: deque[tuple[int, str]] = deque(maxlen=_MOST_DEEDS)
        sealed: list[Text] = []  # lines of seals, printed unless the seals are opened
        newest: r.Event | None = None  # the newest event that made a seal
        try:
            for before, record, state in _played(reader, until, work):
                words = words_of(ruleset_told(before, state))
                told = _told(record.event, words, tell)
                came = followed(before, record, state)
                each = (words.followed(one, record.event.cards()) for one in came)
                led_to = [" ".join(map(tell.sentence, one)) for one in each if one]
                led_to += (tell("told.undone", deeds=d) for d in _undone(deeds, record, told))
                if as_json:
                    sys.stdout.write(_json_line(record, told, led_to))
                    _let_go(record)
                    continue
                line = _shown(record, told, led_to)
                if record.event.awaits_reveal and not every:
                    sealed.append(line)
                    newest = record.event
                    continue
                if isinstance(record.event, r.StopMade) and not every:
                    continue
                waits = isinstance(record.event, r.Decided) and isinstance(newest, r.ChanceSealed)
                if not (waits or isinstance(record.event, r.Revealed)):
                    _print_all(console, sealed)
                # The last of several decisions opens the chance that was sealed before them.
                if not waits or (isinstance(record.event, r.Decided) and record.event.chance):
                    sealed.clear()
                if turn := _new_turn(before, state):
                    told = tell("standing.turn", number=turn)
                    _print_all(console, [Text(f"\n{'':8}{told}", style="bold")])
                _print_all(console, [line])
                _let_go(record)
            _print_all(console, sealed)
            view = public_view(state)
        except (LogFault, HubMisuse) as fault:
            give_up(f"{journal}: cannot be replayed: {fault}", status=NOT_SOUND)
    if as_json:
        sys.stdout.write(msgspec.json.encode({"state": view}).decode() + "\n")
    else:
        _print_state(console, state, view, tell)


def log(
    journal: JournalPath,
    open_seq: Annotated[
        int | None,
        typer.Option(
            "--open", min=1, metavar="SEQ", help="Open what lies secret beside this record."
        ),
    ] = None,
) -> None:
    """Print a table's event log as JSON Lines.

    You can give it to anyone: it holds nothing sealed, and anyone can check the hub with it. With
    --open the GM, the only one with the journal, shows the secret that a scene's start, a story's
    start, or a newcomer's line commits to; `facedown verify LOG --opened FILE` checks it against
    the log. That secret is public from then on. Cards are opened only by the reveal.

    Examples:

      facedown log kitchen.journal > kitchen.log

      facedown log kitchen.journal | facedown verify - --table kitchen

      facedown log kitchen.journal --open 3 > scene-1.opened
    """
    with JournalRows.read(journal) as reader, _work("log", reader, open_seq) as work:
        try:
            if open_seq is not None:
                sys.stdout.buffer.write(_opened(reader, open_seq, work) + b"\n")
                return
            for row in work.through(reader.rows()):
                sys.stdout.buffer.write(row.line + b"\n")
        except LogFault as fault:
            give_up(f"{journal}: {fault}", status=NOT_SOUND)


def _opened(reader: JournalRows, seq: int, work: Work) -> bytes:
    """The secret beside record ``seq``, in the format of ``verify --opened``. Raises
    :class:`JournalError` if there is none that may be opened, and :class:`LogFault`."""
    log_id = ""
    for row in work.through(chained(reader.rows())):
        record = decode_row(row)
        if isinstance(record.event, r.LogBegun):
            log_id = record.event.log
        if row.seq < seq:
            continue
        if row.secret is None or isinstance(record.event, r.SealMade):
            raise JournalError(f"{reader.path}: record {seq} has nothing that could be opened")
        if not opens(log_id, reader.table, row, record):
            raise JournalError(f"{reader.path}: what lies beside record {seq} was changed")
        return msgspec.json.encode({"opens": seq, "secret": msgspec.Raw(row.secret)})
    raise JournalError(f"{reader.path}: there is no record {seq}")


def _work(what: str, reader: JournalRows, until: int | None = None) -> AbstractContextManager[Work]:
    """Show the progress through the journal, up to record ``until`` (None: to its end), unless the
    output itself goes to a terminal."""
    length = reader.length()
    return progress(what, min(length, until or length), seen=sys.stdout.isatty())


def _played(
    reader: JournalRows, until: int | None, work: Work
) -> Iterator[tuple[TableState, r.Record, TableState]]:
    """Play the records up to ``until``; None: all. Yields the table's state before each record, the
    record, and the state after it."""
    rows = takewhile(lambda row: until is None or row.seq <= until, chained(reader.rows()))
    for before, _, record, state in played(work.through(rows), reader.table, rulebooks()):
        yield before, record, state


def _told(event: r.Event, words: Words, tell: Texts) -> str:
    sentences = map(tell.sentence, event.told(words))
    more = event.aside()
    return " ".join((*sentences, *([tell.told(more)] if more else [])))


def _json_line(record: r.Record, told: str, led_to: list[str]) -> str:
    fields = {
        "seq": record.seq,
        "at": moment(record.at_ms).isoformat(timespec="milliseconds"),
        "type": r.tag_of(record.event),
        "story": told,
        "consequences": led_to,
    }
    return msgspec.json.encode(fields).decode() + "\n"


def _shown(record: r.Record, told: str, led_to: list[str]) -> Text:
    at = moment(record.at_ms).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return Text.assemble(
        "\n" if isinstance(record.event, r.SceneStarted | r.StoryBegun) else "",
        (f"{record.seq:>6}  ", "dim"),
        (f"{at}  ", "cyan"),
        one_line(told),
        *((f"\n{'':29}→ {one_line(sentence)}", "bold") for sentence in led_to),
    )


def _undone(deeds: deque[tuple[int, str]], record: r.Record, told: str) -> list[str]:
    """Return the deeds that a record undoes, as they were told. ``deeds`` is kept up to date: the
    record is added if it is a deed, and those that it undoes are removed."""
    if record.event.is_deed:
        deeds.append((record.seq, told))
    if not isinstance(record.event, r.StoryUndone | r.SceneCalledOff):
        return []
    undone: list[str] = []
    while deeds and deeds[-1][0] > record.event.to_seq:
        undone.insert(0, deeds.pop()[1])
    return undone


def _print_all(console: Console, lines: list[Text]) -> None:
    """Print lines: in colour on a terminal, elsewhere as plain text, which is much faster."""
    for line in lines:
        if console.is_terminal:
            console.print(line)
        else:
            sys.stdout.write(line.plain + "\n")


def _let_go(record: r.Record) -> None:
    """Flush the output after each of the first records, and later only from time to time."""
    if record.seq <= _AT_ONCE or record.seq % _OFTEN == 0:
        sys.stdout.flush()


def _new_turn(before: TableState, after: TableState) -> int:
    """The number of the turn that a record begins; 0 if it begins none."""
    then, now = before.scene, after.scene
    if then is None or now is None or then.number != now.number:
        return 0
    turn = now.rules.turn(now.game)
    return turn if turn > then.rules.turn(then.game) else 0


def moment(at_ms: int) -> datetime:
    """A record's time (ms since the Unix epoch) as a date in UTC. A time outside the calendar
    becomes the nearest one in it."""
    return datetime.fromtimestamp(min(max(at_ms, 0), _LAST_MS) / 1000, UTC)


def _print_state(console: Console, state: TableState, view: PublicView, tell: Texts) -> None:
    console.print()
    phase = Said(f"standing.phase.{view.phase}")
    console.print(tell("standing.after", seq=view.seq, phase=phase), style="bold")
    for line in _standing(state):
        console.print(one_line(tell.sentence(line)))


def _standing(state: TableState) -> Iterator[Said]:
    """Yield the table's public state, line by line. Last comes the result: of the scene if it is
    over, of the newest one between scenes."""
    view = public_view(state)
    told: list[Said] = []
    if state.scene is not None and view.game is not None:
        words = words_of(state.scene.rules.ruleset)
        over = view.phase is Phase.OVER
        yield from _scene(view, Said("standing.step.over") if over else words.left(view.step))
        told = [*words.standing(view.game)]
        yield from told[:-1] if over else told
    if state.story is not None and view.story is not None:
        words = words_of(state.story.rules.ruleset)
        yield from words.story(view.story, between=view.game is None)
        for each in view.story.countdowns:
            full = ".full" if each.marked == each.boxes else ""
            places: dict[str, int | str] = {"name": each.name, "boxes": each.boxes}
            yield said(f"standing.countdown{full}", marked=each.marked, **places)
    if state.scene is None and state.ended:
        yield from _result(state.ended[-1])
    elif view.phase is Phase.OVER:
        yield from told[-1:]


def _scene(view: PublicView, step: Said) -> Iterator[Said]:
    titled = {"title": view.title} if view.title else {}
    key = "standing.scene" if view.title else "standing.scene.untitled"
    yield said(key, number=view.scene, turn=view.turn_number, step=step, **titled)
    if view.awaited:
        yield said("standing.awaited", names=names(view.awaited))
    if view.committed:
        yield said("standing.chosen", names=names(view.committed))


def _result(ended: Ended) -> Iterator[Said]:
    untitled = "" if ended.title else ".untitled"
    places: dict[str, int | str] = {"number": ended.number, "title": ended.title}
    if not ended.over:
        yield said(f"standing.closed{untitled}", **places)
        return
    told = [*words_of(ended.rules.ruleset).standing(ended.rules.view(ended.game))]
    yield from (said(f"standing.result{untitled}", result=each, **places) for each in told[-1:])
