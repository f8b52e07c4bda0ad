"""Every output, by its section in the configuration. See docs/add-an-output.md.

An output is one entry here and one class that is a :class:`hub.ports.Publisher`. They are notified
of each step in this order: a reveal goes to the broker before the pages' frames are made.
"""

from collections.abc import Mapping

from hub.config.settings import Mqtt, Web
from hub.daemon.clocks import Clock, open_clocks
from hub.daemon.homie import Homie, open_homie
from hub.daemon.mqtt import open_mqtt
from hub.daemon.output import Output
from hub.daemon.pages import open_web
from hub.daemon.panel import open_panel
from hub.daemon.prometheus import Prometheus, open_prometheus
from hub.panel.settings import PanelSettings

OUTPUTS: Mapping[str, Output] = {
    "mqtt": Output(Mqtt, open_mqtt),
    "web": Output(Web, open_web),
    "clock": Output(Clock, open_clocks, several=True),
    "panel": Output(PanelSettings, open_panel),
    "homie": Output(Homie, open_homie),
    "prometheus": Output(Prometheus, open_prometheus),
}
