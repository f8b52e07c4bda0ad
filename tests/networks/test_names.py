"""A table's name in a network: found by others, kept, given up and taken back."""

import pytest

from tests.networks.conftest import Network, until

pytestmark = pytest.mark.networks
NAME, SECOND = "facedown.local", "facedown-2.local"


@pytest.mark.parametrize("responder", ["own", "avahi"])
def test_a_name_is_found_and_follows_the_address(network: Network, responder: str) -> None:
    pi, phone = network.machine("pi", "10.9.0.1"), network.machine("phone", "10.9.0.9")
    if responder == "avahi":
        pi.avahi("raspberrypi")
    pi.hub()
    until(lambda: phone.asks(NAME) == ["10.9.0.1"], pi.said)
    assert "http://facedown.local:8080/display" in phone.get(
        "http://10.9.0.1:8080/display/about.json", "-H", f"Host: {NAME}:8080"
    )
    pi.lease("10.9.0.77")
    until(lambda: phone.asks(NAME) == ["10.9.0.77"], pi.said)
    pi.hears("call 10.9.0.77 in its place")
    pi.stop()
    until(lambda: phone.asks(NAME) == [], pi.said)


@pytest.mark.parametrize("responder", ["own", "avahi"])
def test_the_second_hub_of_a_name_takes_another(network: Network, responder: str) -> None:
    one, two = network.machine("one", "10.9.0.1"), network.machine("two", "10.9.0.2")
    phone = network.machine("phone", "10.9.0.9")
    if responder == "avahi":
        one.avahi("raspberrypi")
        two.avahi("otherpi")
    one.hub()
    until(lambda: phone.asks(NAME) == ["10.9.0.1"], one.said)
    two.hub()
    two.hears("phones find this table at http://facedown-2.local:8080/")
    until(lambda: phone.asks(SECOND) == ["10.9.0.2"], two.said)
    assert phone.asks(NAME) == ["10.9.0.1"]


def test_a_network_that_comes_up_later_is_used(network: Network) -> None:
    pi, phone = network.machine("pi"), network.machine("phone", "10.9.0.9")
    pi.hub()
    assert "http://127.0.0.1:8080/display" in pi.said()
    pi.lease("10.9.0.1")
    until(lambda: phone.asks(NAME) == ["10.9.0.1"], pi.said)
    pi.hears("http://facedown.local:8080/display")
