"""Lines of the books that no other test covers (docs/rules/coverage.md)."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice, SetupError
from hub.games.registry import game_of
from hub.games.resolve import resolve_script
from hub.games.triangle.houses import read_house
from hub.games.triangle.rules.characters.conflicts import setup_of
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.level_up import Choices, level_up
from hub.games.triangle.rules.characters.sheet import Background, KnownSpecial, SheetError, Trait
from hub.games.triangle.rules.edition import Action, Edition, Energy
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.views import TriangleView
from hub.kernel.documents.toml import parse_toml
from tests.rules.cast import known, npc, starting, with_marks
from tests.rules.duel import energy, play, play_until_fault, setup, turn
from tests.rules.test_problem_game import Table, cast
from tests.support.editions import PROBLEM_GAMES
from tests.support.evening import Evening, sheets

EACH = pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.id)
EACH_BOOK = pytest.mark.parametrize("ruleset", list(EDITIONS))
ALONE = {"players": ["ada"], "gm": ["ninja"]}


def conflict(edition: Edition, *turns: Any, **keys: Any) -> list[dict[str, Any]]:
    return play({**setup(edition=edition, **keys), "turns": list(turns)})


def view(game: Any, state: Any) -> TriangleView:
    found = game.view(state)
    assert isinstance(found, TriangleView)
    return found


def go(game: Any, state: Any, **choices: str) -> Any:
    return game.advance(state, {a: Choice.parse(text) for a, text in choices.items()})


def offered(game: Any, state: Any, actor: str) -> list[str]:
    """The legal choices of an actor now."""
    return [offer.choice.value for offer in game.offers(state, actor) if not offer.reason]


@pytest.mark.book("example-character.sound")
def test_the_printed_character_is_sound() -> None:
    ada = starting(
        name="Ada",
        style="Dirty Boxing",
        belief=Trait("Protects innocents"),
        flaw=Trait("Ghosts"),
        goal=Trait("What the clan plans"),
        backgrounds=(Background("Hockey"), Background("Detective")),
        max=Energy(5, 3, 2),
        energy=Energy(5, 3, 2),
        moves=known("attack-high", "attack-mid", "defend-mid", "grapple-low"),
    )
    assert faults_of(ada) == ()


@pytest.mark.book("goal.text", "belief.text", "flaw.text")
@EACH_BOOK
def test_a_goal_may_be_missing_but_a_belief_may_not(ruleset: str) -> None:
    assert faults_of(starting(ruleset, goal=Trait())) == ()
    for trait in ("belief", "flaw"):
        found = faults_of(starting(ruleset, **{trait: Trait()}))
        assert [problem.place for problem in found] == [(trait, "text")]


@pytest.mark.book("after-problem.conflict", "after-problem.nobody-dies")
def test_a_problem_may_escalate() -> None:
    evening = Evening()
    evening.face("The watch wakes", "ada")
    evening.show(ada="option 4")
    evening.decide("ada", "describe flaw")
    evening.decide(GM, "outcome stands")
    evening.end()
    assert evening.sheet("ada").flaw.marked
    assert not any(sheet.dead for sheet in evening.sheets.values())
    evening.duel()
    assert evening.view.game is not None and "ninja" in str(evening.view.game)


@pytest.mark.book("using-veto.any-outcome")
@pytest.mark.parametrize(
    ("option", "means"), [(1, "idea"), (2, "background ferry hand"), (3, "belief"), (4, "flaw")]
)
@pytest.mark.parametrize("game", PROBLEM_GAMES.values(), ids=lambda game: game.ruleset)
def test_any_outcome_can_be_vetoed(game: Any, option: int, means: str) -> None:
    table = Table(game, cast(game), "a").show(a=option).says("a", f"describe {means}")
    table.declares("b", "veto").says("b", "substitute idea")
    assert (table.result.vetoed, table.result.success) == ("a", True)
    assert table.after("a") == table.sheets[0]


@pytest.mark.book("stakes.sit-out", "stakes.npcs")
def test_some_may_sit_out() -> None:
    evening = Evening()
    before = evening.sheets["bo"]
    evening.duel(players=("ada",), others=("ninja",))
    assert isinstance(evening.view.game, TriangleView)
    assert set(evening.view.game.characters) == {"ada", "ninja"}
    evening.end()
    assert evening.sheets["bo"] == before


@pytest.mark.book("stakes.no-energy")
@EACH_BOOK
def test_a_character_without_energy_cannot_take_part(ruleset: str) -> None:
    tired, foe = starting(ruleset, energy=Energy()), npc(ruleset=ruleset)
    with pytest.raises(SetupError, match="has no energy and cannot enter a conflict"):
        setup_of([tired, foe], {"a": ["Wenna"], "b": ["toll keeper"]})
    some = sheets(ruleset)
    some[0] = replace(some[0], energy=Energy())
    evening = Evening(ruleset, party=some)
    evening.duel()
    assert isinstance(evening.view.game, TriangleView)
    assert "ada" not in evening.view.game.characters


@pytest.mark.book("reveal.energy", "reveal.abilities")
@EACH
def test_energy_and_player_abilities_are_public(edition: Edition) -> None:
    game = game_of(edition.id)
    special = next(iter(edition.specials))
    some = {name: {"specials": [special]} for name in ("ada", "ninja")}
    found = view(game, game.begin(setup(characters=some, edition=edition))).characters
    assert all(character.energy == Energy(20, 20, 20) for character in found.values())
    assert (found["ada"].moves, found["ada"].specials) == ((*edition.moves,), (special,))
    assert (found["ninja"].moves, found["ninja"].specials) == (None, None)


@pytest.mark.book("first-turn.anybody")
@EACH
def test_any_character_may_take_the_first_turn(edition: Edition) -> None:
    game = game_of(edition.id)
    state = game.begin(setup(edition=edition))
    assert offered(game, state, GM) == ["ada", "bo", "ninja", "oni"]


@pytest.mark.book("opponent.anybody")
@EACH
def test_any_character_of_the_other_side_may_be_opponent(edition: Edition) -> None:
    game = game_of(edition.id)
    state = go(game, game.begin(setup(edition=edition)), gm="active ada")
    assert offered(game, state, "ada") == ["ninja", "oni"]
    with pytest.raises(IllegalChoice):
        go(game, state, ada="opponent bo")


def facing(edition: Edition, **ada: Any) -> tuple[Any, Any]:
    game = game_of(edition.id)
    state = game.begin(setup(characters={"ada": ada}, edition=edition))
    return game, go(game, go(game, state, gm="active ada"), ada="opponent ninja")


@pytest.mark.book("stance.points")
@EACH
def test_a_stance_is_at_most_the_energy_of_its_type(edition: Edition) -> None:
    game, state = facing(edition, energy=energy(3, 1, 0))
    for text, fits in (("attack 3", True), ("attack 4", False), ("defend 2", False)):
        assert (game.why_not(state, "ada", Choice("stance", text)) is None) is fits
    assert game.why_not(state, "ada", Choice("stance", "none")) is None


@pytest.mark.book("left.no-stance")
@EACH
def test_zero_energy_bars_the_stance_but_not_the_move(edition: Edition) -> None:
    game, state = facing(edition, energy=energy(0, 3, 3))
    assert game.why_not(state, "ada", Choice("stance", "attack 1")) is not None
    state = go(game, state, ada="stance none", ninja="stance none")
    assert game.why_not(state, "ada", Choice("move", "attack-high")) is None


@pytest.mark.book("move.surrender", "move.kill", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_surrender_costs_no_energy_and_may_mean_death(edition: Edition) -> None:
    given_up = turn("ada", "ninja", "attack-high", "surrender", stance={"ada": "attack 5"})
    found, _ = conflict(edition, {**given_up, "kill": True}, lethal=True)
    assert (found["winner"], found["loss"]) == ("ada", {})
    assert (found["out"], found["dead"]) == (["ninja"], ["ninja"])
    for lethal in (True, False):
        found, _ = conflict(edition, given_up, lethal=lethal)
        assert (found["out"], found["dead"]) == (["ninja"], [])


@pytest.mark.book("energy.zero-of-all", "end.over")
@pytest.mark.book("left.zero-of-one", "left.zero-of-all", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_out_at_zero_in_all_types(edition: Edition) -> None:
    some = {"ninja": {"energy": energy(1, 0, 2)}, "ada": {"energy": energy(0, 4, 4)}}
    hit = turn("ada", "ninja", "attack-low", "grapple-low")
    found, closing = conflict(edition, hit, sides=ALONE, characters=some)
    assert (found["out"], found["dead"]) == (["ninja"], [])
    assert found["zero"] == {"ada": ["attack"], "ninja": ["attack", "defend", "grapple"]}
    assert (closing["over"], closing["winner"]) == (True, "players")


@pytest.mark.book("end.lesser", "end.lethal-only")
@pytest.mark.book("stakes.lethal", "left.dead", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_death_only_in_a_lethal_conflict(edition: Edition) -> None:
    weak = {"ada": {"energy": energy(1, 0, 0)}, "ninja": {"energy": energy(1, 0, 0)}}
    beaten = turn("ada", "ninja", "grapple-low", "attack-low")
    for lethal in (True, False):
        found, _ = conflict(edition, beaten, characters=weak, lethal=lethal)
        assert found["dead"] == (["ada"] if lethal else [])


@pytest.mark.book("left.dead")
@EACH
def test_a_side_may_win_with_a_death(edition: Edition) -> None:
    weak = {"ada": {"energy": energy(1, 0, 0)}}
    turns = (
        turn("ada", "ninja", "grapple-low", "attack-low"),
        turn("oni", "bo", "surrender", "attack-low"),
        turn("bo", "ninja", "attack-low", "surrender"),
    )
    *_, found, closing = conflict(edition, *turns, characters=weak, lethal=True)
    assert (found["dead"], closing["winner"]) == (["ada"], "players")


@pytest.mark.book("minor.no-winner")
@pytest.mark.book("minor.one-turn", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_minor_conflict_is_one_turn(edition: Edition) -> None:
    won = turn("ada", "ninja", "attack-low", "grapple-low")
    _, closing = conflict(edition, won, minor=True)
    assert (closing["over"], closing["winner"], closing["reason"]) == (True, "players", "minor")
    tied = turn("ada", "ninja", "attack-low", "attack-low")
    _, closing = conflict(edition, tied, minor=True)
    assert (closing["over"], closing["winner"], closing["undecided"]) == (True, None, True)
    _, fault = play_until_fault({**setup(edition=edition, minor=True), "turns": [won, won]})
    assert fault is not None


@pytest.mark.book("disadvantage.stays")
@EACH
def test_disadvantage_stays_with_another_opponent(edition: Edition) -> None:
    turns = (
        turn("ada", "ninja", "attack-high", "defend-low"),
        turn("oni", "ada", "defend-low", "attack-low"),
    )
    second = conflict(edition, *turns)[1]
    assert second["loss"]["ada"]["disadvantage"] == 1
    assert second["face_up"]["ada"] == ["attack-high", "attack-low"]


@pytest.mark.book("disadvantage.ends-with-conflict", "combo.ends-with-conflict")
def test_the_end_of_a_conflict_returns_the_cards() -> None:
    for ruleset in EDITIONS:
        evening = Evening(ruleset)
        evening.duel()
        evening.decide(GM, "active ninja")
        evening.decide("ninja", "opponent ada")
        for theirs, mine in (("stance none", "stance none"), ("move attack-low", "move surrender")):
            evening.show(gm=theirs, ada=mine)
        evening.end()
        evening.duel()
        assert isinstance(evening.view.game, TriangleView)
        assert evening.view.game.combo is None
        assert all(each.face_up == () for each in evening.view.game.characters.values())


@pytest.mark.book("rest.countdown")
def test_a_full_rest_restores_energy_and_the_gm_may_mark_a_box() -> None:
    evening = Evening(party=[replace(sheet, energy=Energy(1, 1, 1)) for sheet in sheets()])
    evening.do("countdown new 4 The tide")
    evening.take_rest("full")
    assert evening.sheet("ada").energy == evening.sheet("ada").max
    assert evening.story.countdowns[0].marked == 0  # the GM may mark it, but need not
    evening.do("countdown mark The tide")
    assert evening.story.countdowns[0].marked == 1


@pytest.mark.book("elements.without")
@pytest.mark.parametrize("base", ["iron-triangle", "iron-triangle-1e"])
def test_elements_can_be_left_out(base: str) -> None:
    text = f'id = "plain"\nbase = "{base}"\n[elements]\nlow = []\nmid = []\nhigh = []\n'
    edition = read_house(parse_toml("plain.toml", text.encode()))
    assert len(edition.moves) == 9
    tied = {**setup(edition=edition), "turns": [turn("ada", "ninja", "attack-low", "attack-high")]}
    found, _ = resolve_script(json.dumps(tied).encode(), edition)
    assert found["outcome"] == "tie"


@pytest.mark.book("level-up.saved", "level-up.one-mark")
@EACH_BOOK
def test_marks_are_kept_until_a_level_up(ruleset: str) -> None:
    saved = starting(ruleset, belief=Trait("Debts", marked=True))
    with pytest.raises(SheetError, match="has not marked yet"):
        level_up(saved, Choices(energy=Action.ATTACK))
    assert saved.belief.marked
    ready = with_marks(saved, Action.ATTACK, Action.GRAPPLE)
    after = level_up(ready, Choices(energy=Action.GRAPPLE))
    assert (after.level, after.zero) == (ready.level + 1, ())


@pytest.mark.book("bear.on-top")
@EACH
def test_bearing_does_not_count_as_the_special_of_the_turn(edition: Edition) -> None:
    names = {special.effect: special.id for special in edition.specials.values()}
    bear, copy = names["bear"], names["copy"]
    both = [{"name": bear, "for": "ada"}, {"name": copy, "as": bear, "for": "ada"}]
    first = {"oni": [{"name": bear, "for": "ninja"}]}
    turns = (
        turn("ninja", "ada", "attack-mid", "attack-mid", next="ninja", special=first),
        turn("ninja", "ada", "grapple-high", "defend-low", special={"bo": both}),
    )
    knows = {"bo": {"specials": [bear, copy]}, "oni": {"specials": [bear]}}
    second = conflict(edition, *turns, characters=knows)[1]
    assert second["loss"]["ada"]["total"] == 4  # two of a kind cancel, but both were laid


@pytest.mark.book("level.nothing-learned")
@EACH_BOOK
def test_no_specials_and_no_combos_at_the_start(ruleset: str) -> None:
    special = KnownSpecial(next(iter(EDITIONS[ruleset].specials)))
    first, second, *_ = (move.id for move in starting(ruleset).moves)
    for learned in ({"specials": (special,)}, {"combos": {first: (second,)}}):
        (found,) = faults_of(starting(ruleset, **learned))
        assert found.place == ("level",)


WON = turn("ada", "ninja", "attack-low", "grapple-mid")


@pytest.mark.book("combo.begins", "combo.tie", "combo.ends", "tie.ends")
@EACH
@pytest.mark.parametrize(
    ("mine", "theirs", "outcome", "lost"),
    [
        ("defend-high", "attack-low", "win", {"ninja": 1}),
        ("defend-high", "defend-high", "tie", {"ada": 0, "ninja": 0}),
        ("defend-high", "grapple-low", "win", {"ada": 0}),
        ("attack-high", "grapple-low", "win", {"ninja": 0}),
    ],
    ids=["a follow-up", "a tie", "a loss", "another move"],
)
def test_the_bonus_of_a_combo(
    edition: Edition, mine: str, theirs: str, outcome: str, lost: dict[str, int]
) -> None:
    """A combo ends with anything but a winning follow-up, and then adds nothing."""
    knows = {"ada": {"combos": {"attack-low": ["defend-high"], "defend-high": ["grapple-low"]}}}
    turns = (WON, turn("ada", "ninja", mine, theirs))
    first, second = conflict(edition, *turns, sides=ALONE, characters=knows)[:2]
    assert first["combo"]["moves"] == ["attack-low"]
    assert second["outcome"] == outcome
    assert {name: loss["combo"] for name, loss in second["loss"].items()} == lost
    goes_on = lost == {"ninja": 1}
    assert bool(second["combo"]) is goes_on
    assert ("ninja" in second["face_up"]) is ("ninja" in lost and outcome == "win")


@pytest.mark.book("escalation.for-nobody")
@pytest.mark.parametrize("game", PROBLEM_GAMES.values(), ids=lambda game: game.ruleset)
def test_the_gm_cannot_choose_for_a_player(game: Any) -> None:
    table = Table(game, cast(game), "a", "b")
    with pytest.raises(IllegalChoice):
        table.says(GM, "option 4")
    table.show(a=1, b=2)
    with pytest.raises(IllegalChoice):
        table.says(GM, "describe background ferry hand")
    assert (table.step, table.awaited) == ("describe", ("b",))
