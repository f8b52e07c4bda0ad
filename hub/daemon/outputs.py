"""Every output. See docs/develop/add-an-output.md.

An output is one entry here and one class that is a :class:`hub.ports.Publisher`. The outputs are
notified of each step in this order: a reveal goes to the broker before the pages' frames are made.
"""

from collections.abc import Sequence

from hub.config.output_section import Said
from hub.daemon.clocks import CLOCKS
from hub.daemon.homie import HOMIE
from hub.daemon.mqtt import MQTT
from hub.daemon.output import Output
from hub.daemon.pages import WEB
from hub.daemon.panel import PANEL
from hub.daemon.prometheus import PROMETHEUS

OUTPUTS: Sequence[Output[Said]] = (MQTT, WEB, CLOCKS, PANEL, HOMIE, PROMETHEUS)
