"""A story by house rules: its sheets, its level-ups and its conflicts, also after a restart."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, SetupError
from hub.games.registry import story_of
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import KnownMove, KnownSpecial, Sheet, said
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.house import derive
from hub.games.triangle.rules.views import TriangleView
from hub.table.state import SeatFault
from tests.rules.cast import known, starting, with_marks
from tests.support.evening import Evening, sheets, written
from tests.table.test_house import HOUSE as WUXING

EACH_BASE = pytest.mark.parametrize("base", [*EDITIONS])


def house(base: str = "unroll", **changes: Any) -> dict[str, Any]:
    kick = {"action": "attack", "element": "high", "base": 9, "multiplier": 1}
    stems = {special.effect: special.stem for special in EDITIONS[base].specials.values()}
    names = {stem: f"our-{stem}" for stem in stems.values()}
    return {"id": "ours", "base": base, "moves": {"high-kick": kick}, "specials": names, **changes}


def evening(base: str = "unroll", **of_ada: Any) -> Evening:
    some = sheets(base)
    some[0] = replace(some[0], **of_ada)
    return Evening(base, party=some, house=house(base))


@EACH_BASE
def test_a_house_without_changes_equals_its_book(base: str) -> None:
    same = derive({"id": "same", "base": base})
    assert replace(same, id=base, base="") == EDITIONS[base]


@EACH_BASE
def test_levels_and_prerequisites_go_with_the_new_names(base: str) -> None:
    ours, book = derive(house(base)), EDITIONS[base]
    assert [f"our-{old}" for old in book.specials] == [*ours.specials]
    for old, new in zip(book.specials.values(), ours.specials.values(), strict=True):
        assert new.needs == (f"our-{old.needs}" if old.needs else "")
        assert (new.level, new.tiring) == (old.level, old.tiring)
    assert ours.own_moves == ("high-kick",)


def test_without_the_nine_basic_moves_every_move_is_open() -> None:
    book = derive(WUXING)
    assert (book.basic_moves, book.late_moves, book.start_moves) == ((), (), ())
    moves = known("attack-wood", "attack-earth", "kick-low")
    sheet = starting("iron-triangle", moves=moves, rules=book)
    assert faults_of(sheet) == ()
    (told,) = faults_of(replace(sheet, moves=moves[:2]))
    assert "a character starts with 3" in str(said(told))
    told, *_ = faults_of(replace(sheet, moves=known("attack-wood", "kick-low", "attack-high")))
    assert "attack-high is not a move of wuxing" in str(said(told))


@pytest.mark.parametrize(("variants", "base"), [(True, "iron-triangle"), (False, "unroll")])
def test_the_house_decides_on_variants(variants: bool, base: str) -> None:
    book = derive(house(base, variants=variants))
    assert book.most_variants == (2 if variants else 0)


@EACH_BASE
def test_a_level_up_teaches_the_houses_moves(base: str) -> None:
    talk = evening(base, **_marked(base))
    assert "is not a move of ours" in talk.refused("level-up ada move low-kick")
    talk.do("level-up ada move high-kick; called Gate Opener")
    assert talk.sheets["ada"].moves[-1] == KnownMove("high-kick", "Gate Opener")
    assert talk.story.house == "ours"


@EACH_BASE
def test_a_special_goes_by_its_new_name(base: str) -> None:
    special = next(iter(EDITIONS[base].specials))
    talk = evening(base, **_marked(base))
    assert "is not a special of ours" in talk.refused(f"level-up ada special {special}")
    talk.do(f"level-up ada special our-{special}")
    assert talk.sheets["ada"].special(f"our-{special}") == KnownSpecial(f"our-{special}")


def _marked(base: str) -> dict[str, Any]:
    sheet = with_marks(starting(base))
    return {key: getattr(sheet, key) for key in ("belief", "flaw", "goal", "zero")}


def test_a_conflict_uses_the_house_rules_and_a_restart_needs_no_file() -> None:
    some = sheets()
    kick = (*some[2].moves, KnownMove("high-kick"))
    some[2] = replace(some[2], moves=kick, level=2)
    talk = Evening(party=some, house=house())
    talk.duel()
    talk.restart()
    assert isinstance(talk.view.game, TriangleView)
    assert talk.view.game.house == "ours"
    talk.decide(GM, "active ninja")
    talk.decide("ninja", "opponent ada")
    for theirs, mine in (("stance none", "stance none"), ("move high-kick", "move defend-mid")):
        talk.show(gm=theirs, ada=mine)
    assert talk.view.game.turn is not None
    assert talk.view.game.turn.moves["ninja"] == "high-kick"
    talk.end()
    talk.restart()
    assert talk.story.house == "ours"
    assert talk.sheets["ninja"].moves == kick
    assert b"high-kick" not in talk.rows[0].line


def test_a_character_tired_by_a_renamed_special_sits_out() -> None:
    monkey = next(rule for rule in EDITIONS["unroll"].specials.values() if rule.tiring)
    book = derive(house())
    assert book.specials[f"our-{monkey.id}"].tiring
    with pytest.raises(SeatFault, match="after our-drunken-monkey"):
        evening(sits_out=True).duel(players=("ada",), others=("crow",))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (house("iron-triangle"), "house.base: is .iron-triangle., but this game is unroll"),
        ({"id": "x"}, "house.base: must be one of"),
        (house(moves={"kick": {}}), "house.moves.kick: kick needs an action"),
        (7, "house"),
    ],
)
def test_rules_that_do_not_fit_are_refused(given: Any, reason: str) -> None:
    with pytest.raises(SetupError, match=reason):
        story_of("unroll").begin(written(sheets()), (), given)


def test_rules_written_on_a_sheet_are_ignored() -> None:
    values = written(sheets())
    values[0]["rules"] = {**_as_values(derive(house()))}
    begun = story_of("unroll").begin(values)
    sheet: Sheet = begun.sheets["ada"]
    assert sheet.book == EDITIONS["unroll"]


def _as_values(book: Any) -> dict[str, Any]:
    return {key: getattr(book, key) for key in book.__struct_fields__}
