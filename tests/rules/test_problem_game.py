"""Problems: who decides, what it costs, refusals and vetoes (R13)."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice, Kind, SetupError
from hub.games.triangle.rules.characters.sheet import Background, Sheet, Trait
from hub.games.triangle.rules.problem.game import ProblemGame
from hub.games.triangle.rules.problem.setup import after_problem, problem_setup
from hub.games.triangle.rules.problem.state import Change, ProblemState, candidates
from hub.games.triangle.rules.problem.views import ProblemResultView
from hub.kernel.faults import written
from tests.rules.cast import npc, starting
from tests.support.editions import PROBLEM_GAMES

UNROLL, TRIANGLE, FIRST = PROBLEM_GAMES.values()
GAMES = [*PROBLEM_GAMES.values()]
EACH_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.ruleset)


def cast(game: ProblemGame = UNROLL, **changes: Any) -> list[Sheet]:
    return [starting(game.book.id, name=name, **changes) for name in ("a", "b", "c", "d")]


class Table:
    """A problem in play: ``table.show(a=1, b=4)``, ``table.says("b", "describe flaw")``."""

    def __init__(self, game: ProblemGame, sheets: list[Sheet], *interested: str) -> None:
        self.game = game
        self.sheets = sheets
        setup = problem_setup(sheets, "The ferry bell is gone", interested or None)
        self.state = game.begin(setup)

    def show(self, **options: int) -> "Table":
        chosen = {name: Choice("option", str(number)) for name, number in options.items()}
        self.state = self.game.advance(self.state, chosen)
        return self

    def says(self, actor: str, text: str) -> "Table":
        self.state = self.game.advance(self.state, {actor: Choice.parse(text)})
        return self

    def declares(self, actor: str, text: str) -> "Table":
        self.state = self.game.declare(self.state, actor, Choice.parse(text))
        return self

    @property
    def step(self) -> str:
        return self.game.pending(self.state).step

    @property
    def awaited(self) -> tuple[str, ...]:
        return self.game.pending(self.state).must

    @property
    def result(self) -> ProblemResultView:
        result = self.game.view(self.state).result
        assert result
        return result

    def after(self, name: str) -> Sheet:
        sheet = next(sheet for sheet in self.sheets if sheet.name == name)
        return after_problem(sheet, self.game.view(self.state))


def shown(game: ProblemGame, options: Mapping[str, int], **decided: int) -> Table:
    sheets = [replace(s, decided=decided.get(s.name, 0)) for s in cast(game)]
    return Table(game, sheets, *options).show(**options)


class TestWhoDecides:
    """The examples of the chapter, then the rest of the ruling."""

    @pytest.mark.book("problems.higher-decides", "problems.three-four")
    @EACH_GAME
    def test_a_complication_and_a_failure(self, game: ProblemGame) -> None:
        assert candidates(shown(game, {"a": 3, "b": 4}).state) == ("b",)

    @pytest.mark.book("problems.one-beats-four", "problems.one-four")
    def test_a_good_idea_and_a_failure(self) -> None:
        assert candidates(shown(UNROLL, {"a": 1, "b": 4}).state) == ("a",)

    @pytest.mark.book("problems.one-beats-four", "problems.no-exception")
    @pytest.mark.parametrize("game", [TRIANGLE, FIRST])
    def test_only_unroll_has_the_exception(self, game: ProblemGame) -> None:
        assert candidates(shown(game, {"a": 1, "b": 4}).state) == ("b",)

    @pytest.mark.book("problems.one-two-four")
    @EACH_GAME
    def test_an_idea_a_background_and_a_failure(self, game: ProblemGame) -> None:
        assert candidates(shown(game, {"a": 1, "b": 2, "c": 4}).state) == ("c",)

    @pytest.mark.book("problems.one-one-four")
    def test_two_ideas_and_a_failure(self) -> None:
        table = shown(UNROLL, {"a": 1, "b": 1, "c": 4})
        assert candidates(table.state) == ("a", "b")
        assert (table.step, table.awaited) == ("tie", (GM,))
        assert table.game.view(table.state).tied == ("a", "b")
        assert table.says(GM, "decider b").awaited == ("b",)

    @EACH_GAME
    def test_equal_numbers_tie(self, game: ProblemGame) -> None:
        for number in (1, 2, 3, 4):
            assert candidates(shown(game, {"a": number, "b": number}).state) == ("a", "b")
            assert candidates(shown(game, {"c": number}).state) == ("c",)

    @pytest.mark.book("problems.ties")
    @EACH_GAME
    def test_a_tie_goes_to_the_one_who_decided_longest_ago(self, game: ProblemGame) -> None:
        assert candidates(shown(game, {"a": 3, "b": 3}, a=2, b=1).state) == ("b",)
        assert candidates(shown(game, {"a": 3, "b": 3, "c": 3}, a=2, b=1).state) == ("c",)
        assert candidates(shown(game, {"a": 3, "b": 3, "c": 3}, a=2, c=5).state) == ("b",)
        assert candidates(shown(game, {"a": 3, "b": 3, "c": 3}, a=2).state) == ("b", "c")
        assert candidates(shown(game, {"a": 3, "b": 4}, a=1, b=2).state) == ("b",)

    @pytest.mark.book("problems.gm-names")
    def test_the_gm_names_one_of_the_tied(self) -> None:
        table = shown(UNROLL, {"a": 3, "b": 3, "c": 1})
        with pytest.raises(IllegalChoice, match=r'"c" is not tied \(a, b are\)'):
            table.says(GM, "decider c")

    @pytest.mark.book("problems.ties")
    def test_the_decider_is_remembered(self) -> None:
        table = shown(UNROLL, {"a": 3, "b": 3}, a=4, b=7)
        table.says("a", "describe belief").says(GM, "outcome stands")
        assert (table.after("a").decided, table.after("b").decided) == (8, 7)

    @given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2)), min_size=1, max_size=4))
    def test_the_decider_follows_the_ruling(self, shows: list[tuple[int, int]]) -> None:
        names = "abcd"[: len(shows)]
        options = {name: number for name, (number, _) in zip(names, shows, strict=True)}
        decided = {name: last for name, (_, last) in zip(names, shows, strict=True)}
        for game in GAMES:
            highest = max(options.values())
            if game is UNROLL and set(options.values()) == {1, 4}:
                highest = 1
            level = [name for name in names if options[name] == highest]
            longest_ago = min(decided[name] for name in level)
            expected = tuple(name for name in level if decided[name] == longest_ago)
            assert candidates(shown(game, options, **decided).state) == expected


class TestWhatIsOpen:
    @pytest.mark.book("problems.interested")
    def test_exactly_the_interested_are_asked_at_once(self) -> None:
        table = Table(UNROLL, cast(), "c", "a")
        pending = UNROLL.pending(table.state)
        assert (pending.kind, pending.must, pending.kinds) == (Kind.SEALED, ("a", "c"), ("option",))
        assert UNROLL.actors(table.state) == ("a", "b", "c", "d")
        assert "has nothing to choose now" in str(
            UNROLL.why_not(table.state, "b", Choice("option", "1")) or ""
        )
        with pytest.raises(IllegalChoice, match="c has not chosen: option"):
            table.show(a=1)

    @pytest.mark.book("problems.numbers")
    @pytest.mark.parametrize("value", ["", "0", "5", "one", "3 belief", "٣"])
    def test_a_number_is_from_one_to_four(self, value: str) -> None:
        table = Table(UNROLL, cast())
        assert "they are 1, 2, 3 and 4" in str(
            UNROLL.why_not(table.state, "a", Choice("option", value)) or ""
        )

    @pytest.mark.book("background.point-needed")
    def test_a_background_point_must_be_left(self) -> None:
        spent = tuple(Background(name, 1, 0) for name in "xyz")
        table = Table(UNROLL, cast(backgrounds=spent))
        reasons = [offer.reason for offer in UNROLL.offers(table.state, "a")]
        assert [str(each or "") for each in reasons] == [
            "",
            "a has no background point left",
            "",
            "",
        ]

    @pytest.mark.book("belief.marked", "flaw.marked", "complication.unmarked", "failure.unmarked")
    def test_belief_or_flaw_must_be_unmarked(self) -> None:
        marked = Trait("x", marked=True)
        flawed = Table(UNROLL, cast(belief=marked)).show(a=3, b=1, c=1, d=1)
        offers = UNROLL.offers(flawed.state, "a")
        assert [(str(each.choice), bool(each.reason)) for each in offers] == [
            ("describe belief", True),
            ("describe flaw", False),
            ("describe refuse", False),
        ]
        assert [each.default for each in offers] == [False, True, False]
        both = Table(UNROLL, cast(belief=marked, flaw=marked))
        for number in "34":
            assert str(UNROLL.why_not(both.state, "a", Choice("option", number))) == (
                "a’s belief and flaw are both marked"
            )

    @pytest.mark.book("complication.belief-first", "failure.flaw-first")
    def test_the_typical_way_comes_first(self) -> None:
        ways = {}
        for number in (1, 2, 3, 4):
            table = shown(UNROLL, {"a": number})
            ways[number] = [str(o.choice) for o in UNROLL.offers(table.state, "a")]
        assert ways == {
            1: ["describe idea", "describe refuse"],
            2: [
                "describe background ferry hand",
                "describe background choir voice",
                "describe background to be named",
                "describe refuse",
            ],
            3: ["describe belief", "describe flaw", "describe refuse"],
            4: ["describe flaw", "describe belief", "describe refuse"],
        }

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("describe flaw", "tell this outcome with background"),
            ("describe nonsense", "an outcome cannot be told with"),
            ("describe", "an outcome cannot be told with"),
            ("describe background", "name the background"),
            ("describe background x\u00a0", "name the background"),
            ("option 2", "describe is needed now"),
            ("veto", "describe is needed now"),
        ],
    )
    def test_bad_means_are_refused(self, text: str, reason: str) -> None:
        state = shown(UNROLL, {"a": 2}).state
        kind, _, value = text.partition(" ")
        assert reason in str(UNROLL.why_not(state, "a", Choice(kind, value)))

    @pytest.mark.book("idea.free")
    def test_an_idea_takes_no_argument(self) -> None:
        state = shown(UNROLL, {"a": 1}).state
        why = UNROLL.why_not(state, "a", Choice("describe", "idea big"))
        assert str(why) == "nothing may follow idea"


class TestWhatItCosts:
    def play(self, number: int, text: str, **changes: Any) -> Sheet:
        table = Table(UNROLL, cast(**changes), "a").show(a=number)
        return table.says("a", f"describe {text}").says(GM, "outcome stands").after("a")

    @pytest.mark.book("idea.free", "background.point", "complication.marked", "failure.marked")
    def test_the_cost_of_each_means(self) -> None:
        sheet = cast()[0]
        before = replace(sheet, decided=1)
        assert self.play(1, "idea") == before
        assert self.play(3, "belief") == replace(before, belief=replace(sheet.belief, marked=True))
        assert self.play(4, "flaw") == replace(before, flaw=replace(sheet.flaw, marked=True))
        spent = self.play(2, "background CHOIR VOICE")
        assert spent.backgrounds == (Background("ferry hand"), Background("choir voice", 1, 0))

    @pytest.mark.book("backgrounds.in-play")
    def test_a_background_decided_during_play(self) -> None:
        named = self.play(2, "background net mender")
        assert named.backgrounds[-1] == Background("net mender", 1, 0)
        unnamed = self.play(2, "background to be named", backgrounds=(Background("To Be Named"),))
        assert unnamed.backgrounds == (Background("To Be Named", 1, 0),)
        full = tuple(Background(name) for name in "xyz")
        with pytest.raises(IllegalChoice, match=r'"net" has no point left .*: x, y, z'):
            self.play(2, "background net", backgrounds=full)

    def test_only_the_decider_pays(self) -> None:
        table = shown(UNROLL, {"a": 2, "b": 3, "c": 4, "d": 4}, d=1)
        table.says("c", "describe belief").says(GM, "outcome stands")
        assert table.result == ProblemResultView(
            decider="c",
            success=False,
            means="belief",
            vetoed=None,
            changes={"c": Change(belief=True, decided=2)},
        )
        assert [s for s in table.sheets if table.after(s.name) == s] == [
            s for s in table.sheets if s.name != "c"
        ]


class TestRefusing:
    @pytest.mark.book("escalation.next-number")
    def test_a_refusal_passes_to_the_next_highest(self) -> None:
        table = shown(UNROLL, {"a": 2, "b": 3, "c": 4, "d": 3}, b=1)
        assert table.awaited == ("c",)
        assert table.says("c", "describe refuse").awaited == ("d",)
        assert table.declares(GM, "next-highest").awaited == ("b",)
        assert table.says("b", "describe refuse").awaited == ("a",)
        table.says("a", "describe background ferry hand")
        table.says(GM, "outcome stands")
        assert table.result.decider == "a"
        assert table.game.view(table.state).refused == ("c", "d", "b")

    def test_refusals_pass_from_ideas_to_a_failure(self) -> None:
        table = shown(UNROLL, {"a": 1, "b": 4, "c": 1}, c=1)
        for name in ("a", "c", "b"):
            assert table.awaited == (name,)
            table.says(name, "describe refuse")
        assert (table.step, table.awaited) == ("outcome", (GM,))

    @pytest.mark.book("escalation.all-refuse")
    @pytest.mark.parametrize(("word", "success"), [("success", True), ("failure", False)])
    def test_the_gm_decides_when_all_refuse(self, word: str, success: bool) -> None:
        table = shown(UNROLL, {"a": 4}).says("a", "describe refuse")
        with pytest.raises(IllegalChoice, match="neither success nor failure"):
            table.says(GM, "outcome stands")
        table.says(GM, f"outcome {word}")
        assert table.step == "over"
        assert table.result == ProblemResultView(
            decider=GM, success=success, means=None, vetoed=None, changes={}
        )

    def test_a_tie_is_broken_again_after_a_refusal(self) -> None:
        table = shown(UNROLL, {"a": 3, "b": 3, "c": 3}).says(GM, "decider b")
        assert table.says("b", "describe refuse").step == "tie"
        assert table.game.view(table.state).tied == ("a", "c")
        assert table.says(GM, "decider c").says("c", "describe refuse").awaited == ("a",)

    @pytest.mark.book("escalation.next-number")
    def test_only_the_gm_passes_on(self) -> None:
        table = shown(UNROLL, {"a": 3})
        assert [str(o.choice) for o in UNROLL.offers(table.state, GM)] == ["next-highest"]
        with pytest.raises(IllegalChoice, match="only the GM"):
            table.declares("b", "next-highest")
        with pytest.raises(IllegalChoice, match="nothing may follow"):
            table.declares(GM, "next-highest b")
        with pytest.raises(IllegalChoice, match="declared openly"):
            table.game.advance(table.state, {"a": Choice("next-highest")})


class TestVetoes:
    def told(self, **changes: Any) -> Table:
        table = Table(UNROLL, cast(**changes), "a", "b").show(a=4, b=3)
        return table.says("a", "describe flaw")

    @pytest.mark.book("using-veto.no-cost")
    @pytest.mark.parametrize(
        ("text", "change"),
        [
            ("idea", Change(veto=True, decided=1)),
            ("background ferry hand", Change(veto=True, background="ferry hand", decided=1)),
        ],
    )
    def test_a_veto_undoes_the_cost_and_replaces_the_outcome(
        self, text: str, change: Change
    ) -> None:
        table = self.told().declares("c", "veto")  # c had not been interested
        assert (table.step, table.awaited) == ("substitute", ("c",))
        table.says("c", f"substitute {text}")
        assert table.result == ProblemResultView(
            decider="c", success=True, means=text, vetoed="a", changes={"c": change}
        )
        assert table.after("a") == table.sheets[0]
        assert not table.after("c").veto

    @pytest.mark.book("using-veto.replaced")
    def test_a_veto_substitutes_only_an_idea_or_a_background(self) -> None:
        table = self.told().declares("b", "veto")
        for text in ("belief", "flaw", "refuse"):
            with pytest.raises(IllegalChoice, match=r"this outcome with|cannot be told with"):
                table.says("b", f"substitute {text}")
        spent = tuple(Background(name, 1, 0) for name in "xyz")
        table = self.told(backgrounds=spent).declares("b", "veto")
        with pytest.raises(IllegalChoice, match="no background point is left"):
            table.says("b", "substitute background x")

    @pytest.mark.book("using-veto.no-veto-of-veto")
    def test_a_veto_cannot_be_vetoed(self) -> None:
        table = self.told().declares("b", "veto")
        with pytest.raises(IllegalChoice, match=r"veto.* cannot be declared now"):
            table.declares("c", "veto")
        table.says("b", "substitute idea")
        assert table.step == "over"
        assert table.after("c").veto

    @pytest.mark.book("using-veto.moment")
    def test_players_who_cannot_veto(self) -> None:
        table = self.told()
        with pytest.raises(IllegalChoice, match=r"a cannot veto this \(those who can: b, c, d\)"):
            table.declares("a", "veto")
        with pytest.raises(IllegalChoice, match="nothing may follow veto"):
            table.declares("b", "veto 2")
        with pytest.raises(IllegalChoice, match="gm cannot veto this"):
            table.declares(GM, "veto")
        assert self.told(veto=False).step == "over"

    @pytest.mark.book("using-veto.two-at-once")
    def test_the_gm_decides_which_veto_was_first(self) -> None:
        table = self.told().declares("b", "veto")
        assert [str(o.choice) for o in UNROLL.offers(table.state, GM)] == ["first c", "first d"]
        table.declares(GM, "first d")
        assert table.awaited == ("d",)
        with pytest.raises(IllegalChoice, match="d has already said veto"):
            table.declares(GM, "first d")
        with pytest.raises(IllegalChoice, match='"a" cannot veto this'):
            table.declares(GM, "first a")
        table.says("d", "substitute idea")
        assert (table.after("b").veto, table.after("d").veto) == (True, False)

    @pytest.mark.book("using-veto.moment")
    def test_a_player_who_accepts_is_not_awaited(self) -> None:
        table = self.told().declares("b", "veto no").declares("c", "veto no")
        assert (table.step, table.awaited) == ("veto", (GM,))
        assert UNROLL.view(table.state).let_happen == ("b", "c")
        with pytest.raises(IllegalChoice, match=r"b cannot veto this \(those who can: d\)"):
            table.declares("b", "veto")
        table.declares("d", "veto no")
        assert (table.step, table.result.decider, table.result.vetoed) == ("over", "a", None)
        assert all(table.after(name).veto for name in "bcd")

    @pytest.mark.book("using-veto.moment")
    def test_without_a_veto_the_outcome_stands(self) -> None:
        table = self.told()
        assert (table.step, table.awaited) == ("veto", (GM,))
        with pytest.raises(IllegalChoice, match="the outcome 'stands'"):
            table.says(GM, "outcome falls")
        offers = {n: [str(o.choice) for o in UNROLL.offers(table.state, n)] for n in ("a", "b", GM)}
        assert offers == {"a": [], "b": ["veto", "veto no"], GM: ["outcome stands"]}
        assert table.says(GM, "outcome stands").result.decider == "a"
        assert str(UNROLL.why_not(table.state, "b", Choice("veto"))) == "the problem is over"
        assert UNROLL.offers(table.state, "b") == ()
        with pytest.raises(IllegalChoice, match="the problem is over"):
            table.says(GM, "outcome stands")
        with pytest.raises(IllegalChoice, match="cannot be declared now"):
            table.declares("b", "veto")


class TestSetup:
    def test_the_documents_example(self) -> None:
        page = Path(__file__).parents[2] / "docs/rules/setups.md"
        found = re.search(r"```json\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        assert found
        state = UNROLL.begin(json.loads(found[1]))
        assert UNROLL.pending(state).must == ("Sorrel",)
        assert UNROLL.actors(state) == ("Sorrel", "Odo")

    def test_every_fault_of_a_setup_is_reported(self) -> None:
        with pytest.raises(SetupError) as error:
            UNROLL.begin(
                {
                    "ruleset": "unroll",
                    "problem": "x" * 501,
                    "interested": ["a", "a", "zoe", 7],
                    "characters": {
                        "a": {"backgrounds": {"x": 2, "X": 2}, "veto": 1, "luck": 1},
                        "gm": {"decided": -1},
                    },
                }
            )
        assert [written(fault.place) for fault in error.value.faults] == [
            "ruleset", "problem", "characters.a.luck", "characters.a.backgrounds",
            "characters.a.backgrounds", "characters.a.veto", "characters.gm",
            "characters.gm.decided", "interested[1]", "interested[2]", "interested[3]",
        ]  # fmt: skip

    def test_the_size_of_a_setup_is_bounded(self) -> None:
        cast = {str(number): {} for number in range(64)}
        assert UNROLL.begin({"characters": cast, "problem": "x" * 500})
        with pytest.raises(SetupError, match="characters: are more than 64"):
            UNROLL.begin({"characters": {**cast, "one": {}}})

    def test_a_setup_without_players_is_refused(self) -> None:
        for setup in ({}, {"characters": {}}, {"characters": {"a": {}}, "interested": []}):
            with pytest.raises(SetupError):
                UNROLL.begin(setup)

    def test_unfit_sheets_are_refused(self) -> None:
        with pytest.raises(SetupError) as error:
            problem_setup([starting(dead=True), npc(), starting("iron-triangle", name="z")])
        assert tuple(map(str, error.value.faults)) == (
            "characters.Wenna: Wenna is dead",
            "characters.toll keeper: an NPC cannot decide a problem",
            "characters: there must be some, all of one ruleset",
        )
        with pytest.raises(SetupError, match="two of them have the same name"):
            problem_setup([starting(), starting()])

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["characters", "interested", "a", "backgrounds", "veto"]), inner
                )
            ),
            max_leaves=12,
        )
    )
    def test_any_setup_is_refused_or_playable(self, setup: Any) -> None:
        try:
            state = UNROLL.begin(setup)
        except SetupError as error:
            assert error.faults
        else:
            assert UNROLL.pending(state).must


def check(game: ProblemGame, state: ProblemState) -> None:
    """The invariant of every step: an actor is awaited who has an open choice."""
    pending = game.pending(state)
    for actor in (*game.actors(state), GM):
        offers = game.offers(state, actor)
        for offer in offers:
            assert game.why_not(state, actor, offer.choice) == offer.reason
            assert not (offer.default and offer.reason)
        own = [offer for offer in offers if offer.choice.kind in pending.kinds]
        assert bool(own) == (actor in pending.must)
        assert sum(offer.default for offer in own) <= 1
        if actor in pending.must:
            assert any(not offer.reason for offer in own)
    view = game.view(state)
    assert (view.result is None) == bool(pending.must)
    assert msgspec.convert(msgspec.to_builtins(view), type(view)) == view


@EACH_GAME
@pytest.mark.parametrize("seed", range(24))
def test_whole_problems_in_sequence(game: ProblemGame, seed: int) -> None:
    """Random players with their remaining resources, until only ideas are left."""
    random = Random(seed)
    sheets = cast(game)[: random.randint(1, 4)]
    for _ in range(12):
        interested = random.sample([s.name for s in sheets], random.randint(1, len(sheets)))
        state = game.begin(problem_setup(sheets, "", interested))
        for _ in range(40):
            check(game, state)
            pending = game.pending(state)
            if not pending.must:
                break
            declarations = [
                (actor, offer.choice)
                for actor in (*game.actors(state), GM)
                for offer in game.offers(state, actor)
                if offer.choice.kind in pending.declarations
            ]
            if declarations and random.random() < 0.15:
                state = game.declare(state, *random.choice(declarations))
                continue
            chosen = {
                actor: random.choice(
                    [
                        offer.choice
                        for offer in game.offers(state, actor)
                        if offer.choice.kind in pending.kinds and not offer.reason
                    ]
                )
                for actor in pending.must
            }
            state = game.advance(state, chosen)
        view = game.view(state)
        assert view.result
        after = [after_problem(sheet, view) for sheet in sheets]
        changed = [a.name for a, s in zip(after, sheets, strict=True) if a != s]
        assert changed == [*view.result.changes]
        assert changed == ([] if view.result.decider == GM else [view.result.decider])
        sheets = after
    assert sum(not sheet.veto for sheet in sheets) <= len(sheets)
