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
SAID = "facedown/{table}/said"
EVENT = "facedown/{table}/event"
COMMAND = "facedown/{table}/cmd"
REPLY = "facedown/{table}/reply"
REPLY_TO = "facedown/{table}/reply/{client}"
"""A topic that an MQTT 5 client may request for the replies to its own commands."""
HEALTH = "facedown/{table}/health"
TRIAL = "facedown/{table}/trial"
"""The topic of test messages from ``facedown doctor``."""
CLOCK_STATUS = "facedown/{table}/clock/{clock}/status"
"""The topic of a custom clock's online state, published by the clock itself."""
CLOCK_DIM = "facedown/{table}/clock/{clock}/dim"
"""The topic of the brightness wanted of a custom clock, published by the clock's controller. The
hub uses neither of a custom clock's topics."""
HOMEASSISTANT = "homeassistant/device/facedown_{table}/config"
"""The Home Assistant discovery topic, with the default prefix."""
HOMIE_STATE = "homie/5/{table}/$state"
HOMIE_DESCRIPTION = "homie/5/{table}/$description"
HOMIE_VALUE = "homie/5/{table}/{node}/{property}"
HOMIE_SET = "homie/5/{table}/{node}/{property}/set"
"""The four ``HOMIE_`` topics are those of the table as a Homie device, in the usual domain."""


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


class _Topic:
    """A topic whose template has no other placeholder than the table."""

    def __init__(self, template: str) -> None:
        self._template = template

    def __get__(self, topics: "Topics", _: object) -> str:
        return self._template.format(table=topics.table)


class Topics(Struct, frozen=True):
    """The topics of one table. Raises :class:`TopicFault` for a name that is not allowed."""

    table: str

    status = _Topic(STATUS)
    health = _Topic(HEALTH)
    trial = _Topic(TRIAL)
    state = _Topic(STATE)
    timer = _Topic(TIMER)
    moment = _Topic(MOMENT)
    said = _Topic(SAID)
    event = _Topic(EVENT)
    command = _Topic(COMMAND)
    reply = _Topic(REPLY)

    def __post_init__(self) -> None:
        check_name(self.table, "the table")

    @property
    def retained(self) -> tuple[str, ...]:
        """Filters for all that the table retains below ``facedown/TABLE/``."""
        one = {"table": self.table, "seat": "+", "countdown": "+"}
        kept = (STATUS, STATE, MOMENT, SEAT, COUNTDOWN, TIMER, SAID, HEALTH)
        return tuple(topic.format(**one) for topic in kept)

    def owns(self, topic: str) -> bool:
        """Whether the topic is below ``facedown/TABLE/``."""
        return topic.startswith(self.state.removesuffix("state"))

    def seat(self, name: str) -> str:
        """The topic of one seat. Raises :class:`TopicFault` for a name that is not allowed."""
        return SEAT.format(table=self.table, seat=check_name(name, "the seat"))

    def countdown(self, name: str) -> str:
        """The topic of one countdown, by its id. Raises :class:`TopicFault` if the id is not
        allowed."""
        return COUNTDOWN.format(table=self.table, countdown=check_name(name, "the countdown"))

    def is_reply(self, topic: str) -> bool:
        """Whether a client may ask for its replies at ``topic``: only directly below ``reply``."""
        above, _, client = topic.rpartition("/")
        return above == self.reply and PLAIN.holds(client)
