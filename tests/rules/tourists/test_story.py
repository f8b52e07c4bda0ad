"""The story between Conflicts: sheets, a Conflict made of them, and the way back."""

import tomllib
from typing import Any

import msgspec
import pytest
from msgspec import to_builtins

from hub.games.game import GM, MAX_WORD_CHARS, IllegalChoice, SetupError, Word
from hub.games.registry import game_of, story_of
from hub.games.tourists import sheets as files
from hub.games.tourists import starter
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.story.conflicts import TouristsConflictRequest
from hub.games.tourists.story.sheet import TouristsSheet, as_values, faults_of
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Faulty
from hub.table import acts as i
from hub.table.acts import StorySheets
from hub.table.state import SeatFault
from tests.support.tabletalk import TableTalk

STORY: Any = story_of("tourists")
GAME: Any = game_of("tourists")


def sheet(name: str, **more: Any) -> TouristsSheet:
    values = {"attributes": {"Paper": 4, "Stone": 2}, "aspects": ("quick",), "reserve_max": 1}
    return TouristsSheet(ruleset="tourists", name=name, **{**values, **more})


CAST = (
    sheet("ada", weaknesses=("in debt",), reserve=(Card(33), Card(51, True)), reserve_max=2),
    sheet("bo", reserve=()),
    sheet("ninja", npc=True, attributes={"Serpent": 6}, reserve=()),
    sheet("crow", npc=True, reserve=()),
)


def begun(*sheets: TouristsSheet) -> Any:
    return STORY.begin([as_values(each) for each in sheets or CAST])


def asked(**parties: Any) -> TouristsConflictRequest:
    given = {"type": "conflict", "parties": parties}
    return msgspec.convert(given, TouristsConflictRequest)


BRIDGE = {
    "watch": {
        "goal": "keep the bridge",
        "characters": {
            "ada": {"attribute": "Paper", "aspects": ["quick"], "weaknesses": ["in debt"]},
            "bo": {"attribute": "Stone"},
        },
    },
    "ninja": {"gm": True, "characters": {"ninja": {"attribute": "Serpent"}}},
}


def test_a_conflict_is_made_of_the_sheets() -> None:
    staged = STORY.stage(begun(), asked(**BRIDGE))
    state = GAME.begin(staged.setup)
    view = GAME.view(state)
    assert view.parties["watch"].total == 4 + 1 - 1
    assert view.parties["watch"].goal == "keep the bridge"
    assert view.control.party == "ninja"
    assert [card.number for card in view.members["ada"].reserve] == [33, 51]
    assert GAME.actors(state) == ("ada", "bo", "ninja")


def test_a_missing_reserve_is_laid_at_the_table() -> None:
    story = begun(CAST[0], sheet("bo"), *CAST[2:])
    state = GAME.begin(STORY.stage(story, asked(**BRIDGE)).setup)
    assert GAME.pending(state).must == ("bo",)


def test_by_default_all_players_form_one_party_against_each_other_character() -> None:
    staged = STORY.stage(begun(), TouristsConflictRequest())
    view = GAME.view(GAME.begin(staged.setup))
    assert [*view.parties] == ["players", "ninja", "crow"]
    assert [view.parties[name].total for name in view.parties] == [4 + 2 - 1, 7, 5]


@pytest.mark.parametrize(
    ("party", "why"),
    [
        ({"characters": {"nobody": {}}}, "the story has no "),
        ({"characters": {"bo": {"attribute": "Song"}}}, "not one of Paper, Stone"),
        ({"characters": {"bo": {"attribute": "Paper", "aspects": ["x"]}}}, "not one of quick"),
        ({"characters": {"ada": {"attribute": "Paper"}}}, "another one is also called ada"),
        ({"characters": {"bo": {}}}, "needs an attribute"),
    ],
)
def test_an_invalid_conflict_is_refused_with_its_reason(party: Any, why: str) -> None:
    parties = {"one": {"characters": {"ada": {"attribute": "Paper"}}}, "two": party}
    with pytest.raises(SetupError) as refused:
        STORY.stage(begun(), asked(**parties))
    assert why in str(refused.value)


def weaknesses_after(*texts: str) -> tuple[str, ...]:
    """Bo's weaknesses after a Conflict in which these Lasting Losses were told."""
    story = begun(CAST[0], sheet("bo", reserve=(), weaknesses=("tired",)), *CAST[2:])
    state = GAME.begin(STORY.stage(story, asked(**BRIDGE)).setup)
    for at, text in enumerate(texts):
        cards = [60 + 3 * at + n for n in range(3)]
        holds = {"what": "lasting", "name": "watch", "who": "bo", "cards": cards, "text": text}
        state = GAME.overrule(state, GAME.word(state, Word(holds=holds, because="so")))
    found: tuple[str, ...] = STORY.after(story, "tourists", state).sheets["bo"].weaknesses
    return found


@pytest.mark.book("counting-losses.carried", "reframing.lasting")
def test_two_lasting_losses_with_the_same_text_are_two_weaknesses() -> None:
    """Each counts separately the next time (T13), and is healed separately."""
    assert weaknesses_after("limps", "limps") == ("tired", "limps", "limps (2)")
    assert weaknesses_after("tired", "limps", "tired") == (
        "tired",
        "tired (2)",
        "limps",
        "tired (3)",
    )
    assert weaknesses_after("limps", "limps (2)", "limps")[1:] == (
        "limps",
        "limps (2)",
        "limps (3)",
    )


def test_a_numbered_weakness_stays_within_the_maximum_length() -> None:
    long = "limps " * 166 + "limp"
    _, first, second = weaknesses_after(long, long)
    assert (first, second[-4:], len(second) <= MAX_WORD_CHARS) == (long, " (2)", True)
    assert [*faults_of(sheet("bo", weaknesses=(first, second)))] == []


@pytest.mark.book("reframing.lasting", "counting-losses.carried", "t13.reserves")
def test_a_conflict_is_written_back_to_the_sheets() -> None:
    story = begun()
    state = GAME.begin(STORY.stage(story, asked(**BRIDGE)).setup)

    def say(state: Any, **holds: Any) -> Any:
        return GAME.overrule(state, GAME.word(state, Word(holds=holds, because="so")))

    state = say(state, what="lasting", name="watch", who="bo", cards=[48, 13, 21], text="limps")
    state = say(state, what="lasting", name="watch", who="bo", cards=[60, 61, 62])
    state = say(state, what="card", number=33, to="deck")
    state = say(state, what="card", number=70, to="reserve", name="bo", reversed=True)
    after = STORY.after(story, "tourists", state)
    assert after.sheets["ada"].reserve == (Card(51, True),)
    assert after.sheets["bo"].reserve == (Card(70, True),)
    assert after.sheets["bo"].weaknesses == ("limps", "Lasting Loss 60, 61, 62")
    assert after.sheets["ada"].weaknesses == ("in debt",)
    assert after.sheets["crow"] == story.sheets["crow"]
    # They count in the next Conflict, if they fit there.
    again = asked(
        watch={"characters": {"bo": {"attribute": "Stone", "weaknesses": ["limps"]}}},
        ninja=BRIDGE["ninja"],
    )
    view = GAME.view(GAME.begin(STORY.stage(after, again).setup))
    assert view.parties["watch"].total == 2 - 1


def tell(state: Any, do: str, **more: Any) -> Any:
    return STORY.tell(state, {"do": do, **more})


def test_deeds_change_the_sheets() -> None:
    story = tell(begun(), "heal", name="ada", words="in debt")
    story = tell(story, "gain-weakness", name="bo", words="tired")
    story = tell(story, "gain-aspect", name="bo", words="owns a boat")
    story = tell(story, "reserve-is", name="bo", cards=[{"number": 70, "reversed": True}])
    story = tell(story, "is-dead", name="crow")
    story = tell(story, "stakes", words="the lower town")
    assert story.sheets["ada"].weaknesses == ()
    assert story.sheets["bo"].weaknesses == ("tired",)
    assert story.sheets["bo"].aspects == ("quick", "owns a boat")
    assert story.sheets["bo"].reserve == (Card(70, True),)
    assert "crow" not in STORY.cast(story)
    assert STORY.view(story).stakes == "the lower town"
    for offer in STORY.offers(story):
        read = {**offer.deed, **{f.at[0]: f.first for f in offer.fields if f.first}}
        assert STORY.deed(story, read)


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        ({"do": "heal", "name": "ada", "words": "x"}, "has no Weakness"),
        ({"do": "heal", "name": "x", "words": "x"}, "the story has no "),
        ({"do": "gain-weakness", "name": "ada", "words": "in debt"}, "appears twice"),
        ({"do": "gain-weakness", "name": "ada", "words": " "}, "one line of up to 1000"),
        ({"do": "reserve-is", "name": "bo", "cards": [{"number": 33}]}, "in the Reserve of ada"),
        ({"do": "reserve-is", "name": "bo", "cards": [{"number": 3}]}, "cards of the deck"),
    ],
)
def test_an_illegal_deed_is_refused_with_its_reason(deed: dict[str, Any], why: str) -> None:
    with pytest.raises(IllegalChoice) as refused:
        STORY.tell(begun(), deed)
    assert why in str(refused.value)


def test_the_gms_characters_are_not_public() -> None:
    view = STORY.view(begun())
    assert [*view.party] == ["ada", "bo"]
    assert "Serpent" not in repr(view)


def test_a_sheet_file_round_trips() -> None:
    for each in (
        *CAST,
        sheet('Ada "of" Lantern', aspects=('says "no"',)),
        *starter.npcs("tourists"),
    ):
        text = files.write_sheet(each)
        assert tomllib.loads(text)["name"] == each.name
        assert files.read_sheet(parse_toml("x", text.encode())) == each
    fresh = [starter.fresh("tourists", name, n) for n, name in enumerate(("ada", "bo", "cy"))]
    assert len({tuple(each.attributes) for each in fresh}) == 3
    assert begun(*fresh)


@pytest.mark.parametrize("name", [*files.samples(), "example"])
def test_the_shipped_sheets_are_sound(name: str) -> None:
    text = files.example() if name == "example" else files.samples()[name]
    assert files.read_sheet(parse_toml(name, text.encode())).attributes


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('reserve = ["33 sideways"]', "a card is written like 39 upright"),
        ('reserve = ["33 upright", "33 reversed"]', "each once"),
        ("reserve_max = 99", "a number from 0 to 83"),
        ('aspects = ["", "x"]', "one line of up to 1000"),
        ('weaknesses = ["x", "x"]', "twice"),
        ("attributes = {}", "needs an Attribute"),
        ("attributes = { Paper = -1 }", "a whole number from 0"),
    ],
)
def test_a_fault_of_a_file_is_reported_with_its_line(line: str, why: str) -> None:
    attributes = "" if line.startswith("attributes") else "attributes = { Paper = 3 }\n"
    text = f'ruleset = "tourists"\nname = "Ada"\n{attributes}{line}\n'
    with pytest.raises(Faulty) as refused:
        files.read_sheet(parse_toml("x.toml", text.encode()))
    (fault,) = refused.value.faults
    assert why in str(fault.reason)


def test_at_a_table_a_conflict_begins_from_the_sheets_and_comes_back() -> None:
    talk = TableTalk()
    talk.give(i.BeginStory("tourists", StorySheets([as_values(each) for each in CAST], [], None)))
    talk.give(i.StartScene(to_builtins(asked(**BRIDGE))))
    assert talk.step == "tactics"
    talk.give(
        i.Overrule(
            holds={"what": "lasting", "name": "watch", "who": "bo", "cards": [48, 13, 21]},
            because="the bridge fell",
        )
    )
    talk.give(i.EndScene())
    story: Any = talk.view.story
    assert story.party["bo"].weaknesses == ("Lasting Loss 48, 13, 21",)
    with pytest.raises(SeatFault, match="has no Weakness"):
        talk.give(i.TellStory({"do": "heal", "name": "bo", "words": "x"}))
    talk.give(i.TellStory({"do": "heal", "name": "bo", "words": "Lasting Loss 48, 13, 21"}))
    story = talk.view.story
    assert story.party["bo"].weaknesses == ()
    assert GM not in story.party


def test_the_catalogue_of_init_has_both_languages() -> None:
    assert starter.told("tourists", "en") != starter.told("tourists", "de")
