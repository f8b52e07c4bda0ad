"""The name of a table in a network: found by others, kept, given up, given back."""

import pytest

from tests.networks.conftest import Network, until

pytestmark = pytest.mark.networks


def test_own(network: Network) -> None:
    pi, phone = network.machine("pi", "10.9.0.1"), network.machine("phone", "10.9.0.9")
    phone.avahi("phone")
    pi.hub()
    until(lambda: phone.resolves("facedown.local") == "10.9.0.1", pi.said)
    print(pi.said())


def test_avahi(network: Network) -> None:
    pi, phone = network.machine("pi", "10.9.0.1"), network.machine("phone", "10.9.0.9")
    pi.avahi("raspberrypi")
    pi.hub()
    until(lambda: phone.asks("facedown.local") == ["10.9.0.1"], pi.said)
    print(pi.said())
