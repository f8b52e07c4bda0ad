"""``[homie]``: the table as a Homie device on its broker; and its wiring."""

from collections.abc import Iterator
from contextlib import AsyncExitStack

from msgspec.structs import replace

from hub.config.settings import Config
from hub.config.values import Language, Name, bad_language
from hub.daemon.mqtt import fares_of
from hub.daemon.output import Opened, Output, Stage, StartError
from hub.kernel.documents import Document
from hub.kernel.documents.sections import Section
from hub.kernel.reasons import Reason


class Homie(Section, frozen=True, kw_only=True):
    """``[homie]``: the table as a Homie device on its broker."""

    enabled: bool = False
    domain: Name = "homie"
    """The first part of the device's topics."""
    language: Language = "en"
    """The language of the names in the device's description, and of what the stage says."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of the domain ``facedown``, which is taken, or of an unknown language."""
        if self.domain == "facedown":
            yield "domain", Reason("prefix-ours")
        yield from bad_language(self.language)


def _check(document: Document, config: Config, _: Homie) -> None:
    """Check that a broker is enabled."""
    if document.sound(("mqtt",)) and not config.mqtt.enabled:
        document.blame(("homie",), Reason("homie-needs-broker"))


async def open_homie(stage: Stage, homie: Homie, stack: AsyncExitStack) -> Opened:
    """Connect the device until ``stack`` is left. The result's ``shown``: its domain."""
    from hub.daemon.broker import mqtt_settings
    from hub.mqtt.homie import HomieDevice
    from hub.mqtt.settings import MqttSettingsError

    try:
        broker = mqtt_settings(stage.config, stage.world)
        device = HomieDevice(
            replace(broker, client_id=f"{broker.identifier}-homie"),
            homie.domain,
            homie.language,
            stage.runner.inbox.ask,
            fares_of(stage.runner, "homie"),
        )
    except MqttSettingsError as error:
        raise StartError(str(error)) from None
    return Opened(await stack.enter_async_context(device), homie.domain)


HOMIE = Output("homie", Homie, open_homie, check=_check)
