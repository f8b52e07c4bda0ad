"""Characters that come into the story and leave it: NPCs, and player characters in the reserve."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from hub.games.game import GM, RulesError
from hub.games.story import Story
from hub.kernel.likeness import name_faults
from hub.kernel.reasons import Reason
from hub.table.acts import undo
from hub.table.fold import campaign_of
from hub.table.inputs import REVISION, Command, CommandFault, Files, Request, SeatPage
from hub.table.records import CharacterSheet, Record, TableEvent, secret_of
from hub.table.seating import (
    check_names,
    displaced,
    is_free,
    people,
    see_that_all_are_played,
    stands_in_scene,
    waits_at,
)
from hub.table.state import Campaign, SeatFault, TableState, Undoes
from hub.table.transaction import Transaction


class AddCharacter(Command, frozen=True, tag="add-character"):
    """Bring a character into the story: an NPC, or a player character into the reserve; from a
    sheet, from the text of a character file, or as another NPC like an existing one. A seat without
    a character asks the GM for a player character by this command."""

    sheet: dict[str, Any] | None = None
    """The character's sheet, with the keys of a character file; ``docs/rules/characters.md`` lists
    them. ``ruleset`` may be left out; without ``npc`` the character is an NPC."""
    toml: str = ""
    """The text of a character file; without ``npc`` it is a player character."""
    seat: str = ""
    """The seat that is to play the character. If empty, a replacement gets the seat of the
    character that it replaces; the GM's seat plays every other character that no seat names."""
    like: str = ""
    """The NPC of the story or its reserve to copy, instead of a sheet."""
    name: str = ""
    """The name of the copy; only with ``like``."""
    joins: bool = False
    """Whether a player character joins the party at once instead of the reserve; only between
    scenes."""

    gm_only: ClassVar[bool] = False
    seat_previews: ClassVar[bool] = True
    stale_by: ClassVar[tuple[str, ...]] = (REVISION,)

    def plain(self) -> Self:
        alike = bool(self.like), bool(self.name)
        written = (self.sheet is not None) + bool(self.toml)
        if written > 1 or (any(alike) if written else not all(alike)):
            raise CommandFault(Reason("character-form"))
        return self

    def is_for(self, page: SeatPage) -> bool:
        return page.seat != GM and self.seat == page.seat

    def prepared(self, request: Request, state: TableState, files: Files) -> Request:
        if self.like:
            return replace(request, sheet={"name": self.name, "like": self.like})
        ruleset = state.story.rules.ruleset if state.story else ""
        return replace(request, sheet=files.sheet(ruleset, self.sheet or {}, self.toml))

    def judge(self, transaction: Transaction, request: Request) -> None:
        given = request.sheet or {}
        joins = self.joins and not self.like
        rules = story_of(transaction).rules
        if request.by != GM:
            self._see_that_a_seat_can_ask(transaction, rules, given, request.by)
        add_character(transaction, given, self.seat, joins=joins, by=request.by)

    def _see_that_a_seat_can_ask(
        self, transaction: Transaction, rules: Story[Any], given: Mapping[str, Any], by: str
    ) -> None:
        """Check that a seat without a character may ask for one. The answer about a name must not
        reveal characters that only the GM knows. Raises :class:`SeatFault`."""
        settings, state = transaction.settings, transaction.state
        if self.seat != by or self.joins or "like" in given:
            raise SeatFault(Reason("for-the-gm"))
        if waits_at(settings, state, by):
            raise SeatFault(Reason("waits-already", names=[*waits_at(settings, state, by)]))
        if not is_free(settings, state, by):
            raise SeatFault(Reason("seat-is-played"))
        name, told = str(given["name"]), story_of(transaction).state
        taken = {*rules.sheets(told), *rules.waiting(told)}
        alike = any(name_faults([name], people(state, settings)))
        if name in taken or (alike and not any(name_faults([name]))):
            raise SeatFault(Reason("name-not-free"))


class CharacterJoined(TableEvent, frozen=True, kw_only=True, tag="character-joined"):
    """A character came into the story: an NPC, or a player character into the reserve. The secret
    is its sheet."""

    name: str
    seat: str = ""
    """The seat that plays the character; empty if the command named none."""
    joins: bool | UnsetType = UNSET
    """True if a player character joined the party at once, not the reserve; left out otherwise."""
    digest: str = ""
    """Digest of the secret; see :func:`hub.table.sealed.secret_digest`."""

    secret_type: ClassVar[Any] = CharacterSheet
    is_deed: ClassVar[bool] = True
    named: ClassVar[tuple[str, ...]] = ("name",)

    def __post_init__(self) -> None:
        if self.joins is False:
            raise ValueError("`joins` is left out where nobody joins")

    def fold(self, state: TableState, record: Record) -> TableState:
        campaign = campaign_of(state)
        sheet = secret_of(record, CharacterSheet).unseal().sheet
        joined = campaign.rules.join(campaign.state, sheet)
        if self.joins:
            joined = campaign.rules.enter(joined, self.name)
        return replace(
            state,
            story=replace(campaign, state=joined),
            seated={**state.seated, self.name: self.seat} if self.seat else state.seated,
            earlier=undo.piled(state, Undoes.DEED, record.seq - 1),
        )


class RemoveCharacter(Command, frozen=True, tag="remove-character"):
    """Remove an NPC from the story, or a character from the reserve. A seat may remove only its own
    in the reserve."""

    name: str

    gm_only: ClassVar[bool] = False
    stale_by: ClassVar[tuple[str, ...]] = (REVISION,)

    def is_for(self, page: SeatPage) -> bool:
        return page.seat != GM and page.held().get(self.name, False)

    def judge(self, transaction: Transaction, request: Request) -> None:
        settings, by = transaction.settings, request.by
        story_of(transaction)
        if by != GM and self.name not in waits_at(settings, transaction.state, by):
            raise SeatFault(Reason("not-yours", who=self.name))
        remove_character(transaction, self.name)


class CharacterLeft(TableEvent, frozen=True, kw_only=True, tag="character-left"):
    """An NPC, or a character in the reserve, left the story."""

    name: str

    is_deed: ClassVar[bool] = True
    named: ClassVar[tuple[str, ...]] = ("name",)

    def fold(self, state: TableState, record: Record) -> TableState:
        campaign = campaign_of(state)
        left = campaign.rules.leave(campaign.state, self.name)
        return replace(
            state,
            story=replace(campaign, state=left),
            seated={name: seat for name, seat in state.seated.items() if name != self.name},
            earlier=undo.piled(state, Undoes.DEED, record.seq - 1),
            gm_plays=state.gm_plays - {self.name},
            hub_plays=state.hub_plays - {self.name},
            away=state.away - {self.name},
        )


def story_of(transaction: Transaction) -> Campaign:
    """The table's story. Raises :class:`SeatFault` if the table has none."""
    if transaction.state.story is None:
        raise SeatFault(Reason("no-story"))
    return transaction.state.story


def add_character(
    transaction: Transaction,
    given: Mapping[str, Any],
    seat: str = "",
    *,
    joins: bool = False,
    by: str = GM,
) -> None:
    """Add a character: record the name openly and the sheet as a secret. ``given``: a sheet, or a
    ``name`` and the character it is ``like``; ``seat``, ``joins``: as in :class:`AddCharacter`;
    ``by``: the seat that asks, or ``gm``. Raises :class:`SeatFault`."""
    campaign, settings, before = story_of(transaction), transaction.settings, transaction.state
    rules = campaign.rules
    try:
        sheet = rules.newcomer(campaign.state, given)
        name = str(sheet["name"])
        joined = rules.join(campaign.state, sheet)
        waits = name in rules.waiting(joined)
        if joins:
            rules.enter(joined, name)
    except RulesError as error:
        raise SeatFault(Reason("cannot-join", why=error.reason)) from None
    if by != GM and not waits:
        raise SeatFault(Reason("for-the-gm"))
    if joins and before.scene is not None:
        raise SeatFault(Reason("joins-after-scene"))
    check_names([name], people(before, settings), Reason("no-character-joins"))
    if seat and seat not in settings.seats:
        raise SeatFault(Reason("no-seat", seat=seat, seats=[*settings.seats]))
    for other, actors in settings.seats.items():
        if seat and seat != other and name in actors:
            raise SeatFault(Reason("played-by", who=name, seat=other))
    event = CharacterJoined(name=name, seat=seat, joins=joins or UNSET)
    transaction.emit(event, CharacterSheet(sheet))
    if displaced(settings, transaction.state):
        raise SeatFault(Reason("namesake-in-scene", who=name))
    see_that_all_are_played(settings, before, transaction.state)


def remove_character(transaction: Transaction, name: str) -> None:
    """Record that a character leaves, if it can. Raises :class:`SeatFault`."""
    campaign = story_of(transaction)
    try:
        campaign.rules.leave(campaign.state, name)
    except RulesError as error:
        raise SeatFault(error.reason) from None
    if stands_in_scene(transaction.state, name):
        raise SeatFault(Reason("in-scene", who=name))
    transaction.emit(CharacterLeft(name=name))
    if displaced(transaction.settings, transaction.state):
        raise SeatFault(Reason("in-scene", who=name))
