"""Tricube Tales at the table: the Game protocol over the steps of a scene."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from hub.games.game import GM, MAX_CHOICE_CHARS, MAX_WORD_CHARS, Choice, IllegalChoice, SetupError
from hub.games.scripts import Part
from hub.games.steps import StepGame
from hub.games.tricube.reasons import Reason
from hub.games.tricube.rules.character import Character
from hub.games.tricube.rules.consequences import AnyConsequence
from hub.games.tricube.rules.flow import flow
from hub.games.tricube.rules.following import of_tale
from hub.games.tricube.rules.overrules.said import WORD
from hub.games.tricube.rules.perks import is_perk
from hub.games.tricube.rules.roll_steps import APPROACH, QUIRK
from hub.games.tricube.rules.said import MAX_NAME_CHARS
from hub.games.tricube.rules.step import Step
from hub.games.tricube.rules.steps import step_of
from hub.games.tricube.rules.table import DICE, RULINGS, Table
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.rules.throwing import thrown_by_all
from hub.games.tricube.rules.view import TricubeView, is_settled, public_view
from hub.games.tricube.rules.written import CHALLENGE_KEYS, read_challenge, read_characters
from hub.kernel.bounds import Bound
from hub.kernel.documents import Document
from hub.kernel.faults import Faulty, Place, shown

WORDS = Bound(most=MAX_WORD_CHARS, least=1)
"""The limits of a character's texts other than its name."""
_NO_LINE = Reason("no-sheet-text", most=MAX_WORD_CHARS)
MOST_QUIRK = MAX_CHOICE_CHARS - len(str(Choice(APPROACH, f"{QUIRK} ")) + " ")
"""The greatest length of a quirk that fits in a sealed approach."""


class TricubeGame(StepGame[Table]):
    """The rules of a scene of a tale at the table. The state is a :class:`Table`."""

    ruleset = "tricube"
    rulings = RULINGS
    over = Reason("scene-is-over")
    view_type = TricubeView
    gms_word = WORD
    shows_setup = True
    tells_falls = True
    gm_seals = True

    def begin(self, setup: Mapping[str, Any], rulings: int = RULINGS) -> Table:
        """The table at the start of a scene. ``setup`` has the ``characters`` as for ``facedown
        resolve``, the initial ``challenges``, and ``dice``, which are thrown by the ``table`` (the
        default) or by ``hand``.

        Raises :class:`SetupError` with every fault and its place.
        """
        document = Document(None)
        try:
            return replace(self._read(document, setup), rulings=rulings)
        except Faulty as faulty:
            raise SetupError(*faulty.faults) from None

    def _read(self, document: Document, setup: Mapping[str, Any]) -> Table:
        given = Part(document, setup, (), ("characters",), ("ruleset", "challenges", "dice"))
        dice = given.given.get("dice", DICE[0])
        if dice not in DICE:
            given.blame(Reason("not-one-of", text=repr(dice), names=[*DICE]), "dice")
        given.check()
        characters = read_characters(document, given.given["characters"], ("characters",))
        for who, each in characters.items():
            at = ("characters", who)
            if who == GM:
                document.blame(at, Reason("gm-no-name", gm=GM))
            _blame_texts(document, at, each)
            for index, quirk in enumerate(each.quirks):
                if len(quirk) > MOST_QUIRK:
                    document.blame(
                        (*at, "quirks", index), Reason("quirk-too-long", most=MOST_QUIRK)
                    )
            for index, perk in enumerate(each.perks):
                if not is_perk(perk):
                    why = Reason("no-perk-name", text=shown(perk))
                    document.blame((*at, "perks", index), why)
        prepared, challenges = given.by_name("challenges"), {}
        for name in prepared.given:
            if len(name) > MAX_NAME_CHARS or not name.isprintable() or not name.strip():
                prepared.blame(Reason("name-of-something", most=MAX_NAME_CHARS), name)
            challenges[name] = read_challenge(prepared.part(name, (), CHALLENGE_KEYS))
        given.check()
        return Table(tale=Tale(characters, challenges), dice=dice)

    def fall(
        self, on: Mapping[str, Any], choices: Mapping[str, Choice], chance: bytes
    ) -> dict[str, Any]:
        """The dice that the table throws, under the key ``dice``: roller → faces. ``on`` is
        described at :func:`thrown_by_all`."""
        rolling = {who for who, choice in choices.items() if choice.kind == APPROACH}
        return {"dice": thrown_by_all(on, rolling, chance)}

    def sheet(self, state: Table, actor: str) -> Any:
        """The character's archetype, tokens, perks, quirks and afflictions."""
        return self.view(state).cast[actor]

    def actors(self, state: Table) -> tuple[str, ...]:
        """The characters in their order around the table."""
        return tuple(state.tale.characters)

    def step_of(self, state: Table) -> Step | None:
        """The step that the scene is at; None when it is over."""
        return step_of(state)

    def go_on(self, state: Table) -> Table:
        """The table once everything that needs no choice is done."""
        return flow(state)

    def stops(self, state: Table) -> int:
        """How many stops for undo there have been, such as after a settled roll, a perk or a
        turn."""
        return state.stops

    def anew(self, state: Table) -> int:
        """Counts the overrules made while approaches are being sealed; each voids the approaches
        chosen so far."""
        return state.anew

    def turn(self, state: Table) -> int:
        """The number of the turn, from 1."""
        return state.turn

    def sit_out(self, state: Table, actor: str, *, out: bool) -> Table:
        """The table after the player of ``actor`` has left or, with ``out`` false, returned. A
        character whose player has left is asked nothing, and the GM throws for its NPCs. Raises
        :class:`IllegalChoice` if the character has a roll or a question open."""
        rolling, asking = state.rolling, state.asking
        if out and rolling and actor in rolling.rolls and not is_settled(rolling, actor):
            raise IllegalChoice(Reason("roll-first", who=actor))
        if out and asking and actor == asking.who:
            raise IllegalChoice(Reason("answer-first", who=actor))
        away = state.away | {actor} if out else state.away - {actor}
        if out and rolling and not rolling.landed:
            left = {npc: GM for npc, by in rolling.throwers.items() if by == actor}
            rolling = replace(rolling, throwers={**rolling.throwers, **left})
        return flow(replace(state, away=away, rolling=rolling))

    def view(self, state: Table) -> TricubeView:
        """The public view. It shows everything but sealed choices."""
        return public_view(state)

    def consequences(self, before: TricubeView | None, after: TricubeView) -> list[AnyConsequence]:
        """The consequences that lead from the view ``before`` to ``after``. ``before`` is None at
        the start."""
        return of_tale(before, after)


def _blame_texts(document: Document, at: Place, character: Character) -> None:
    """Record faults for texts that cannot be repeated exactly at a table."""
    for index, affliction in enumerate(character.afflictions):
        if not WORDS.holds(affliction.name):
            document.blame((*at, "afflictions", index, "name"), _NO_LINE)
    for key in ("perks", "quirks"):
        for index, text in enumerate(getattr(character, key)):
            if not WORDS.holds(text):
                document.blame((*at, key, index), _NO_LINE)
    if not WORDS.holds(character.concept):
        document.blame((*at, "concept"), _NO_LINE)
