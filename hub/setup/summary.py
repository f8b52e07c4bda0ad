"""A short summary before a folder is written."""

from pathlib import Path

from hub.cards.deck import Deck
from hub.config.starter import GM_SEAT, Plan, files_of, starter_of
from hub.setup.words import text


def summary(folder: Path, plan: Plan, language: str) -> list[tuple[str, str]]:
    """Label → value, a line each; the lines of seats have no label."""

    def say(key: str, **places: object) -> str:
        return text(language, f"say.{key}", **places)

    title, _ = starter_of(plan.ruleset).told(plan.ruleset, language)
    seats, players = len(plan.seats), sum(each.name != GM_SEAT for each in plan.seats)
    lines = [
        (say("folder"), str(folder.absolute())),
        (text(language, "language.label"), text(language, f"language.{language}")),
        (say("book"), title),
        (say("seats"), say("n-seats", n=seats, players=players)),
    ]
    for seat in plan.seats:
        simulated = seat.reader.startswith("sim:")
        reader = say("simulated-reader") if simulated else seat.reader.partition(":")[2]
        who = ", ".join(sheet.name for sheet in seat.playing) or "GM"
        told = say("seat", seat=seat.name, who=who, reader=reader)
        lines.append(("", told))
    deck = files_of(plan)["deck.toml"]
    if isinstance(deck, Deck):
        cards = say("n-cards", n=len(deck.cards))
    else:
        cards = say("their-deck" if "=" in deck else "no-cards")
    lines.append((say("cards"), cards))
    broker = plan.broker
    lines.append((say("broker"), f"{broker.host}:{broker.port}" if broker else say("none")))
    pages = say("phones" if plan.phones else "only-here", port=plan.port)
    return [*lines, (say("pages"), pages)]
