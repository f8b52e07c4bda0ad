"""``python -m hub.daemon.export_process JOB``: one of the console's downloads, on standard output.

Standard error has the progress (:class:`hub.daemon.progress.Far`), and the reason for a failure.
"""

import sys
from pathlib import Path

import msgspec

from hub.daemon.export_jobs import DeckJob, Job, PapersJob, RecapJob
from hub.daemon.progress import Far
from hub.kernel.faults import Faulty, one_line
from hub.ports import JournalError


class _Failed(Exception):
    """The reason why nothing was written."""


def main() -> None:
    """Do the job that the command line holds as JSON."""
    try:
        body = _written(msgspec.json.decode(sys.argv[1], type=Job))
    except (_Failed, Faulty, JournalError) as error:
        sys.exit(one_line(str(error).partition("\n")[0]))
    except OSError as error:
        sys.exit(error.strerror or "the system refuses it")
    except Exception as error:  # its text may name a card
        sys.exit(f"a fault of the program's own: {type(error).__name__}")
    sys.stdout.buffer.write(body)


def _written(job: Job) -> bytes:
    match job:
        case RecapJob():
            return _recap(job)
        case DeckJob():
            return _deck(job)
        case PapersJob():
            return _papers(job)


def _recap(job: RecapJob) -> bytes:
    from hub.journal import JournalRows
    from hub.recap.gather import WORK
    from hub.recap.page import evening_of
    from hub.table.state import HubMisuse
    from hub.wire.log import LogFault

    journal = Path(job.journal)
    with JournalRows.read(journal) as reader:
        of, done = reader.length() * WORK, 0

        def step(much: int) -> None:
            nonlocal done
            done += much
            sys.stderr.write(Far(done, of).line())
            sys.stderr.flush()

        try:
            return evening_of(journal, reader, job.theme, done=step)[1]
        except (LogFault, HubMisuse) as fault:
            raise _Failed(f"{journal}: cannot be told: {fault}") from None


def _deck(job: DeckJob) -> bytes:
    from hub.daemon.printouts import CannotPrint, DeckWish, cards_to_print

    wish = DeckWish(
        config=Path(job.config),
        theme=job.theme,
        paper=job.paper,
        layout=job.layout,
        locale=job.locale,
        starter=job.starter,
    )
    try:
        return cards_to_print(wish).pdf()
    except CannotPrint as error:
        raise _Failed(str(error)) from None


def _papers(job: PapersJob) -> bytes:
    from hub.daemon.printouts import CannotPrint, PapersWish, codes_of_running_hub, papers_to_print
    from hub.daemon.status import NotAnswered

    config = Path(job.config)
    try:
        address, keys = codes_of_running_hub(config) if job.keys else ("", [])
        wish = PapersWish(
            what=job.what,
            config=config,
            theme=job.theme,
            paper=job.paper,
            locale=job.locale,
            address=job.address or address,
            keys=keys,
        )
        return papers_to_print(wish).pdf
    except CannotPrint as error:
        raise _Failed(str(error)) from None
    except NotAnswered as error:
        raise _Failed(f"the hub does not tell its keys ({error.why})") from None


if __name__ == "__main__":
    main()
