"""Builds the steps of the setup, with their questions, for a draft and in its language."""

import re
from collections.abc import Iterator

from hub.config.starter import GM_SEAT, rulesets, starter_of
from hub.games.sheets import sheets_of
from hub.kernel.reasons import Reason
from hub.setup.draft import FILE, NEW, NUMBERS, SIMULATED, Draft
from hub.setup.questions import Kind, Option, Question, Step, knows, text

_OF_A_PLAYER = re.compile(r"player\.(\d+)\.")
_MINOR = ("name", "player.seat", "port")


def steps_of(draft: Draft) -> list[Step]:
    """The steps with their questions, in the order in which they are asked."""
    faults = draft.faults()
    return [
        Step(
            id=step,
            title=text(draft.language, f"step.{step}.title"),
            about=text(draft.language, f"step.{step}.about"),
            questions=tuple(_question(draft, each, faults.get(each)) for each in names),
        )
        for step, names in _asked(draft)
    ]


def step_of(draft: Draft, step: str) -> Step:
    """The step with this id. Raises :class:`StopIteration` if there is none."""
    return next(each for each in steps_of(draft) if each.id == step)


def _asked(draft: Draft) -> Iterator[tuple[str, list[str]]]:
    values = draft.values
    yield "table", ["language", "evening", "theme", "name"]
    yield "rules", ["ruleset"]
    people = ["players"]
    for index in range(draft.players):
        key = f"player.{index}"
        chosen = draft.value(f"{key}.character")
        people.append(f"{key}.character")
        people += [f"{key}.name"] if chosen == NEW else []
        people += [f"{key}.text"] if chosen == FILE else []
        people.append(f"{key}.seat")
    yield "people", people
    yield "readers", [*draft.reader_keys()]
    yield "deck", ["deck", *(["deck.text"] if values["deck"] == "old" else [])]
    broker = ["broker"]
    if values["broker"] == "elsewhere":
        broker += ["broker.host", "broker.port", "broker.tls"]
        broker += ["broker.ca.text"] if values["broker.tls"] else []
    if values["broker"] != "none":
        broker += ["broker.username", "broker.password"]
    yield "broker", broker
    yield "pages", ["phones", "port"]


def _question(draft: Draft, name: str, fault: Reason | None) -> Question:
    language, value, kind = draft.language, draft.value(name), _kind(draft, name)
    generic = "reader.gm" if name == f"{GM_SEAT}.reader" else _OF_A_PLAYER.sub("player.", name)
    least, most = NUMBERS.get(name, (0, 0))
    places: dict[str, object] = {}
    if of_a_player := _OF_A_PLAYER.match(name):
        index = int(of_a_player[1])
        places = {
            "n": index + 1,
            "who": draft.names()[index],
            "seat": draft.value(f"player.{index}.seat"),
        }
    about = f"{generic}.about"
    return Question(
        name=name,
        kind=kind,
        label=text(language, f"{generic}.label", **places),
        about=text(language, about, **places) if knows(about) else "",
        value=bool(value) if kind in ("file", "password") else value,
        options=tuple(_labelled(draft, name)),
        least=least,
        most=most,
        minor=generic in _MINOR,
        fault=fault.told(language) if fault else "",
    )


def _kind(draft: Draft, name: str) -> Kind:
    if isinstance(draft.value(name), bool):
        return "yes"
    if name in NUMBERS:
        return "number"
    if name.endswith(".text"):
        return "file"
    if name == "broker.password":
        return "password"
    if name.endswith(".reader") or draft.options(name) is not None:
        return "choice"
    return "text"


def _labelled(draft: Draft, name: str) -> Iterator[Option]:
    language = draft.language
    if name.endswith(".reader"):
        yield Option(SIMULATED, text(language, "reader.sim"), text(language, "reader.sim.about"))
        own = str(draft.value(name))
        for address in dict.fromkeys([*draft.devices, *([own] if own != SIMULATED else [])]):
            yield Option(address, address.removeprefix("pn532:").rpartition("/")[2])
    elif name == "ruleset":
        for each in rulesets():
            title, about = starter_of(each).told(each, language)
            yield Option(each, title, about)
    elif name.endswith(".character"):
        yield Option(NEW, text(language, "character.new"), text(language, "character.new.about"))
        for each, sheet in draft.samples().items():
            level = sheets_of(draft.ruleset).summary(sheet).get("level", "")
            yield Option(each, sheet.name, text(language, "character.sample", level=level))
        yield Option(FILE, text(language, "character.file"))
    else:
        for each in draft.options(name) or ():
            about = f"{name}.{each}.about"
            said = text(language, about) if knows(about) else ""
            yield Option(each, text(language, f"{name}.{each}"), said)
