"""A Pico W's ``network`` module of MicroPython: Wi-Fi that the test world turns on and off.

The world sends ``{"wifi": true}``. Without Wi-Fi the board is not connected. The sockets of this
process are the machine's own, so a test that turns the Wi-Fi off may have to cut them.

Ref: docs of MicroPython 1.25, class network.WLAN.
"""

import os

import hands

STA_IF, AP_IF = 0, 1

_there = {"wifi": os.getenv("SIM_WIFI") != "off"}
hands.others["wifi"] = lambda done: _there.update(wifi=done["wifi"])


class WLAN:
    """The Wi-Fi, as a station or an access point."""

    def __init__(self, interface=STA_IF):
        self._interface, self._active, self._joined = interface, False, None

    def active(self, on=None):
        if on is None:
            return self._active
        self._active = on
        hands.tell(wlan=self._interface, active=on)

    def config(self, *asked, **given):
        hands.tell(wlan=self._interface, config=given)

    def connect(self, ssid, key=None):
        self._joined = ssid, key
        hands.tell(wlan=self._interface, joins=ssid)

    def disconnect(self):
        self._joined = None

    def ifconfig(self):
        """The addresses of the board, and of its network: address, mask, router, name server."""
        return "127.0.0.1", "255.0.0.0", "127.0.0.1", "127.0.0.1"

    def isconnected(self):
        hands.attend()
        wanted = os.getenv("SIM_WIFI_KEY")
        fits = self._joined is not None and (wanted is None or self._joined[1] == wanted)
        return self._active and fits and _there["wifi"]
