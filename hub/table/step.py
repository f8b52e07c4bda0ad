"""``step()``: the consequences of an input. It judges and writes records; it changes nothing
itself."""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from hub.games.game import (
    GM,
    Choice,
    Game,
    IllegalChoice,
    Kind,
    RulesError,
    SetupError,
)
from hub.kernel.bounds import BECAUSE
from hub.kernel.reasons import Reason
from hub.table import absence, counting, evening, field, hub_player, portrait, story, undoing
from hub.table import inputs as i
from hub.table import records as r
from hub.table.desk import SeatSignal, matters
from hub.table.naming import check_names, people
from hub.table.open_setup import MOST_SETUP_BYTES, OpenSetup, open_setup
from hub.table.phases import NOT_NOW, TRANSITIONS
from hub.table.sealed import from_hub, from_page
from hub.table.seating import seated
from hub.table.signals import Signal
from hub.table.spots import Desk
from hub.table.state import (
    HUB_PLAYER,
    PASS,
    AtZero,
    Phase,
    Seal,
    SeatFault,
    Settings,
    TableState,
    phase_of,
)
from hub.table.transaction import Transaction
from hub.table.views import refusal


class Step(Struct, frozen=True):
    """The result of an input: make ``records`` durable, then adopt ``state`` and ``desk``."""

    records: tuple[r.Record, ...]
    state: TableState
    desk: Desk
    tells: tuple[SeatSignal, ...]
    """Signals for single seats: for their lamp and their page only."""


def step(
    state: TableState,
    desk: Desk,
    given: i.Input,
    *,
    settings: Settings,
    now_ms: int,
    entropy: bytes,
    written: Callable[[r.Record], r.Record],
) -> Step:
    """Judge ``given`` on ``state`` and ``desk``, which stay unchanged, and return the result.

    ``now_ms`` is the time (ms since the Unix epoch), ``entropy`` 32 fresh random bytes, from which
    the nonces of this step's seals are drawn. ``written`` takes each record down and returns it as
    it will be read back; that one is folded, so that a restart cannot differ.

    Raises :class:`SeatFault` for a request that is not possible now, :class:`HubMisuse` for a seat
    that the table does not have.
    """
    phase = phase_of(state)
    if (phase, type(given)) not in TRANSITIONS:
        raise SeatFault(Reason("not-now", why=NOT_NOW[phase]))
    transaction = Transaction(
        state, desk, settings, now_ms=now_ms, entropy=entropy, written=written
    )
    before = matters(state, desk)
    _HANDLERS[type(given)](transaction, given)
    transaction.tell_matters(before)
    return Step(
        tuple(transaction.records), transaction.state, transaction.desk, tuple(transaction.tells)
    )


def _begin_log(transaction: Transaction, _: i.BeginLog) -> None:
    if transaction.state.log:
        raise SeatFault(Reason("log-begun"))
    transaction.emit(r.LogBegun(table=transaction.state.table, log=transaction.nonce()))


def _start_scene(transaction: Transaction, given: i.StartScene, after: int | None = None) -> None:
    """``after``: number of the last record before the request, if a deed was recorded with it."""
    setup = given.setup
    try:
        game = transaction.state.rulebooks.game(setup.ruleset)
        begun = game.begin(setup.game)
        actors = game.actors(begun)
    except SetupError as error:
        # The faults may be about the GM's characters, which the recipient may not know.
        raise SeatFault(Reason("scene-setup-faults", count=len(error.faults))) from None
    except RulesError as error:
        raise SeatFault(Reason("scene-cannot-begin", why=error.reason)) from None
    known = people(transaction.state, transaction.settings)
    new = [actor for actor in actors if actor not in known]
    check_names(new, known, Reason("no-scene-begins"))
    check_names(game.sides(begun), (), Reason("no-scene-begins"))
    seats = seated(transaction.settings, transaction.state).seating(actors)
    everybody = [actor for playing in seats.values() for actor in playing]
    homeless = [actor for actor in actors if everybody.count(actor) != 1]
    if homeless:
        raise SeatFault(Reason("played-by-one-seat", names=[*homeless]))
    if game.gm_seals:
        at = transaction.settings.gm_seat or GM
        seats = {**seats, at: (*seats.get(at, ()), GM)}
    transaction.emit(
        r.SceneStarted(
            scene=transaction.state.scenes + 1,
            ruleset=setup.ruleset,
            title=given.title,
            seats=seats,
            after=transaction.state.seq if after is None else after,
            setup=_shown_setup(setup, game),
            away=absence.missing(transaction.state, game, begun) or UNSET,
        ),
        replace(setup, rulings=game.rulings),
    )


def _shown_setup(setup: r.SceneSetup, game: Game[Any]) -> OpenSetup | UnsetType:
    """The public setup, if the rules show all of it. Raises :class:`SeatFault` if it is too long
    for a line of the log."""
    if not game.shows_setup:
        return UNSET
    shown = open_setup(setup.game, game.rulings)
    if len(shown.game.encode()) > MOST_SETUP_BYTES:
        raise SeatFault(Reason("scene-too-long", most=MOST_SETUP_BYTES))
    return shown


def _stage_scene(transaction: Transaction, given: i.StageScene) -> None:
    before = transaction.state.seq
    _start_scene(transaction, story.staged_scene(transaction, given), before)


def _end_scene(transaction: Transaction, _: i.EndScene) -> None:
    transaction.emit(r.SceneEnded(left=transaction.scene.left_open() or UNSET))
    transaction.unbind()


def _playing_seat(transaction: Transaction, actor: str, by: str) -> str:
    """The seat that plays ``actor``, if ``by`` may speak for it. Raises :class:`SeatFault`."""
    seat = transaction.scene.seat_of(actor)
    if seat is None:
        raise SeatFault(Reason("nobody-plays", who=actor))
    if by not in {seat, GM}:
        raise SeatFault(Reason("played-elsewhere", who=actor, seat=seat, asked=by))
    return seat


def _holds(transaction: Transaction, seat: str, by: str) -> bool:
    """Whether ``by``, who may speak for the seat, holds its cards."""
    return by != GM or seat in {GM, transaction.settings.gm_seat}


def _to_take(
    transaction: Transaction, actor: str, by: str, lie: tuple[Seal, ...]
) -> tuple[str, tuple[Seal, ...]]:
    """The seat that plays the actor, and those of its seals that ``by`` may take back: for a
    character that the GM plays for its player, only the GM's own seals. Raises
    :class:`SeatFault`."""
    seat = _playing_seat(transaction, actor, by)
    if _holds(transaction, seat, by):
        return seat, lie
    mine = tuple(seal for seal in lie if seal.origin == from_page(GM))
    if actor not in transaction.state.gm_plays or (lie and not mine):
        raise SeatFault(Reason("not-gms-to-take"))
    return seat, mine


def _commit(transaction: Transaction, given: i.Commit) -> None:
    seat = _playing_seat(transaction, given.actor, given.by)
    scene = transaction.scene
    card = given.choice.unseal()
    if given.browser == HUB_PLAYER and given.actor not in transaction.state.hub_plays:
        raise SeatFault(Reason("hub-plays-not", who=given.actor))
    plays = given.actor in transaction.state.gm_plays
    stands_in = not plays and not _holds(transaction, seat, given.by)
    if stands_in and not (
        scene.deadline_passed and transaction.settings.at_zero is AtZero.GM_DECIDES
    ):
        raise SeatFault(Reason("gm-waits-for-timer"))
    if stands_in and card.kind in scene.pending.beside:
        # Whether such a card is legal depends on the cards already sealed beside the step.
        raise SeatFault(Reason("gm-sets-no-beside"))
    if card.kind in scene.pending.beside:
        _commit_beside(transaction, given, seat, card)
        return
    if given.actor not in scene.pending.must:
        raise SeatFault(Reason("not-awaited", who=given.actor))
    if given.actor in scene.seals:
        raise SeatFault(Reason("sealed-already"))
    reason = refusal(transaction.state, given.actor, card)
    if reason is not None:
        raise SeatFault(reason)
    # The card on the reader is a different one: reading or lifting it must not undo the page's
    # choice.
    transaction.forget(seat, Signal.ENDED)
    transaction.seal(given.actor, seat, card, origin=_origin(given, seat))
    transaction.lock_if_complete()


def _origin(given: i.Commit, seat: str) -> str:
    return from_hub(seat) if given.browser == HUB_PLAYER else from_page(given.by)


def _commit_beside(transaction: Transaction, given: i.Commit, seat: str, card: Choice) -> None:
    """Set a card beside the step from a page. All cards of the actor there must be from the same
    browser: whether two cards may lie together reveals what the other one is, and a holder of the
    seat's key need not hold its cards."""
    actor = given.actor
    if any(seal.browser != given.browser for seal in transaction.scene.beside.get(actor, ())):
        raise SeatFault(Reason("others-set-beside"))
    if transaction.lying(actor, card):
        raise SeatFault(Reason("beside-already"))
    reason = transaction.why_not_beside(actor, card)
    if reason is not None:
        raise SeatFault(reason)
    transaction.leave_unread(seat)
    origin = _origin(given, seat)
    transaction.seal(actor, seat, card, beside=True, origin=origin, browser=given.browser)
    transaction.lock_if_complete()


def _take_back(transaction: Transaction, given: i.TakeBack) -> None:
    if transaction.phase is not Phase.SEALED:
        _playing_seat(transaction, given.actor, given.by)
        counting.take_back(transaction, given.actor, given.by)
        return
    sealed = transaction.scene.seals.get(given.actor)
    lie = (sealed,) if sealed else ()
    seat, _ = _to_take(transaction, given.actor, given.by, lie)
    if sealed is None:
        raise SeatFault(Reason("nothing-sealed", who=given.actor))
    transaction.emit(r.TakenBack(actor=given.actor, seat=seat))
    transaction.forget(seat, Signal.ENDED)
    transaction.tell(seat, Signal.TAKEN_BACK)


def _withdraw(transaction: Transaction, given: i.Withdraw) -> None:
    lie = transaction.scene.beside.get(given.actor, ())
    seat, lie = _to_take(transaction, given.actor, given.by, lie)
    if given.choice is not None:
        card = given.choice.unseal()
        lie = tuple(s for s in lie if s.browser == given.browser and s.choice() == card)
        if not lie:
            raise SeatFault(Reason("not-set-here"))
    elif not lie:
        raise SeatFault(Reason("nothing-beside", who=given.actor))
    transaction.leave_unread(seat)
    for seal in lie:
        transaction.withdraw(seal)
    transaction.lock_if_complete()


def _drop_seal(transaction: Transaction, given: i.DropSeal) -> None:
    if given.beside:
        _drop_beside(transaction, given.actor)
        return
    seal = transaction.scene.seals.get(given.actor)
    if seal is None:
        raise SeatFault(Reason("nothing-sealed", who=given.actor))
    transaction.emit(r.SealDropped(actor=seal.actor, seat=seal.seat))
    transaction.forget(seal.seat, Signal.ENDED)
    transaction.tell(seal.seat, Signal.TAKEN_BACK)


def _drop_beside(transaction: Transaction, actor: str) -> None:
    lie = transaction.scene.beside.get(actor)
    if not lie:
        raise SeatFault(Reason("nothing-beside", who=actor))
    transaction.leave_unread(lie[-1].seat)
    transaction.withdraw(lie[-1], None)
    transaction.lock_if_complete()


def _decide(transaction: Transaction, given: i.Decide) -> None:
    scene = transaction.scene
    most = scene.pending.most_chars(given.choice.kind)
    if len(str(given.choice)) > most:
        raise SeatFault(Reason("choice-form", most=most))
    if given.actor != GM:
        _playing_seat(transaction, given.actor, given.by)
    elif given.by != GM:
        raise SeatFault(Reason("gm-decides"))
    openly = scene.pending.kind is not Kind.SEALED and given.choice.kind in scene.pending.beside
    if openly or given.choice.kind in scene.pending.declarations:
        _declare(transaction, given)
        return
    if given.choice == Choice(PASS) and given.actor in scene.answers:
        transaction.emit(r.Passed(actor=given.actor, by=given.by))
        transaction.lock_if_complete()
        return
    _check_awaited(transaction, given)
    if scene.decided.get(given.actor) != given.choice:  # ignore a repeated press
        transaction.decided(given.actor, given.choice, given.by)


def _check_awaited(transaction: Transaction, given: i.Decide) -> None:
    """Check that this can be an open choice now. Raises :class:`SeatFault`."""
    scene = transaction.scene
    if scene.pending.kind is Kind.SEALED:
        raise SeatFault(Reason("sealed-card-awaited"))
    if given.choice.kind in scene.pending.early and given.choice.kind not in scene.pending.kinds:
        raise SeatFault(Reason("answers-first"))
    if given.actor not in scene.pending.must:
        raise SeatFault(Reason("not-awaited", who=given.actor))
    said = scene.decided.get(given.actor, given.choice)
    if scene.pending.stands and said != given.choice:
        raise SeatFault(Reason("stands-already", who=given.actor))
    reason = refusal(transaction.state, given.actor, given.choice)
    if reason is not None:
        raise SeatFault(reason)
    if why := transaction.why_not_together(given.actor, given.choice):
        raise SeatFault(why)


def _declare(transaction: Transaction, given: i.Decide) -> None:
    scene = transaction.scene
    if given.actor in scene.seals:
        raise SeatFault(Reason("take-back-first"))
    if scene.asks_nothing_of(given.actor):
        raise SeatFault(Reason("sits-out-already", who=given.actor))
    try:
        scene.rules.declare(scene.game, given.actor, given.choice)
    except IllegalChoice as error:
        raise SeatFault(error.reason) from None
    transaction.declare(given.actor, given.choice, given.by)


def _overrule(transaction: Transaction, given: i.Overrule) -> None:
    scene = transaction.scene
    try:
        word = scene.rules.word(scene.game, given.word)
    except IllegalChoice as error:
        raise SeatFault(error.reason) from None
    if not BECAUSE.holds(word.because):
        raise SeatFault(Reason("word-needs-reason"))
    transaction.overrule(word)


_HANDLERS: dict[type, Callable[[Transaction, Any], None]] = {
    i.FieldChanged: field.field_changed,
    i.ReaderFound: field.reader_found,
    i.ReaderMissing: field.reader_missing,
    i.ReaderTroubled: field.reader_troubled,
    i.ButtonPressed: field.button_pressed,
    i.Tick: field.tick,
    i.BeginLog: _begin_log,
    i.StartScene: _start_scene,
    i.EndScene: _end_scene,
    i.Commit: _commit,
    i.TakeBack: _take_back,
    i.Withdraw: _withdraw,
    i.DropSeal: _drop_seal,
    i.Decide: _decide,
    i.Overrule: _overrule,
    i.Pause: field.pause,
    i.Resume: field.resume,
    i.Undo: undoing.undo,
    i.BeginStory: story.begin_story,
    i.TellStory: story.tell_story,
    i.WishFor: story.wish,
    i.StageScene: _stage_scene,
    i.AddCharacter: story.add_character,
    i.RemoveCharacter: story.remove_character,
    i.PlayFor: absence.play_for,
    i.SitOut: absence.sit_out,
    i.LetHubPlay: hub_player.let_hub_play,
    i.Portray: portrait.portray,
    i.NameEvening: evening.name_evening,
    i.SetTimer: evening.set_timer,
    i.SetClock: evening.set_clock,
    i.EndEvening: evening.end_evening,
}
