"""Inputs about the story: its beginning, deeds, characters, and scenes made from it."""

from msgspec import UNSET

from hub.games.game import GM, IllegalChoice, RulesError
from hub.games.story import Leaver, Newcomer
from hub.kernel.likeness import name_faults
from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table import records as r
from hub.table.naming import check_names, countdowns, people
from hub.table.seating import displaced, is_free, seated, stands_in_scene, waits_at
from hub.table.state import Campaign, SeatFault, TableState
from hub.table.transaction import Transaction
from hub.table.views import cast

NO_STORY = Reason("no-story")


def begin_story(transaction: Transaction, given: i.BeginStory) -> None:
    """Begin a story, and record it. Raises :class:`SeatFault`."""
    if transaction.state.story is not None:
        raise SeatFault(Reason("story-told"))
    try:
        rules = transaction.state.rulebooks.story(given.ruleset)
        rules.begin(given.sheets.cast, given.sheets.reserve, given.sheets.house)
    except RulesError as error:
        raise SeatFault(Reason("story-cannot-begin", why=error.reason)) from None
    sheets = (*given.sheets.cast, *given.sheets.reserve)
    names = [str(sheet["name"]) for sheet in sheets]
    check_names(names, people(transaction.state, transaction.settings), Reason("no-story-begins"))
    transaction.emit(r.StoryBegun(ruleset=given.ruleset), given.sheets)
    for deed in given.deeds:
        tell_story(transaction, i.TellStory(deed))


def tell_story(transaction: Transaction, given: i.TellStory) -> None:
    """Judge a deed, and record it. Raises :class:`SeatFault`."""
    campaign = _campaign(transaction)
    try:
        casting = campaign.rules.casting(given.deed)
        if isinstance(casting, Newcomer):
            add_character(transaction, i.AddCharacter(casting.given))
            return
        if isinstance(casting, Leaver):
            remove_character(transaction, i.RemoveCharacter(casting.name))
            return
        deed = campaign.rules.read(campaign.state, given.deed)
    except IllegalChoice as error:
        raise SeatFault(error.reason) from None
    if transaction.state.scene is not None and not campaign.rules.anytime(deed):
        raise SeatFault(Reason("waits-for-scene-end", what=deed["do"]))
    reason = campaign.rules.why_not(campaign.state, deed)
    if reason is not None:
        raise SeatFault(reason)
    before = transaction.state
    transaction.emit(r.StoryTold(deed=deed))
    old = countdowns(before)
    new = [name for name in countdowns(transaction.state) if name not in old]
    check_names(new, old, Reason("no-countdown-begins"))
    see_that_all_are_played(transaction, before)


def wish(transaction: Transaction, given: i.WishFor) -> None:
    """Record a player's wish for a character as a deed. Raises :class:`SeatFault`."""
    played = seated(transaction.settings, transaction.state).seating([given.name])
    if given.by != GM and given.name not in played.get(given.by, ()):
        raise SeatFault(Reason("not-yours", who=given.name))
    tell_story(transaction, i.TellStory({"do": "wish", "name": given.name, "wants": given.wants}))


def add_character(transaction: Transaction, given: i.AddCharacter) -> None:
    """Add a character: record the name openly and the sheet as a secret. Raises
    :class:`SeatFault`."""
    campaign = _campaign(transaction)
    if given.by != GM:
        _see_that_it_can_ask(transaction, given)
    try:
        sheet = campaign.rules.newcomer(campaign.state, given.given)
        joined = campaign.rules.join(campaign.state, sheet)
        waits = str(sheet["name"]) in campaign.rules.waiting(joined)
        if given.joins:
            campaign.rules.enter(joined, str(sheet["name"]))
    except RulesError as error:
        raise SeatFault(Reason("cannot-join", why=error.reason)) from None
    if given.by != GM and not waits:
        raise SeatFault(Reason("for-the-gm"))
    if given.joins and transaction.state.scene is not None:
        raise SeatFault(Reason("joins-after-scene"))
    name, seats = str(sheet["name"]), transaction.settings.seats
    check_names(
        [name], people(transaction.state, transaction.settings), Reason("no-character-joins")
    )
    if given.seat and given.seat not in seats:
        raise SeatFault(Reason("no-seat", seat=given.seat, seats=[*seats]))
    for seat, actors in seats.items():
        if given.seat and given.seat != seat and name in actors:
            raise SeatFault(Reason("played-by", who=name, seat=seat))
    before = transaction.state
    event = r.CharacterJoined(name=name, seat=given.seat, joins=given.joins or UNSET)
    transaction.emit(event, r.CharacterSheet(sheet))
    if displaced(transaction.settings, transaction.state):
        raise SeatFault(Reason("namesake-in-scene", who=name))
    see_that_all_are_played(transaction, before)


def _see_that_it_can_ask(transaction: Transaction, given: i.AddCharacter) -> None:
    """Check that a seat without a character may ask for one. The answer about a name must not
    reveal characters that only the GM knows. Raises :class:`SeatFault`."""
    settings, state = transaction.settings, transaction.state
    if given.seat != given.by or given.joins or "like" in given.given:
        raise SeatFault(Reason("for-the-gm"))
    if waits_at(settings, state, given.by):
        raise SeatFault(Reason("waits-already", names=[*waits_at(settings, state, given.by)]))
    if not is_free(settings, state, given.by):
        raise SeatFault(Reason("seat-is-played"))
    name, campaign = str(given.given["name"]), _campaign(transaction)
    taken = {*campaign.rules.sheets(campaign.state), *campaign.rules.waiting(campaign.state)}
    alike = any(name_faults([name], people(state, settings)))
    if name in taken or (alike and not any(name_faults([name]))):
        raise SeatFault(Reason("name-not-free"))


def see_that_all_are_played(transaction: Transaction, before: TableState) -> None:
    """Check that a seat plays each character that can newly be in a scene. Raises
    :class:`SeatFault`."""
    new = [name for name in cast(transaction.state) if name not in cast(before)]
    seats = seated(transaction.settings, transaction.state).seating(new).values()
    homeless = [name for name in new if not any(name in actors for actors in seats)]
    if homeless:
        raise SeatFault(Reason("cannot-join-seatless", names=[*homeless]))


def remove_character(transaction: Transaction, given: i.RemoveCharacter) -> None:
    """Record that a character leaves, if it can. Raises :class:`SeatFault`."""
    campaign = _campaign(transaction)
    if given.by != GM and given.name not in waits_at(
        transaction.settings, transaction.state, given.by
    ):
        raise SeatFault(Reason("not-yours", who=given.name))
    try:
        campaign.rules.leave(campaign.state, given.name)
    except RulesError as error:
        raise SeatFault(error.reason) from None
    if stands_in_scene(transaction.state, given.name):
        raise SeatFault(Reason("in-scene", who=given.name))
    transaction.emit(r.CharacterLeft(name=given.name))
    if displaced(transaction.settings, transaction.state):
        raise SeatFault(Reason("in-scene", who=given.name))


def staged_scene(transaction: Transaction, given: i.StageScene) -> i.StartScene:
    """The requested scene; the deed told with it is recorded before the scene begins. Raises
    :class:`SeatFault`."""
    campaign = _campaign(transaction)
    try:
        staged = campaign.rules.stage(campaign.state, given.request)
    except RulesError as error:
        raise SeatFault(Reason("scene-cannot-begin", why=error.reason)) from None
    if staged.deed is not None:
        transaction.emit(r.StoryTold(deed=campaign.rules.read(campaign.state, staged.deed)))
    return i.StartScene(staged.title, r.SceneSetup(staged.ruleset, staged.setup, story=True))


def _campaign(transaction: Transaction) -> Campaign:
    if transaction.state.story is None:
        raise SeatFault(NO_STORY)
    return transaction.state.story
