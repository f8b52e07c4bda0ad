"""Light clocks driven by the hub: their configuration, and their wiring."""

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from typing import Annotated, Literal, Self

from msgspec import field
from msgspec.structs import replace

from hub.config.settings import Config
from hub.daemon.mqtt import fares_of
from hub.daemon.output import Opened, Output, Stage, StartError
from hub.firmware.common import faces
from hub.kernel.documents import Document
from hub.kernel.documents.sections import Section, from_to, must_be, one_of
from hub.kernel.reasons import Reason
from hub.ports import Announcement, Publisher
from hub.wire.wled import MOST_LIGHTS, MOST_PRESET, MOST_SEGMENT, MOST_TOPIC_CHARS

MOST_CLOCKS = 16


class Clock(Section, frozen=True, kw_only=True):
    """``[[clock]]``: one light clock, how the hub reaches it, and what it shows."""

    driver: Annotated[Literal["wled"], one_of("wled")]
    topic: Annotated[
        str,
        must_be(
            Reason("a-device-topic", most=MOST_TOPIC_CHARS),
            pattern=r"^(?=[^/])[A-Za-z0-9_.:/-]{0,31}[A-Za-z0-9_.:-]\Z",
        ),
    ]
    """The topic of the device, as in the device's own settings."""
    shows: Annotated[Literal["countdown", "timer", "seat", "reveal"], one_of(*faces.SHOWS)]
    of: Annotated[str, must_be(Reason("one-line-of", most=64), max_length=64)] = ""
    """The countdown that the clock shows (empty: the first one), or the seat."""
    lights: Annotated[int, from_to(1, MOST_LIGHTS)]
    segment: Annotated[int, from_to(0, MOST_SEGMENT)] = 0
    brightness: Annotated[int, from_to(1, 255)] = 128
    presets: dict[str, Annotated[int, from_to(1, MOST_PRESET)]] = field(default_factory=dict)
    """Mood of the clock → the device's own preset for it."""

    @property
    def enabled(self) -> bool:
        """Always true: a configured clock is enabled."""
        return True

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of the topic, of ``of``, and of presets for unknown moods."""
        if self.topic.startswith("facedown/"):
            yield "topic", Reason("clock-topic-ours")
        if self.of and self.shows not in (faces.COUNTDOWN, faces.SEAT):
            yield "of", Reason("clock-of-unused")
        if self.shows == faces.SEAT and not self.of:
            yield "of", Reason("clock-of-missing")
        known = [*faces.MOODS[self.shows], *faces.ALWAYS]
        for mood in self.presets:
            if mood not in known:
                yield "presets", Reason("clock-no-mood", name=ascii(mood[:32]), moods=known)


def _check(document: Document, config: Config, clocks: Sequence[Clock]) -> None:
    """Check clocks against the broker, the seats, and each other."""
    if len(clocks) > MOST_CLOCKS:
        document.blame(("clock",), Reason("clocks-too-many", most=MOST_CLOCKS))
    taken: dict[tuple[str, int], int] = {}
    seats = [seat.name for seat in config.seats]
    for index, clock in enumerate(clocks):
        place = ("clock", index, "topic")
        if not document.sound(("clock", index)):
            continue
        device = clock.topic, clock.segment
        if device in taken:
            why = Reason("clock-taken", value=ascii(clock.topic), line=taken[device])
            document.blame(place, why)
        taken.setdefault(device, document.line(place))
        if clock.shows == faces.SEAT and clock.of not in seats and document.sound(("seat",)):
            why = Reason("clock-no-seat", name=ascii(clock.of), seats=seats)
            document.blame(("clock", index, "of"), why)
    if document.sound(("mqtt",)):
        if not config.mqtt.enabled:
            document.blame(("clock",), Reason("clock-needs-broker"))
        elif config.mqtt.embedded:
            document.blame(("clock",), Reason("clock-embedded"))


class Clocks:
    """A :class:`hub.ports.Publisher` for several light clocks, run side by side."""

    def __init__(self, each: Sequence[Publisher]) -> None:
        self._each = each

    async def __aenter__(self) -> Self:
        for one in self._each:
            await one.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        """End all clocks at once."""
        from asyncio import gather

        await gather(*(one.__aexit__() for one in self._each))

    def announce(self, announcement: Announcement) -> None:
        """Announce to every clock."""
        for one in self._each:
            one.announce(announcement)


async def open_clocks(stage: Stage, said: Sequence[Clock], stack: AsyncExitStack) -> Opened:
    """Connect the clocks until ``stack`` is left. The result's ``shown``: their number."""
    from hub.daemon.broker import mqtt_settings
    from hub.mqtt.settings import MqttSettingsError
    from hub.mqtt.wled import WledClock, WledSettings

    try:
        broker = replace(mqtt_settings(stage.config, stage.world), commands=False)
        clocks = [
            WledClock(
                replace(broker, client_id=f"{broker.identifier}-clock-{number}"),
                WledSettings(
                    topic=each.topic,
                    shows=each.shows,
                    of=each.of,
                    lights=each.lights,
                    segment=each.segment,
                    brightness=each.brightness,
                    presets=each.presets,
                ),
                stage.runner.now_ms,
                fares_of(stage.runner, f"clock-{number}"),
            )
            for number, each in enumerate(said, 1)
        ]
    except MqttSettingsError as error:
        raise StartError(str(error)) from None
    return Opened(await stack.enter_async_context(Clocks(clocks)), len(clocks))


CLOCKS = Output("clock", tuple[Clock, ...], open_clocks, check=_check)


def clocks_of(config: Config) -> Sequence[Clock]:
    """The clocks in a configuration; empty if there are none."""
    return CLOCKS.enabled_in(config) or ()
