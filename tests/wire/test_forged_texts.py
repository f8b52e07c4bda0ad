"""Every text of a log keeps to the bounds of the command that made it.

ESC, BEL, line breaks and overlong texts are found in any event and field.
"""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect as shape
from msgspec.structs import replace

from hub.audit import Audit
from hub.audit.texts import BOUNDS, bound_of, names_of
from hub.audit.verify import verify_log
from hub.games.game import GM, SetupError
from hub.games.registry import rulebooks
from hub.kernel.bounds import Bound
from hub.table import acts as i
from hub.table import acts as r
from hub.table.state import SeatFault
from hub.wire.log import Line
from tests.rules.cast import starting
from tests.rules.tricube.test_verified import EVENING
from tests.support.evening import Evening
from tests.support.specialtalk import log_of

BOOKS = rulebooks()
FORGED = ("a\x1b[2Jb", "a\x07", "a\nb", "a\u202eb")
Path = tuple[str | int, ...]


def texts(kind: Any, at: str, seen: frozenset[type] = frozenset()) -> Iterator[str]:
    """The places of texts in a type."""
    match kind:
        case shape.StrType() | shape.AnyType():
            yield at
        case shape.DictType(key_type=key, value_type=value):
            yield from texts(key, at + "{key}", seen)
            yield from texts(value, at + "{}", seen)
        case shape.ListType(item_type=item) | shape.VarTupleType(item_type=item):
            yield from texts(item, at + "[]", seen)
        case shape.UnionType(types=kinds):
            for each in kinds:
                yield from texts(each, at, seen)
        case shape.StructType(cls=cls, fields=fields) if cls not in seen:
            for field in fields:
                yield from texts(field.type, f"{at}.{field.encode_name}", seen | {cls})
        case shape.Metadata(type=inner):
            yield from texts(inner, at, seen)


EVENTS = {kind.__struct_config__.tag: kind for kind in r.EVENTS}
BY_RULES = ("story-told.deed", "overruled.holds")
"""Checked by the types of deeds and overrules: see below."""
PLACES = sorted(
    place
    for tag, kind in EVENTS.items()
    for place in texts(shape.type_info(kind), tag)
    if not place.startswith(BY_RULES)
)


def test_every_text_of_every_event_has_a_bound() -> None:
    assert len(PLACES) > 70
    assert [place for place in PLACES if bound_of(place) is None] == []


def test_every_bound_belongs_to_an_existing_text() -> None:
    assert {*BOUNDS} <= {name for place in PLACES for name in names_of(place)}


# A line with one text in each place


def text_for(bound: Bound) -> str:
    """A text within a bound."""
    able = ("ada", "ab" * 32, "reader:ada", "move attack-high")
    return next(text for text in able if bound.holds(text))


def sample(kind: Any, at: str, place: str, text: str) -> Any:
    """A value of a type; with ``text`` at ``place``."""
    match kind:
        case shape.StrType() | shape.AnyType():
            if at == place:
                return text
            bound = bound_of(at)
            return (
                "move attack-high" if at.endswith("choice") else text_for(bound) if bound else "x"
            )
        case shape.DictType(key_type=key, value_type=value):
            name = sample(key, at + "{key}", place, text)
            return {name: sample(value, at + "{}", place, text)}
        case shape.ListType(item_type=item) | shape.VarTupleType(item_type=item):
            return [sample(item, at + "[]", place, text)]
        case shape.UnionType(types=kinds):
            (first, *_) = [each for each in kinds if not isinstance(each, shape.NoneType)]
            return sample(first, at, place, text)
        case shape.FloatType():
            return 5.0
        case shape.StructType(fields=fields):
            return {
                field.encode_name: sample(field.type, f"{at}.{field.encode_name}", place, text)
                for field in fields
            }
        case shape.Metadata(type=inner):
            return sample(inner, at, place, text)
        case shape.EnumType(cls=cls):
            return next(iter(cls)).value
        case shape.BoolType():
            return True
    return 5


def heard(event: r.Event) -> list[str]:
    """The problems with the event's texts, as one line among others."""
    audit = Audit("test", whole=False, games=BOOKS.games, stories=BOOKS.stories)
    audit.hear(1, Line(1, 1, "00" * 32, event))
    return [each for each in audit.problems if "none that a hub takes" in each]


def event_with(place: str, text: str) -> Any:
    tag = place.partition(".")[0]
    values = sample(shape.type_info(EVENTS[tag]), tag, place, text)
    if tag == "story-told":
        values["deed"] = {"do": "session"}
    if tag == "overruled":
        values["holds"] = {"what": "no-roll"}
    return msgspec.convert(values | {"type": tag}, EVENTS[tag])


@pytest.mark.parametrize("tag", EVENTS)
def test_a_hubs_own_texts_are_accepted(tag: str) -> None:
    assert heard(event_with(f"{tag}.", "")) == []


@pytest.mark.parametrize("place", [p for p in PLACES if not p.endswith("picture")])
def test_a_bad_text_is_refused_in_each_place(place: str) -> None:
    bound = bound_of(place)
    assert bound is not None
    for text in (*FORGED, "x" * (bound.most + 1)):
        (problem,) = heard(event_with(place, text))
        assert problem.startswith("line 1: " + place.partition("[")[0].partition("{")[0]), problem
        assert problem.isprintable()


def test_a_picture_that_is_not_a_digest_is_refused() -> None:
    for text in ("ab", "ab" * 31 + "\n"):
        (problem,) = heard(event_with("portrayed.portrait.picture", text))
        assert "portrayed.portrait.picture" in problem


# Deeds and overrules: checked by their types


def kinds_of(union: Any) -> list[type]:
    return [*get_args(union)] or [union]


DEEDS = [
    (story.ruleset, kind, place)
    for story in BOOKS.stories.values()
    for kind in story.deeds
    for place in texts(shape.type_info(kind), kind.__struct_config__.tag)
    if not place.endswith(("wants{}", "wants{key}"))
]
HOLDS = [
    (game.ruleset, kind, place)
    for game in BOOKS.games.values()
    for kind in kinds_of(game.holds_type)
    for place in texts(shape.type_info(kind), kind.__struct_config__.tag)
]
UNTOLD = {"npc", "dismiss"}
"""Deeds that are recorded by their consequences."""
LONGEST = 2000


def given(kind: type, place: str, text: str, key: str) -> dict[str, Any]:
    tag: str = kind.__struct_config__.tag  # type: ignore[attr-defined]
    return {key: tag, **plain(shape.type_info(kind), tag, place, text)}


def plain(kind: Any, at: str, place: str, text: str) -> Any:
    """A small value of a type, with ``text`` at ``place``."""
    match kind:
        case shape.StrType():
            return text if at == place else "x"
        case shape.IntType(ge=least):
            return max(4, least or 0)
        case shape.DictType(key_type=key, value_type=value):
            return {plain(key, at + "{key}", place, text): plain(value, at + "{}", place, text)}
        case shape.ListType(item_type=item) | shape.VarTupleType(item_type=item):
            return [plain(item, at + "[]", place, text)]
        case shape.UnionType(types=kinds):
            able = [each for each in kinds if not isinstance(each, shape.NoneType)]
            fits = [each for each in able if place in {*texts(each, at)}]
            return plain((fits or able)[0], at, place, text)
        case shape.StructType(cls=cls, fields=fields):
            tag = cls.__struct_config__.tag
            head = {cls.__struct_config__.tag_field: tag} if tag else {}
            return head | {
                field.encode_name: plain(field.type, f"{at}.{field.encode_name}", place, text)
                for field in fields
                if field.required or f"{at}.{field.encode_name}" in place
            }
        case shape.LiteralType(values=values):
            return values[0]
        case shape.EnumType(cls=cls):
            return next(iter(cls)).value
        case shape.BoolType():
            return True
        case shape.Metadata(type=inner):
            return plain(inner, at, place, text)
    raise AssertionError(kind)


def told_of(ruleset: str, event: r.Event, before: r.Event) -> list[str]:
    audit = Audit("test", whole=False, games=BOOKS.games, stories=BOOKS.stories)
    audit.hear(1, Line(1, 1, "00" * 32, before))
    audit.hear(2, Line(2, 1, "00" * 32, event))
    return [each for each in audit.problems if "line 2: " in each and "a hub takes" in each]


@pytest.mark.parametrize(("ruleset", "kind", "place"), DEEDS, ids=str)
def test_a_bad_text_is_refused_in_every_deed(ruleset: str, kind: type, place: str) -> None:
    begun = r.StoryBegun(ruleset=ruleset, digest="cd" * 32)

    def told(text: str) -> list[str]:
        deed = given(kind, place, text, "do")
        if deed["do"] == "wish":
            deed["wants"] = {"do": "stakes", "words": "x"}
        return told_of(ruleset, r.StoryTold(deed=deed), begun)

    tag = kind.__struct_config__.tag  # type: ignore[attr-defined]
    assert bool(told("x")) == (tag in UNTOLD), told("x")
    for text in (*FORGED, "x" * (LONGEST + 1)):
        assert told(text), text


def test_a_bad_text_is_refused_in_a_players_wish() -> None:
    begun = r.StoryBegun(ruleset="unroll", digest="cd" * 32)
    for words in (*FORGED, "x" * 301):
        wants = {"do": "stakes", "words": words}
        event = r.StoryTold(deed={"do": "wish", "name": "ada", "wants": wants})
        assert told_of("unroll", event, begun)


@pytest.mark.parametrize(("ruleset", "kind", "place"), HOLDS, ids=str)
def test_a_bad_text_is_refused_in_every_overrule(ruleset: str, kind: type, place: str) -> None:
    seats = {"ada": ("ada",)}
    begun = r.SceneStarted(
        scene=1, after=1, ruleset=ruleset, title="", seats=seats, digest="cd" * 32
    )

    def said(text: str) -> list[str]:
        holds = given(kind, place, text, "what")
        return told_of(ruleset, r.Overruled(holds=holds, because="so", phase=1), begun)

    assert said("x") == []
    for text in (*FORGED, "x" * 1001):
        assert said(text), text


# In a log that was played


def evening() -> Evening:
    """A countdown, stakes, a title, a newcomer, an overrule in a duel."""
    talk = Evening(reserve=[starting(name="cy")], gm_seat="gm")
    talk.give(i.NameEvening("The tide"))
    talk.do("countdown new 6 The tide")
    talk.do("rewrite goal ada Find the boat")
    talk.give(i.Request(i.AddCharacter(), sheet=npc_like("ninja", "owl")))
    talk.duel(stakes="The boat", players=("ada", "bo"), others=("ninja", "crow"))
    talk.give(i.Overrule(holds={"what": "out", "name": "bo"}, because="so we agreed"))
    talk.decide(GM, "active ada")
    return talk


def npc_like(other: str, name: str) -> dict[str, Any]:
    return {"name": name, "like": other}


TALK = evening()


def verdict(at: int, event: Any) -> tuple[str, ...]:
    records = [*TALK.records]
    records[at] = replace(records[at], event=event)
    found = verify_log(log_of(records), "test", games=BOOKS.games, stories=BOOKS.stories)
    return found.problems


def told_at(kind: type, **fields: Any) -> int:
    return next(
        n
        for n, each in enumerate(TALK.records)
        if isinstance(each.event, kind)
        and all(getattr(each.event, key) == value for key, value in fields.items())
    )


COUNTDOWN = {"do": "begin-countdown", "name": "The tide", "boxes": 6}
STAKES = {"do": "stakes", "words": "The boat"}


def test_the_unchanged_log_is_sound() -> None:
    at = told_at(r.StoryTold, deed=COUNTDOWN)
    assert verdict(at, TALK.records[at].event) == ()


@pytest.mark.parametrize(
    ("kind", "found", "forged"),
    [
        (r.StoryTold, {"deed": COUNTDOWN}, lambda t: {"deed": COUNTDOWN | {"name": t}}),
        (r.StoryTold, {"deed": STAKES}, lambda t: {"deed": STAKES | {"words": t}}),
        (r.EveningNamed, {}, lambda t: {"title": t}),
        (r.SceneStarted, {}, lambda t: {"title": t}),
        (r.Overruled, {}, lambda t: {"because": t}),
        (r.Overruled, {}, lambda t: {"holds": {"what": "out", "name": t}}),
        (r.CharacterJoined, {}, lambda t: {"name": t}),
        (r.Decided, {}, lambda t: {"choice": f"active {t}"}),
        (r.StoryBegun, {}, lambda t: {"ruleset": t}),
    ],
)  # fmt: skip
def test_a_bad_text_is_refused_in_a_rechained_log(
    kind: type, found: dict[str, Any], forged: Any
) -> None:
    at = told_at(kind, **found)
    for text in (*FORGED, "x" * 1001):
        problems = verdict(at, replace(TALK.records[at].event, **forged(text)))
        assert any(p.startswith(f"line {at + 1}: ") and "takes" in p for p in problems), problems
        assert all(each.isprintable() for each in problems)


def test_countdowns_and_stakes_of_other_lengths_are_refused() -> None:
    for deed in (
        COUNTDOWN | {"name": "x" * 65}, COUNTDOWN | {"boxes": 9}, COUNTDOWN | {"name": " x"},
        STAKES | {"words": "x" * 301},
    ):  # fmt: skip
        at = told_at(r.StoryTold, deed=COUNTDOWN)
        assert verdict(at, r.StoryTold(deed=deed))


@pytest.mark.parametrize("text", FORGED)
def test_the_commands_refuse_the_same_texts(text: str) -> None:
    before = TALK.state
    for command in (
        i.NameEvening(text),
        i.TellStory(COUNTDOWN | {"name": text}),
        i.TellStory(STAKES | {"words": text}),
        i.Request(i.AddCharacter(), sheet=npc_like("ninja", text)),
        i.Request(i.Overrule(holds={"what": "out", "name": "bo"}, because=text)),
    ):
        with pytest.raises(SeatFault):
            TALK.give(command)
    assert TALK.state is before


def test_a_scene_file_and_a_tale_have_the_same_bounds() -> None:
    sheet = {"trait": "agile", "concept": "ranger"}
    game = BOOKS.games["tricube"]
    game.begin({"characters": {"ada": sheet}})
    for text in (*FORGED, "x" * 1001):
        for wrong in (
            {"concept": text}, {"quirks": [text]}, {"perks": [text]},
            {"afflictions": [{"name": text}]},
        ):  # fmt: skip
            with pytest.raises(SetupError):
                game.begin({"characters": {"ada": sheet | wrong}})


@pytest.mark.parametrize("text", [r"\u001b[2J", r"\u0007", r"\n", r"\u202e"])
def test_a_bad_text_inside_a_choices_json_is_refused_by_the_rules(text: str) -> None:
    """The choice is one printable line, but the text in it is not."""
    at, record = next(
        (n, each)
        for n, each in enumerate(EVENING)
        if isinstance(each.event, r.Decided) and each.event.choice.startswith("price")
    )
    said = f'price {{"complication":"a{text}b"}}'
    records = [*EVENING]
    records[at] = replace(record, event=replace(record.event, choice=said))
    problems = verify_log(log_of(records), "test", games=BOOKS.games).problems
    assert any(each.startswith(f"line {at + 1}: ") for each in problems), problems
