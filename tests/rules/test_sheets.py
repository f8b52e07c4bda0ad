"""Sheets: what each book allows a character, and every problem with its place (R16)."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import RulesError
from hub.games.registry import rulebooks
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import (
    Background,
    KnownMove,
    KnownSpecial,
    Rest,
    Sheet,
    Trait,
    said,
)
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS, edition_of
from tests.rules.cast import known, npc, starting

EACH_BOOK = pytest.mark.parametrize("ruleset", list(EDITIONS))
TRIANGLES = ("iron-triangle", "iron-triangle-1e")


def wrong(sheet: Sheet, *party: Sheet, alone: bool = True) -> list[str]:
    return [str(said(each)) for each in faults_of(sheet, None if alone else party)]


def places(sheet: Sheet) -> list[tuple[str | int, ...]]:
    return [problem.place for problem in faults_of(sheet)]


@pytest.mark.book("character.sound")
@EACH_BOOK
def test_a_starting_character_is_sound(ruleset: str) -> None:
    assert faults_of(starting(ruleset)) == ()


@pytest.mark.book("character.sheet", "veto.one", of=["unroll"])
def test_the_boxes_of_a_new_character_are_empty() -> None:
    new = starting()
    assert not any(trait.marked for trait in (new.belief, new.flaw, new.goal))
    assert (new.veto, new.zero, new.dead) == (True, (), False)
    assert all(background.left == background.points for background in new.backgrounds)


def test_an_npc_may_have_any_strength() -> None:
    assert faults_of(npc()) == ()
    strong = npc(max=Energy(9, 9, 9), moves=known("attack-high", "attack-mid", "attack-low"))
    assert faults_of(strong) == ()


@EACH_BOOK
def test_moves_and_specials_are_those_of_the_edition(ruleset: str) -> None:
    edition: Any = getattr(rulebooks().games.get(ruleset), "edition", None)
    if edition is not None:
        assert set(edition_of(ruleset).moves) == set(edition.moves)
        assert edition_of(ruleset).level == edition.level
    if hasattr(edition, "specials"):
        assert [*edition_of(ruleset).specials] == [*edition.specials]
    assert len(edition_of(ruleset).basic_moves) == 9


def test_an_unknown_ruleset_is_refused() -> None:
    (problem,) = faults_of(replace(starting(), ruleset="chess"))
    assert problem.place == ("ruleset",)
    with pytest.raises(RulesError, match="there are unroll, iron-triangle"):
        edition_of("chess")


@pytest.mark.book("name.any", "belief.text", "flaw.text")
def test_all_problems_are_reported_at_once() -> None:
    sheet = starting(
        name=" ",
        max=Energy(0, 3, 3),
        energy=Energy(1, 3, 3),
        belief=Trait(),
        moves=known("attack-high", "attack-high", "kick"),
        combos={"attack-high": ("defend-low", "defend-low", "grapple-mid"), "nap": ()},
        specials=(KnownSpecial("santa-carla-attack"), KnownSpecial("humming")),
        backgrounds=(Background("a", 2, 3), Background("A", 2, 0)),
    )
    assert set(places(sheet)) == {
        ("name",), ("belief", "text"), ("energy", "attack", "max"), ("energy", "attack", "now"),
        ("energy",), ("backgrounds", 0, "points"), ("backgrounds", 0, "left"),
        ("backgrounds", 1, "points"), ("backgrounds", 1, "name"), ("backgrounds",),
        ("moves", "attack-high"), ("moves", "kick"), ("moves",), ("combos", "attack-high"),
        ("combos", "attack-high", 0), ("combos", "attack-high", 1), ("combos", "attack-high", 2),
        ("combos", "nap"), ("specials", "santa-carla-attack"), ("specials", "humming"), ("level",),
    }  # fmt: skip
    assert (
        "combos.attack-high[1] defend-low must be known before it can follow up; learn it first"
        in wrong(sheet)
    )


class TestEnergy:
    @pytest.mark.book("energy.ten")
    @EACH_BOOK
    def test_maximums_are_ten_in_all(self, ruleset: str) -> None:
        less = starting(ruleset, max=Energy(4, 3, 2), energy=Energy(4, 3, 2))
        assert wrong(less) == ["energy has maximums of 9 in all; a character starts with 10"]
        more = starting(ruleset, max=Energy(4, 4, 3))
        start = EDITIONS[ruleset].level
        assert wrong(more) == [
            f"level {start} stands for 0 level-ups, but 1 were taken (1 for energy)"
        ]

    @pytest.mark.book("energy.one-of-each", "energy.no-minimum")
    def test_each_maximum_is_at_least_one_except_in_the_first_edition(self) -> None:
        for ruleset in ("unroll", "iron-triangle"):
            sheet = starting(ruleset, max=Energy(0, 5, 5), energy=Energy(0, 5, 5))
            assert wrong(sheet) == ["energy.attack.max is 0; it must be at least 1"]
        first = starting("iron-triangle-1e", max=Energy(0, 0, 10), energy=Energy(0, 0, 10))
        assert wrong(first) == []

    @pytest.mark.book("energy.current")
    @pytest.mark.parametrize("now", [-1, 5])
    def test_the_current_energy_is_within_its_maximum(self, now: int) -> None:
        sheet = starting(energy=Energy(now, 3, 3))
        assert wrong(sheet) == [f"energy.attack.now is {now}; it must be from 0 to 4"]


class TestBackgrounds:
    @pytest.mark.book("backgrounds.three-of-one-use", "backgrounds.three-points")
    def test_one_use_each_in_unroll_and_two_points_in_the_triangles(self) -> None:
        two = (Background("smith", 2, 2), Background("widow", 1, 0))
        assert "backgrounds[0].points is 2; it must be 1" in wrong(starting(backgrounds=two))
        for ruleset in TRIANGLES:
            assert wrong(starting(ruleset, backgrounds=two)) == []
            three = (Background("smith", 3, 3),)
            assert places(starting(ruleset, backgrounds=three)) == [("backgrounds", 0, "points")]

    @pytest.mark.book("backgrounds.in-play")
    @EACH_BOOK
    def test_backgrounds_may_be_decided_during_play(self, ruleset: str) -> None:
        sheet = starting(ruleset, backgrounds=())
        assert wrong(sheet) == []
        assert sheet.undecided_points == 3

    def test_each_background_needs_a_name(self) -> None:
        nameless = starting(backgrounds=(Background(""), Background(" x")))
        assert places(nameless) == [("backgrounds", 0, "name"), ("backgrounds", 1, "name")]

    @pytest.mark.book("backgrounds.three-of-one-use", "backgrounds.three-points")
    def test_backgrounds_have_three_points_in_all(self) -> None:
        four = tuple(Background(name) for name in "abcd")
        assert wrong(starting(backgrounds=four)) == [
            "backgrounds have 4 points in all; there are 3 to distribute"
        ]


class TestMoves:
    @pytest.mark.book("moves.four-of-nine")
    def test_unroll_starts_with_four_varied_moves(self) -> None:
        three = starting(moves=known("attack-high", "defend-mid", "grapple-low"))
        assert wrong(three) == ["moves are 3; a character starts with 4"]
        five = starting(moves=known(*[m.id for m in starting().moves], "defend-low"))
        assert places(five) == [("level",)]
        dull = starting(moves=known("attack-high", "attack-mid", "attack-low", "defend-low"))
        assert wrong(dull) == [
            "moves have too little variety: exchange one attack move for another action’s"
        ]

    @pytest.mark.book("moves.same-three")
    @pytest.mark.parametrize("ruleset", TRIANGLES)
    def test_the_triangles_start_with_the_same_three_moves(self, ruleset: str) -> None:
        other = starting(ruleset, moves=known("attack-low", "defend-mid", "grapple-low"))
        assert wrong(other) == ["moves lack attack-high; every character starts with it"]

    @pytest.mark.book("elements.later", "five-elements.after-nine")
    @pytest.mark.parametrize("ruleset", TRIANGLES)
    def test_five_elements_come_after_all_nine(self, ruleset: str) -> None:
        book = EDITIONS[ruleset]
        all_nine = starting(ruleset, level=7, moves=known(*book.basic_moves, "attack-spin"))
        assert wrong(all_nine) == []
        eight = starting(ruleset, level=6, moves=known(*book.basic_moves[1:], "attack-spin"))
        assert (
            "moves.attack-spin comes after all nine basic moves; first learn attack-high"
            in wrong(eight)
        )
        assert wrong(npc(ruleset=ruleset, moves=known("grapple-jump"))) == []

    @pytest.mark.book("level-up.two-variants")
    def test_variants_come_after_all_nine_at_most_two_of_different_moves(self) -> None:
        nine = EDITIONS["unroll"].basic_moves
        assert wrong(starting(level=7, moves=known(*nine, "attack-mid +1"))) == []
        early = starting(level=2, moves=known(*(m.id for m in starting().moves), "attack-mid +1"))
        assert "moves.attack-mid +1 comes after all nine" in wrong(early)[0]
        twins = starting(level=8, moves=known(*nine, "attack-mid +1", "attack-mid -1"))
        assert wrong(twins) == ["moves have two variants of attack-mid; replace one of them"]
        many = starting(
            level=9, moves=known(*nine, "attack-mid +1", "attack-low +1", "defend-low -1")
        )
        assert wrong(many) == ["moves have 3 variants; at most 2 can be known"]
        odd = starting(level=7, moves=known(*nine, "attack-mid +2"))
        assert wrong(odd) == ["moves.attack-mid +2 is not a variant; write +1 or -1"]

    @pytest.mark.parametrize("ruleset", TRIANGLES)
    def test_no_variants_in_the_triangles(self, ruleset: str) -> None:
        nine = EDITIONS[ruleset].basic_moves
        sheet = starting(ruleset, level=7, moves=known(*nine, "attack-mid +1"))
        assert wrong(sheet) == [f"moves.attack-mid +1 is a variant; {ruleset} has none"]

    @pytest.mark.book("moves.named")
    def test_a_player_characters_move_needs_a_name(self) -> None:
        moves = (*known(*[m.id for m in starting().moves][1:]), KnownMove("attack-high"))
        assert wrong(starting(moves=moves)) == ["moves.attack-high has no proper name; make one up"]


class TestCombos:
    @pytest.mark.book("level-up.follow-up-known")
    def test_follow_ups_must_be_known_in_unroll(self) -> None:
        sheet = starting(level=2, combos={"attack-high": ("defend-mid", "grapple-high")})
        assert wrong(sheet) == [
            "combos.attack-high[1] grapple-high must be known before it can follow up; "
            "learn it first"
        ]
        for ruleset in TRIANGLES:
            both = {"attack-high": ("defend-mid", "grapple-high")}
            assert wrong(starting(ruleset, level=2, combos=both)) == []

    @pytest.mark.book("level-up.start-known")
    def test_the_party_must_know_the_starting_move(self) -> None:
        sheet = starting(level=2, combos={"grapple-high": ("defend-mid", "attack-high")})
        assert wrong(sheet) == []  # the party is not checked here
        text = "combos.grapple-high starts from a move that neither Wenna nor an ally knows"
        assert wrong(sheet, alone=False) == [text]
        friend = starting(name="Jory", moves=known("grapple-high"))
        assert wrong(sheet, friend, alone=False) == []
        variant = starting(name="Jory", moves=known("grapple-high +1"))
        assert wrong(sheet, variant, alone=False) == [text]

    @pytest.mark.book("combo.two-follow-ups", "level-up.two-of-one")
    def test_at_most_two_follow_ups_for_a_starting_move(self) -> None:
        three = ("defend-mid", "attack-mid", "attack-high")
        sheet = starting(level=3, combos={"attack-high": three})
        assert wrong(sheet) == [
            "combos.attack-high has 3 follow-ups; at most 2 for a starting move"
        ]

    def test_follow_ups_are_moves_and_appear_once(self) -> None:
        odd = starting("iron-triangle", level=1, combos={"attack-high": ("kick", "defend-dash")})
        assert wrong(odd) == [
            'combos.attack-high[0] "kick" is not a move of iron-triangle',
            'combos.attack-high[1] "defend-dash" is not a move of iron-triangle',
        ]
        twice = starting(level=2, combos={"attack-high": ("attack-mid", "attack-mid")})
        assert wrong(twice) == ["combos.attack-high[1] attack-mid already follows up on it"]


class TestSpecials:
    @pytest.mark.book("specials.needs", "return.level")
    def test_a_special_may_require_a_level_and_another_special(self) -> None:
        low = starting(level=2, specials=(KnownSpecial("dig-two-graves-grapple"),))
        assert wrong(low) == [
            "specials.dig-two-graves-grapple requires level 5; Wenna has 2",
            "specials.dig-two-graves-grapple requires wax-on-grapple; learn that first",
        ]

    @EACH_BOOK
    def test_late_specials_share_the_levels_needed_for_them(self, ruleset: str) -> None:
        late = [each.id for each in EDITIONS[ruleset].specials.values() if each.level == 5][:3]
        latest = [each.id for each in EDITIONS[ruleset].specials.values() if each.level == 10]
        two = tuple(map(KnownSpecial, late[:2]))
        six = starting(ruleset, level=6, max=Energy(7, 4, 4), specials=two)
        assert not any("need level" in each for each in wrong(six))
        five = replace(six, level=5)
        assert "specials have 2 that need level 5; at 5 at most 1 can be known" in wrong(five)
        assert not wrong(npc(ruleset=ruleset, level=5, specials=two, moves=()))
        three = tuple(map(KnownSpecial, latest[:3]))
        eleven = starting(ruleset, level=11, max=Energy(8, 5, 5), specials=(*two, *three))
        assert [each for each in wrong(eleven) if "need level" in each] == [
            "specials have 3 that need level 10; at 11 at most 2 can be known"
        ]

    @pytest.mark.book("*.level", "specials.needs")
    @pytest.mark.parametrize(
        ("ruleset", "special", "level"),
        [
            ("unroll", "scouter", 0),
            ("unroll", "to-blave", 0),
            ("unroll", "there-can-be-only-one", 0),
            ("unroll", "pressure-point", 0),
            ("unroll", "wax-on-defend", 0),
            ("unroll", "santa-carla-defend", 5),
            ("unroll", "dig-two-graves-defend", 5),
            ("unroll", "predictabo-defend", 10),
            ("unroll", "yojimbo", 5),
            ("unroll", "liquid-metal", 10),
            ("unroll", "drunken-monkey", 10),
            ("unroll", "way-of-the-samurai", 10),
            ("iron-triangle", "i-already-know-attack", 10),
            ("iron-triangle", "yojimbo", 5),
            ("iron-triangle-1e", "insight", 0),
            ("iron-triangle-1e", "showdown", 0),
            ("iron-triangle-1e", "precise", 0),
            ("iron-triangle-1e", "parry-attack", 0),
            ("iron-triangle-1e", "vampire-attack", 5),
            ("iron-triangle-1e", "dig-two-graves-attack", 5),
            ("iron-triangle-1e", "premonition-attack", 10),
            ("iron-triangle-1e", "bodyguard", 5),
            ("iron-triangle-1e", "mimic", 10),
            ("iron-triangle-1e", "drunken-monkey", 10),
            ("iron-triangle-1e", "last-stand", 10),
        ],
    )
    def test_the_levels_of_each_list(self, ruleset: str, special: str, level: int) -> None:
        assert EDITIONS[ruleset].specials[special].level == level

    def test_each_book_has_its_own_list(self) -> None:
        assert [len(book.specials) for book in EDITIONS.values()] == [20, 20, 19]
        assert "predictabo-attack" not in EDITIONS["iron-triangle"].specials
        assert "to-blave" not in EDITIONS["iron-triangle-1e"].specials

    @pytest.mark.book("specials.themes")
    def test_a_specials_own_name_must_be_printable(self) -> None:
        odd = starting(level=2, specials=(KnownSpecial("scouter", "a\x07"),))
        assert wrong(odd) == ["specials.scouter has no proper name; make one up or leave it out"]

    def test_an_npc_may_know_specials_regardless_of_level(self) -> None:
        """R24. An NPC may know them but cannot use them (test_triangle_specials)."""
        samurai = (KnownSpecial("way-of-the-samurai"), KnownSpecial("dig-two-graves-attack"))
        hero = starting(level=10, max=Energy(12, 3, 3), specials=samurai[:1])
        assert wrong(hero) == []
        assert wrong(npc(level=1, specials=samurai)) == []
        variants = tuple(KnownMove("attack-high", variant=sign) for sign in ("+1", "-1"))
        assert wrong(npc(level=1, moves=variants)) == []
        assert wrong(npc(ruleset="iron-triangle", level=1, moves=variants[:1])) == [
            "moves.attack-high +1 is a variant; iron-triangle has none"
        ]


class TestLevel:
    @pytest.mark.book("level.starts-at-one", "level.starts-at-zero")
    @EACH_BOOK
    def test_a_level_below_the_start_is_refused(self, ruleset: str) -> None:
        start = EDITIONS[ruleset].level
        assert wrong(starting(ruleset, level=start - 1)) == [
            f"level is {start - 1}; {ruleset} starts at {start}"
        ]

    def test_every_level_needs_a_choice(self) -> None:
        assert wrong(starting(level=3)) == ["level 3 stands for 2 level-ups; 2 still to choose"]

    def test_an_exchanged_follow_up_leaves_no_trace(self) -> None:
        assert wrong(starting(level=4, combos={"attack-high": ("attack-mid",)})) == []
        first = starting("iron-triangle-1e", level=2, combos={"attack-high": ("defend-mid",)})
        assert places(first) == [("level",)]


def test_numbers_are_bounded() -> None:
    most = npc(level=9_999, max=Energy(9_999, 0, 0), energy=Energy())
    assert faults_of(most) == ()
    assert places(replace(most, level=10_000, max=Energy(10_000, 0, 0))) == [
        ("energy", "attack", "max"),
        ("level",),
    ]


def test_inconsistent_marks_are_refused() -> None:
    sheet = starting(goal=Trait("x", marked=True, counted=True), flaw=Trait("y", counted=True))
    assert places(sheet) == [("flaw", "counted"), ("goal", "counted")]


@pytest.mark.book("style.no-effect", "description.looks")
def test_texts_are_bounded_and_printable() -> None:
    long, bell = "x" * 2001, "ding\x07"
    assert places(starting(style=bell, description=long, flaw=Trait(bell), decided=-1)) == [
        ("style",),
        ("description",),
        ("decided",),
        ("flaw", "text"),
    ]
    assert faults_of(starting(description="two\nlines", style="x" * 2000, decided=9_999)) == ()
    assert places(replace(starting(), name="gm")) == [("name",)]
    assert faults_of(starting(rested=(Rest.SHORT,), zero=(Action.ATTACK,))) == ()
