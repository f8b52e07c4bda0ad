"""The story: its beginning, the GM's deeds, the players' wishes, and scenes made from it."""

from typing import Any, ClassVar, Self

from msgspec.structs import replace

from hub.games.game import GM, IllegalChoice, RulesError
from hub.games.story import GivenDeed, Leaver, Newcomer, SceneRequest, parse_deed
from hub.games.telling import Words
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said
from hub.table.acts import characters, undo
from hub.table.acts.characters import story_of
from hub.table.fold import campaign_of
from hub.table.inputs import REVISION, Command, CommandFault, Fact, Request, SeatPage
from hub.table.records import Record, SceneSetup, StorySheets, TableEvent, secret_of
from hub.table.seating import check_names, countdowns, people, seated, see_that_all_are_played
from hub.table.state import Campaign, SeatFault, TableState, Undoes
from hub.table.transaction import Transaction


class BeginStory(Fact, frozen=True):
    """A story begins, with the configured characters."""

    ruleset: str
    sheets: StorySheets
    deeds: tuple[GivenDeed, ...] = ()
    """Deeds to tell at once, such as the first countdowns."""

    def judge(self, transaction: Transaction) -> None:
        state, sheets = transaction.state, self.sheets
        if state.story is not None:
            raise SeatFault(Reason("story-told"))
        try:
            rules = state.rulebooks.story(self.ruleset)
            rules.begin(sheets.cast, sheets.reserve, sheets.house)
        except RulesError as error:
            raise SeatFault(Reason("story-cannot-begin", why=error.reason)) from None
        names = [str(sheet["name"]) for sheet in (*sheets.cast, *sheets.reserve)]
        check_names(names, people(state, transaction.settings), Reason("no-story-begins"))
        transaction.emit(StoryBegun(ruleset=self.ruleset), sheets)
        for deed in self.deeds:
            tell(transaction, deed)


class StoryBegun(TableEvent, frozen=True, kw_only=True, tag="story-begun"):
    """A story began. Its secret is the characters' sheets, because those of NPCs are not public."""

    ruleset: str
    digest: str = ""
    """Digest of the secret; see :func:`hub.table.sealed.secret_digest`."""

    secret_type: ClassVar[Any] = StorySheets

    def fold(self, state: TableState, record: Record) -> TableState:
        sheets = secret_of(record, StorySheets).unseal()
        rules = state.rulebooks.story(self.ruleset)
        begun = rules.begin(sheets.cast, sheets.reserve, sheets.house)
        return replace(state, story=Campaign(rules, begun))


class TellStory(Command, frozen=True, tag="tell-story"):
    """Change the story by a deed; ``docs/rules/deeds.md`` lists the deeds."""

    deed: dict[str, Any] | str
    """The deed, as typed values or in its written form."""

    stale_by: ClassVar[tuple[str, ...]] = (REVISION,)

    def plain(self) -> Self:
        if isinstance(self.deed, dict):
            return self
        try:
            return replace(self, deed=str(parse_deed(self.deed)))
        except IllegalChoice as illegal:
            raise CommandFault(Reason("no-command", why=illegal.reason)) from None

    def judge(self, transaction: Transaction, request: Request) -> None:
        try:
            deed = parse_deed(self.deed) if isinstance(self.deed, str) else self.deed
        except IllegalChoice as error:
            raise SeatFault(error.reason) from None
        tell(transaction, deed)

    def told(self, words: Words) -> Said | None:
        return words.deed(self.deed) if isinstance(self.deed, dict) else None


class StoryTold(TableEvent, frozen=True, kw_only=True, tag="story-told"):
    """The GM changed the story by a deed, such as marking a countdown."""

    deed: dict[str, Any]
    """The deed as typed values, of the kind named by ``do`` (``docs/rules/deeds.md``)."""

    is_deed: ClassVar[bool] = True

    def fold(self, state: TableState, record: Record) -> TableState:
        campaign = campaign_of(state)
        told = campaign.rules.tell(campaign.state, self.deed)
        earlier = undo.piled(state, Undoes.DEED, record.seq - 1)
        return replace(state, story=replace(campaign, state=told), earlier=earlier)

    def told(self, words: Words) -> list[Said]:
        return [words.deed(self.deed)]


class WishFor(Command, frozen=True, tag="wish"):
    """Wish for a deed for a character; the GM grants or declines it."""

    name: str
    wants: dict[str, Any] | None = None
    """The deed as typed values; leave it out to take the wish back."""

    gm_only: ClassVar[bool] = False
    seat_previews: ClassVar[bool] = True

    def is_for(self, page: SeatPage) -> bool:
        return self.name in page.held()

    def previewed(self) -> Command:
        return self if self.wants is None else TellStory(self.wants)

    def judge(self, transaction: Transaction, request: Request) -> None:
        played = seated(transaction.settings, transaction.state).seating([self.name])
        if request.by != GM and self.name not in played.get(request.by, ()):
            raise SeatFault(Reason("not-yours", who=self.name))
        tell(transaction, {"do": "wish", "name": self.name, "wants": self.wants})


def tell(transaction: Transaction, given: GivenDeed) -> None:
    """Judge a deed, and record it. Raises :class:`SeatFault`."""
    campaign, before = story_of(transaction), transaction.state
    try:
        casting = campaign.rules.casting(given)
        if isinstance(casting, Newcomer):
            characters.add_character(transaction, casting.given)
            return
        if isinstance(casting, Leaver):
            characters.remove_character(transaction, casting.name)
            return
        deed = campaign.rules.read(campaign.state, given)
    except IllegalChoice as error:
        raise SeatFault(error.reason) from None
    if before.scene is not None and not campaign.rules.anytime(deed):
        raise SeatFault(Reason("waits-for-scene-end", what=deed["do"]))
    reason = campaign.rules.why_not(campaign.state, deed)
    if reason is not None:
        raise SeatFault(reason)
    transaction.emit(StoryTold(deed=deed))
    old = countdowns(before)
    new = [name for name in countdowns(transaction.state) if name not in old]
    check_names(new, old, Reason("no-countdown-begins"))
    see_that_all_are_played(transaction.settings, before, transaction.state)


def stage_scene(transaction: Transaction, asked: SceneRequest) -> tuple[str, SceneSetup]:
    """The title and setup of a scene of the story, after recording the deed that is told with it.
    Raises :class:`SeatFault`."""
    campaign = story_of(transaction)
    try:
        staged = campaign.rules.stage(campaign.state, asked)
    except RulesError as error:
        raise SeatFault(Reason("scene-cannot-begin", why=error.reason)) from None
    if staged.deed is not None:
        transaction.emit(StoryTold(deed=campaign.rules.read(campaign.state, staged.deed)))
    return staged.title, SceneSetup(staged.ruleset, staged.setup, story=True)
