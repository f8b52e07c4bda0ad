"""The MQTT topics of a table, and the names allowed in them.

Each template is also the address of a channel in the AsyncAPI file (:mod:`hub.wire.asyncapi`).

Ref: MQTT 3.1.1 §4.7 (topic names and filters).
"""

from msgspec import Struct

from hub.kernel.bounds import PLAIN

MAX_NAME_CHARS = PLAIN.most

STATUS = "facedown/{table}/status"
STATE = "facedown/{table}/state"
SEAT = "facedown/{table}/seat/{seat}"
COUNTDOWN = "facedown/{table}/countdown/{countdown}"
TIMER = "facedown/{table}/timer"
MOMENT = "facedown/{table}/moment"
EVENT = "facedown/{table}/event"
COMMAND = "facedown/{table}/cmd"
REPLY = "facedown/{table}/reply"
REPLY_TO = "facedown/{table}/reply/{client}"
"""A topic that an MQTT 5 client may request for the replies to its own commands."""
HEALTH = "facedown/{table}/health"
TRIAL = "facedown/{table}/trial"
"""Test messages from ``facedown doctor``."""
CLOCK_STATUS = "facedown/{table}/clock/{clock}/status"
"""Online state of a custom clock, published by the clock itself."""
CLOCK_DIM = "facedown/{table}/clock/{clock}/dim"
"""Brightness wanted of a custom clock, published by its controller. The hub uses neither topic."""
HOMEASSISTANT = "homeassistant/device/facedown_{table}/config"
"""The Home Assistant discovery topic, with the default prefix."""
HOMIE_STATE = "homie/5/{table}/$state"
HOMIE_DESCRIPTION = "homie/5/{table}/$description"
HOMIE_VALUE = "homie/5/{table}/{node}/{property}"
HOMIE_SET = "homie/5/{table}/{node}/{property}/set"
"""The table as a Homie device, in the usual domain."""


class TopicFault(ValueError):
    """A name that is not allowed in a topic; the message says which, and what is allowed."""


def check_name(name: str, what: str) -> str:
    """``name`` unchanged. Raises :class:`TopicFault`, calling it ``what``, if it is not allowed."""
    if not PLAIN.holds(name):
        raise TopicFault(
            f"{what} {name[: MAX_NAME_CHARS + 1]!r} cannot stand in an MQTT topic: 1 to "
            f"{MAX_NAME_CHARS} characters, small letters a to z, digits and hyphens"
        )
    return name


class Topics(Struct, frozen=True):
    """The topics of one table. Raises :class:`TopicFault` for a name that is not allowed."""

    table: str

    def __post_init__(self) -> None:
        check_name(self.table, "the table")

    @property
    def status(self) -> str:
        """``online`` or ``offline``."""
        return STATUS.format(table=self.table)

    @property
    def health(self) -> str:
        """The hub's own health."""
        return HEALTH.format(table=self.table)

    @property
    def trial(self) -> str:
        """Test messages without meaning."""
        return TRIAL.format(table=self.table)

    @property
    def state(self) -> str:
        """The whole public view."""
        return STATE.format(table=self.table)

    @property
    def timer(self) -> str:
        """The commit timer."""
        return TIMER.format(table=self.table)

    @property
    def moment(self) -> str:
        """Further state for clocks."""
        return MOMENT.format(table=self.table)

    @property
    def event(self) -> str:
        """Each line of the event log."""
        return EVENT.format(table=self.table)

    @property
    def command(self) -> str:
        """Commands to the table."""
        return COMMAND.format(table=self.table)

    @property
    def reply(self) -> str:
        """Answers to commands."""
        return REPLY.format(table=self.table)

    @property
    def retained(self) -> tuple[str, ...]:
        """Filters for everything that the table retains."""
        one = {"table": self.table, "seat": "+", "countdown": "+"}
        kept = (STATUS, STATE, MOMENT, SEAT, COUNTDOWN, TIMER, HEALTH)
        return tuple(topic.format(**one) for topic in kept)

    def owns(self, topic: str) -> bool:
        """Whether the topic belongs to the table."""
        return topic.startswith(self.state.removesuffix("state"))

    def seat(self, name: str) -> str:
        """One seat. Raises :class:`TopicFault`."""
        return SEAT.format(table=self.table, seat=check_name(name, "the seat"))

    def countdown(self, name: str) -> str:
        """One countdown, by its id. Raises :class:`TopicFault`."""
        return COUNTDOWN.format(table=self.table, countdown=check_name(name, "the countdown"))

    def is_reply(self, topic: str) -> bool:
        """Whether a client may ask for its replies at ``topic``: only directly below ``reply``."""
        above, _, client = topic.rpartition("/")
        return above == self.reply and PLAIN.holds(client)
