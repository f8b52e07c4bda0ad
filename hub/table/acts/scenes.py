"""Scenes: their start, from the configuration or from the story, and their end."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from hub.games.game import GM, Game, IllegalChoice, RulesError, SetupError
from hub.games.telling import Words
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, names, said
from hub.table.acts import story, undo
from hub.table.acts.characters import story_of
from hub.table.fold import scene_of
from hub.table.inputs import PHASE, REVISION, SCENE, Command, CommandFault, Files, Request
from hub.table.records import Event, Record, SceneSetup, TableEvent, secret_of
from hub.table.seating import check_names, people, seated
from hub.table.state import Ended, HubMisuse, LeftOpen, Scene, SeatFault, TableState, Undoes
from hub.table.transaction import Transaction

MOST_ENDED = 12
"""How many closed scenes the table remembers, to show them between scenes."""
MOST_SETUP_BYTES = 48 * 1024
"""The longest setup of a scene that fits into its line of the log."""

SetupText = Annotated[str, Meta(extra_json_schema={"contentMediaType": "application/json"})]


class StartScene(Command, frozen=True, tag="start-scene"):
    """Start a scene: the configured one or, if it is described here, one from the story."""

    scene: dict[str, Any] | None = None
    """A scene of the story: its ``type``, a ``title``, and the further fields of that type."""

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, REVISION)

    def prepared(self, request: Request, state: TableState, files: Files) -> Request:
        return replace(request, scene=files.scene()) if self.scene is None else request

    def judge(self, transaction: Transaction, request: Request) -> None:
        """Begin the scene. The deed told with a scene of the story is recorded first. Raises
        :class:`SeatFault`, and :class:`CommandFault` for a scene that the story does not know."""
        after = transaction.state.seq
        title, setup = request.scene or self._staged(transaction)
        state, settings = transaction.state, transaction.settings
        try:
            game = state.rulebooks.game(setup.ruleset)
            begun = game.begin(setup.game)
            actors = game.actors(begun)
        except SetupError as error:
            # The faults may be about the GM's characters, which the recipient may not know.
            raise SeatFault(Reason("scene-setup-faults", count=len(error.faults))) from None
        except RulesError as error:
            raise SeatFault(Reason("scene-cannot-begin", why=error.reason)) from None
        known = people(state, settings)
        new = [actor for actor in actors if actor not in known]
        check_names(new, known, Reason("no-scene-begins"))
        check_names(game.sides(begun), (), Reason("no-scene-begins"))
        seats = seated(settings, state).seating(actors)
        everybody = [actor for playing in seats.values() for actor in playing]
        homeless = [actor for actor in actors if everybody.count(actor) != 1]
        if homeless:
            raise SeatFault(Reason("played-by-one-seat", names=[*homeless]))
        if game.gm_seals:
            at = settings.gm_seat or GM
            seats = {**seats, at: (*seats.get(at, ()), GM)}
        transaction.emit(
            SceneStarted(
                scene=state.scenes + 1,
                ruleset=setup.ruleset,
                title=title,
                seats=seats,
                after=after,
                setup=_shown_setup(setup, game),
                away=_away(state, game, begun) or UNSET,
            ),
            replace(setup, rulings=game.rulings),
        )

    def _staged(self, transaction: Transaction) -> tuple[str, SceneSetup]:
        rules = story_of(transaction).rules
        try:
            asked = msgspec.convert(self.scene or {}, rules.request_type)
        except msgspec.ValidationError as error:
            place = str(error).replace("`$", "`$.scene")
            raise CommandFault(Reason("no-command", why=place)) from None
        return story.stage_scene(transaction, asked)


class OpenSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The setup of a scene, as the rules read it."""

    game: SetupText
    """A JSON object without white space. It is kept as text because the order of its keys matters
    (characters around the table), whereas a log line sorts its keys."""
    rulings: int
    """The version of the rulings by which the scene is played."""

    def values(self) -> dict[str, Any]:
        """The parsed object. Raises :class:`ValueError` if it is not an object in its canonical
        form."""
        values = msgspec.json.decode(self.game, type=dict[str, Any])
        if _written(values) != self.game:
            raise ValueError("a setup is not in its one form")
        return values


class SceneStarted(TableEvent, frozen=True, kw_only=True, tag="scene-started"):
    """A scene began. Its secret is the whole setup, because NPCs' abilities are not public."""

    scene: int
    ruleset: str
    title: str
    seats: dict[str, tuple[str, ...]]
    """Seat → the actors that it plays."""
    after: int
    """Number of the last record before the GM's request, which may have told the stakes first."""
    digest: str = ""
    """Digest of the secret; see :func:`hub.table.sealed.secret_digest`."""
    setup: OpenSetup | UnsetType = UNSET
    """The scene's setup, if its rules show all of it; left out otherwise."""
    away: tuple[str, ...] | UnsetType = UNSET
    """Actors absent from the start because their players have left; left out if there are none."""

    secret_type: ClassVar[Any] = SceneSetup

    def __post_init__(self) -> None:
        if self.away == ():
            raise ValueError("`away` is left out where nobody is away")

    def fold(self, state: TableState, record: Record) -> TableState:
        setup = secret_of(record, SceneSetup).unseal()
        game = state.rulebooks.game(self.ruleset)
        if setup.rulings != game.rulings:
            raise HubMisuse(
                f"record {record.seq} begins a scene by rulings that are not known here"
            )
        if self.setup is not UNSET and self.setup != open_setup(setup.game, setup.rulings):
            raise HubMisuse(f"record {record.seq} shows another setup than the one it commits to")
        begun = game.begin(setup.game, setup.rulings)
        away = self.away or ()
        for actor in away:
            begun = game.sit_out(begun, actor, out=True)
        scene = Scene(
            number=self.scene,
            rules=game,
            title=self.title,
            seats=self.seats,
            game=begun,
            pending=game.pending(begun),
            turn=game.turn(begun),
            of_story=setup.story,
            checkpoint_seq=record.seq,
            sits_out=frozenset(away),
        )
        first = self.scene if state.evening_over else state.evening_first
        return replace(
            state,
            scene=replace(scene, checkpoint=scene),
            scenes=self.scene,
            earlier=undo.piled(state, Undoes.START, self.after),
            evening_over=False,
            evening_first=first,
        )

    def told(self, words: Words) -> list[Said]:
        key = "gm.log.scene" if self.title else "gm.log.scene.untitled"
        playing = names(who for all_ in self.seats.values() for who in all_)
        title = {"title": self.title} if self.title else {}
        kind = words.scene(self.ruleset)
        return [said(key, number=self.scene, kind=kind, names=playing, **title)]


class EndScene(Command, frozen=True, tag="end-scene"):
    """Close the scene, finished or not."""

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE)

    def judge(self, transaction: Transaction, request: Request) -> None:
        transaction.emit(SceneEnded(left=transaction.scene.left_open() or UNSET))
        transaction.unbind()


class SceneEnded(Event, frozen=True, kw_only=True, tag="scene-ended"):
    """The scene was closed, finished or not."""

    left: LeftOpen | UnsetType = UNSET
    """The choices left undecided; left out if there are none."""

    def fold(self, state: TableState, record: Record) -> TableState:
        scene = scene_of(state)
        first = scene
        while first.checkpoint is not None:
            first = first.checkpoint
        campaign = state.story if scene.of_story else None
        closed = Ended(
            number=scene.number,
            title=scene.title,
            rules=scene.rules,
            began=first.game,
            game=scene.game,
            over=scene.left_open() is None,
            stakes=campaign.rules.view(campaign.state).stakes if campaign else "",
            left=self.left or None,
        )
        if campaign is not None:
            told = campaign.rules.after(campaign.state, scene.rules.ruleset, scene.game)
            campaign = replace(campaign, state=told)
        return replace(
            state,
            story=campaign or state.story,
            scene=None,
            paused=False,
            ended=(*state.ended, closed)[-MOST_ENDED:],
            earlier=undo.piled(state, Undoes.END, record.seq - 1),
        )

    def told(self, words: Words) -> list[Said]:
        if not self.left:
            return super().told(words)
        what, waits = words.left(self.left.step), self.left.waits
        key = "between.undecided" if waits else "between.undecided.alone"
        left = said(key, what=what, names=names(waits)) if waits else said(key, what=what)
        return [said("gm.log.scene-ended.left", left=left)]


def open_setup(game: Mapping[str, Any], rulings: int) -> OpenSetup:
    """``game`` as it is written in a line of the log, with the version of the ``rulings`` used."""
    return OpenSetup(game=_written(game), rulings=rulings)


def _written(game: Mapping[str, Any]) -> str:
    return msgspec.json.encode(game).decode()


def _shown_setup(setup: SceneSetup, game: Game[Any]) -> OpenSetup | UnsetType:
    """The public setup, if the rules show all of it, so that the log alone is enough to follow.
    Raises :class:`SeatFault` if it is too long for a line of the log."""
    if not game.shows_setup:
        return UNSET
    shown = open_setup(setup.game, game.rulings)
    if len(shown.game.encode()) > MOST_SETUP_BYTES:
        raise SeatFault(Reason("scene-too-long", most=MOST_SETUP_BYTES))
    return shown


def _away(state: TableState, game: Game[Any], begun: Any) -> tuple[str, ...]:
    """The absent characters of a scene that begins in this state. Raises :class:`SeatFault` if it
    cannot begin without them."""
    away = tuple(actor for actor in game.actors(begun) if actor in state.away)
    try:
        for actor in away:
            begun = game.sit_out(begun, actor, out=True)
    except IllegalChoice as error:
        raise SeatFault(Reason("scene-cannot-begin", why=error.reason)) from None
    return away
