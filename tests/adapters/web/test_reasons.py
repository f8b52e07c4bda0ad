"""Reasons why something is not possible, in the pages' words: every refusal of play, in every
language."""

import asyncio
import functools
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from hub.games.game import GM, Choice, Game, IllegalChoice
from hub.games.registry import game_of, story_of
from hub.games.story import parse_deed
from hub.games.triangle.rules.edition import Edition
from hub.kernel.catalogues import languages
from hub.kernel.reasons import Reason
from hub.table import acts as c
from hub.table.acts import stale
from hub.table.state import NOT_NOW, SeatFault, Version
from tests.adapters.web.conftest import Looker, Pages
from tests.rules import walk
from tests.support.asking import OneScene
from tests.support.editions import UNROLL
from tests.support.evening import Evening, cast

LIBRARIES = "as-written"
"""The code of a library's error, shown in its own words."""


UNTOLD = """
const [language, reasons, done] = arguments;
(async () => {
  const texts = await import("/static/js/core/texts.js");
  const { enter, fetchGames } = await import("/static/js/core/game.js");
  const { GAMES } = await import("/static/js/games/index.js");
  await fetchGames(GAMES, ["triangle"], ["stage"]);
  enter({ family: "triangle", game: {} });
  const { inWords, loadReasons } = await import("/static/js/core/reasons.js");
  await texts.loadTexts();
  await texts.setLanguage(language);
  await loadReasons();
  done(reasons.map((one) => inWords(one)));
})();
"""


@pytest.mark.parametrize("language", languages())
async def test_every_refusal_of_play_is_told_in_the_viewers_language(
    pages: Pages, looker: Looker, language: str
) -> None:
    """Conflicts, problems and stories are played at random; the page must have its own sentence for
    every reason."""
    reasons = {str(each): each for each in refused()}
    assert len(reasons) > 500
    await looker.open(pages.url("display?near"))
    run = looker.browser.execute_async_script
    values = [msgspec.to_builtins(reason) for reason in reasons.values()]
    answers: list[str | None] = await asyncio.to_thread(run, UNTOLD, language, values)
    told = dict(zip(reasons, answers, strict=True))
    assert [reason for reason, words in told.items() if words is None] == []
    if language == "en":
        odd = {each: words for each, words in told.items() if plain(words) != plain(each)}
        assert odd == {}
        return
    left = {reason: words for reason, words in told.items() if ENGLISH.search(words or "")}
    assert left == {}


ENGLISH = re.compile(
    r"(?<![-\w])(?:is|are|has|have|may|the|not|this|which|does|cannot|of|and|to)(?![-\w])"
)


def plain(text: str | None) -> str:
    """Return a sentence without the page's additions: capitals, and readable names."""
    small = re.sub(r"(?<=\d),(?=\d)", "", text or "").casefold().replace("-", " ")
    return small.replace("the gm", "gm").replace("no special", "none")


@functools.cache
def refused() -> tuple[Reason, ...]:
    """Return every refusal of random play."""
    return (*of_conflicts(), *of_problems(), *of_stories(), *of_tables())


MOVE = r"surrender|(attack|defend|grapple)-(high|mid|low|jump|spin)( [+-][12])?"
KINDS = {
    **dict.fromkeys(("who", "other", "winner", "victim"), r"gm|[A-Za-z]+"),
    **dict.fromkeys(("move", "moves", "start"), MOVE),
    **dict.fromkeys(("special", "specials", "copying"), r"[a-z]+(-[a-z]+)*"),
    **dict.fromkeys(("type", "types"), r"attack|defend|grapple"),
    **dict.fromkeys(("book", "books", "ruleset", "base"), r"unroll|iron-triangle(-1e)?"),
    **dict.fromkeys(("way", "ways"), r"idea|background|belief|flaw"),
    "seat": r"ada|bo|cy|gm",
}
"""Key → the pattern of its values' text, the same in every reason."""
NUMBERS = {"n", "most", "least", "total", "count", "boxes", "marked", "room", "left"}


def test_a_key_tells_the_kind_of_its_value() -> None:
    """Text that a person has typed is always quoted."""
    found = {pair for reason in refused() for each in within(reason) for pair in single(each)}
    assert {"who", "move", "special", "type", "n", "most"} <= {key for key, _ in found}
    odd = [
        (key, value)
        for key, value in found
        if (key in KINDS and not re.fullmatch(KINDS[key] + r'|".*"', str(value)))
        or (key in NUMBERS and not isinstance(value, int))
    ]
    assert odd == []


def single(reason: Reason) -> Iterator[tuple[str, str | int]]:
    """Yield the single values of a reason, except nested reasons."""
    for key, value in reason.values.items():
        for each in [value] if isinstance(value, str | int | Reason) else value:
            if not isinstance(each, Reason):
                yield key, each


def test_no_refusal_of_play_is_plain_text() -> None:
    """Reasons are values at every level; only a library's words are shown unchanged."""
    found = {str(each) for reason in refused() for each in within(reason) if each.code == LIBRARIES}
    assert {
        text for text in found if not text.startswith(("Expected", "Object", "Invalid"))
    } == set()


def within(reason: Reason) -> Iterator[Reason]:
    """Yield a reason and the reasons nested in it."""
    yield reason
    for value in reason.values.values():
        for each in value if isinstance(value, list | tuple) else (value,):
            if isinstance(each, Reason):
                yield from within(each)


def of_conflicts() -> Iterator[Reason]:
    """Yield the refusals on the way through conflicts of every book, including specials."""
    for edition in walk.EDITIONS:
        for seed in range(3):
            for state in brawled(Random(seed), edition):
                yield from refusals(game_of(edition.id), state, probes(edition))


def brawled(random: Random, edition: Edition) -> list[Any]:
    """Return every state of a random conflict."""
    states: list[Any] = []
    check, walk.check = walk.check, states.append
    try:
        walk.brawl(random, 8, edition)
    finally:
        walk.check = check
    return states


def probes(edition: Edition) -> list[Choice]:
    """Choices that a player might make at the wrong time, or misspell."""
    names = ("ada", "bo", "ninja", "oni", "nobody-here")
    written = [
        *(f"active {name}" for name in names),
        *(f"agreed {name}" for name in names),
        *(f"opponent {name}" for name in names),
        *(f"target {name}" for name in names),
        *(f"special {name}" for name in [*edition.specials, "none", "no-such"]),
        *(f"move {name}" for name in [*edition.moves, "surrender", "attack-high +1", "kick"]),
        *("stance attack 9", "stance defend 40", "stance grapple 1 attack 1", "stance none"),
        *("split attack 1", "split attack 30", "split attack", "aim attack 2", "gain attack 2"),
        *("kill no", "kill perhaps", "replace yes", "replace perhaps", "winner players"),
        *("winner nobody", "end-combo", "end-combo now", "use", "overrule", "pass"),
    ]
    return [Choice.parse(text) for text in written]


def refusals(game: Game[Any], state: Any, choices: list[Choice]) -> Iterator[Reason]:
    for actor in (*game.actors(state), GM):
        for offer in game.offers(state, actor):
            yield from filter(None, [offer.reason])
        for choice in choices:
            yield from filter(None, [game.why_not(state, actor, choice)])


def of_problems() -> Iterator[Reason]:
    """Yield the refusals on the way through problems of every book."""
    means = ("idea", "background Cook", "background Sailor", "belief", "flaw", "refuse", "luck")
    written = [
        *(f"option {number}" for number in range(1, 6)),
        *(f"{kind} {one}" for kind in ("describe", "substitute") for one in means),
        *("decider Ada", "decider Nobody", "outcome stands", "outcome success", "outcome well"),
        *(
            "veto",
            "veto no",
            "veto now",
            "next-highest",
            "next-highest now",
            "first Bo",
            "first Nobody",
        ),
        "move attack-high",
    ]
    choices = [Choice.parse(text) for text in written]
    for book in (edition.id for edition in walk.EDITIONS):
        game = game_of(f"{book}-problem")
        for seed in range(12):
            random = Random(seed)
            state = game.begin(hands(random))
            while (pending := game.pending(state)).must:
                yield from refusals(game, state, choices)
                declarations = [
                    (actor, offer.choice)
                    for actor in (*game.actors(state), GM)
                    for offer in game.offers(state, actor)
                    if offer.choice.kind in pending.declarations and not offer.reason
                ]
                if declarations and random.random() < 0.3:
                    state = game.declare(state, *random.choice(declarations))
                    continue
                chosen = {}
                for actor in pending.must:
                    own = [o for o in game.offers(state, actor) if o.choice.kind in pending.kinds]
                    chosen[actor] = random.choice([o.choice for o in own if not o.reason])
                state = game.advance(state, chosen)
            yield from refusals(game, state, choices)


def hands(random: Random) -> dict[str, Any]:
    """Return player characters with some of their values used up."""
    characters = {
        name: {
            "backgrounds": {"Cook": random.randint(0, 1)},
            "undecided": random.randint(0, 1),
            **{flag: random.random() < 0.6 for flag in ("belief", "flaw", "veto")},
        }
        for name in ("Ada", "Bo", "Cy")
    }
    return {"problem": "The bridge is gone.", "characters": characters}


def of_stories() -> Iterator[Reason]:
    """Yield the refusals between scenes."""
    deeds = [
        *("countdown new 4 The tide", "countdown new 9 The tide", "countdown new 4", "countdown"),
        *("countdown mark The tide", "countdown mark Nothing", "countdown unmark The tide"),
        *("countdown erase Nothing", "rest breather", "rest short", "rest full", "rest long"),
        *("rest short attack ada; defend bo", "rest short attack ada", "rest short luck ada"),
        *("recover ada", "recover ninja", "recover ninja attack 90", "recover nobody"),
        *("lose ada attack 90", "lose ada luck 1", "lose ada attack 1", "mark belief ada"),
        *("mark belief ada twice", "unmark goal ada", "mark luck ada", "mark belief nobody"),
        *("level-up ada move attack-high", "level-up ada move kick", "level-up ada"),
        *("level-up ada move; called X", "level-up ada luck more", "level-up ada regain luck"),
        *("level-up ada combo attack-high", "level-up ada special scouter", "level-up ninja"),
        *("level-up ada energy attack; regain veto", "replace ada by bo", "replace ada"),
        *("rename ada kick as Kick", "rename ada attack-high as Overhand", "background ada x as y"),
        *("rewrite goal ada To win", "rewrite luck ada More", "dance", "stakes The village"),
    ]
    for book in (edition.id for edition in walk.EDITIONS):
        story = story_of(book)
        state = story.begin(cast(book))
        for _ in range(3):
            for text in deeds:
                deed = parse_deed(text)
                yield from filter(None, [story.why_not(state, deed)])
                yield from (offer.reason for offer in story.offers(state) if offer.reason)
                try:
                    state = story.tell(state, deed)
                except IllegalChoice:
                    continue


def of_tables() -> Iterator[Reason]:
    """Yield a story table's refusals: characters who cannot join, and commands that come too
    late."""
    yield from (Reason("not-now", why=why) for why in NOT_NOW.values())
    looked = Version(scene=0, phase=0, revision=0)
    for version in (Version(1, 0, 0), Version(0, 1, 0), Version(0, 0, 1)):
        commands = (c.EndScene(version=looked), c.TellStory(deed="", version=looked))
        yield from filter(None, (stale(command, version) for command in commands))
    evening = Evening(gm_seat="gm")
    for command in joining():
        yield unheard(evening, command)
    yield unheard(evening, c.TellStory(deed="rest full"), "ada")
    yield unheard(Evening(), c.TellStory(deed="npc Guard; like ninja"))
    evening.duel(players=("ada",), others=("ninja",))
    for command in (c.RemoveCharacter(name="ninja"), c.TellStory(deed="rest full")):
        yield unheard(evening, command)


def joining() -> Iterator[c.Command]:
    """Yield commands that add or remove a character and must fail."""
    guard = "npc Guard; attack 3; moves attack-high"
    for deed in (
        *("npc", "npc Guard", "npc ; attack 3", "npc Guard; defend 0", "npc Guard; attack many"),
        *("npc Guard; strength 3", "npc Guard; attack 3; attack 4", f"{guard}; level much"),
        *("npc Guard; like Nobody", "npc Guard; like ninja; attack 3", "npc ada; like ninja"),
        *("dismiss Nobody", "dismiss ada", f"{guard}, kick", f"{guard}; specials cake"),
        f"{guard}, attack-high +1; level 0; specials last-stand, wax-on-attack",
    ):
        yield c.TellStory(deed=deed)
    yield c.AddCharacter(like="Nobody", name="Guard")
    points = {"attack": {"max": 3}, "defend": {"max": 2}, "grapple": {"max": 0}}
    sheet = {"name": "Guard", "level": 1, "energy": points, "moves": {"attack-high": "Hook"}}
    for wrong in (
        *({"npc": False}, {"dead": True}, {"ruleset": "chess"}, {"ruleset": "iron-triangle"}),
        *({"leval": 3}, {"name": 7}, {"name": "gm"}, {"name": "ada", "dead": True}, {"level": "x"}),
        *({"moves": ["attack-high"]}, {"moves": {"attack-high": 1}}),
        *({"energy": {"attack": {"max": "x"}}}, {"energy": {**points, "attack": 3}}, {"energy": 3}),
        *({"combos": {"attack-high": "x"}}, {"combos": {"attack-high": ["kick", "attack-mid"]}}),
        *({"specials": {"scouter": {"used": 3}}}, {"specials": {"scouter": {"worn": True}}}),
        *({"moves": {f"kick-{number}": "" for number in range(65)}}, {"backgrounds": 3}),
        {"npc": False, "name": "ada", "level": 0, "moves": {"attack-mid +2": ""}},
        {"dead": "no", "belief": "x", "style": 3, "rested": {"short": 1}, "veto": "yes"},
    ):
        yield c.AddCharacter(sheet=sheet | wrong)


def unheard(evening: Evening, command: c.Command, by: str = GM) -> Reason:
    """Return why a command has no effect."""
    try:
        evening.give(c.request(command, by, evening.state, OneScene()))
    except SeatFault as fault:
        return fault.reason
    raise AssertionError(f"{command} was done")


def test_random_play_meets_a_tables_refusals() -> None:
    """Checks for some that must be among them: without refusals the tests above would prove
    nothing."""
    found = {reason.code for reason in of_conflicts()}
    assert {"move-face-up", "bystander-only"} <= found
    assert {edition.id for edition in walk.EDITIONS} > {UNROLL.id}


PRETTY = [
    Reason(
        "move-face-up",
        move="grapple-high",
        advice=Reason("may-play", who="ada", moves=["attack-high", "defend-low +1", "surrender"]),
    ),
    Reason("bystander-only", who="old-crow", specials=["wax-on-attack", "yojimbo"]),
    Reason("dead", who="Marit of-the-hill"),
    Reason("no-special", text='"wax-on"', book="unroll"),
]


async def test_names_are_readable_words(pages: Pages, looker: Looker) -> None:
    await looker.open(pages.url("display?near"))
    run = looker.browser.execute_async_script
    values = [msgspec.to_builtins(reason) for reason in PRETTY]
    answers: list[str] = await asyncio.to_thread(run, UNTOLD, "en", values)
    assert answers == [
        "Grapple High is face up and cannot be played "
        "(Ada may play: Attack High, Defend Low +1, Surrender)",
        "Old crow is not in this turn and may lay only Wax On Attack or Yojimbo",
        "Marit of-the-hill is dead",
        '"wax-on" is not a special of unroll',
    ]


async def test_static_pages_speak_german(pages: Pages, looker: Looker) -> None:
    await looker.open(pages.url("?lang=de"))
    await looker.until_says("Das ist der Tisch.", "h1")
    await looker.until("document.documentElement.lang === 'de'")
    await looker.open(pages.url("seat/north?lang=de"))
    await looker.until_says("Die Seite von Platz north: Hier braucht es den Schlüssel.", "h1")
    await looker.until("document.documentElement.lang === 'de'")
    assert "Noch einmal versuchen" in await looker.text("main")


async def test_a_disabled_button_says_why(pages: Pages, looker: Looker) -> None:
    table = pages.table
    table.start()
    nothing = {"ada": "none", "ninja": "none"}
    table.turn("ada", "ninja", nothing, {"ada": "defend-low", "ninja": "attack-low"})
    table.decide("ninja", "split attack 1 grapple 1")
    await looker.open(pages.url(f"table?lang=de&key={pages.key}"))
    await looker.run("localStorage.setItem('facedown-language', 'de'); location.reload()")
    await looker.until_says("steht auf der anderen Seite, und die von Ada macht weiter")
    await looker.run("localStorage.removeItem('facedown-language')")
