"""Avahi or a hub ends and comes back, and the doctor reports the name meanwhile."""

import json
import signal

import pytest

from tests.networks.conftest import Machine, Network, until
from tests.support.hub import FACEDOWN

pytestmark = pytest.mark.networks
NAME, SECOND = "facedown.local", "facedown-2.local"


def diagnosed(machine: Machine) -> list[str]:
    """Return what the doctor, run on the machine itself, finds about the name."""
    file = machine.folder / "table" / "hub.toml"
    bus = f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={machine.folder / 'bus'}"
    said = machine.run(
        "env", bus, FACEDOWN, "doctor", "--json", "--config", file, check=False
    )  # fmt: skip
    found = [each for each in json.loads(said)["findings"] if each["code"].startswith("mdns")]
    return [f"{each['code']}: {each['what']}" for each in found]


def test_the_hub_answers_for_its_name_while_avahi_is_down(network: Network) -> None:
    pi, phone = network.machine("pi", "10.9.0.1"), network.machine("phone", "10.9.0.9")
    pi.avahi("raspberrypi")
    pi.hub()
    until(lambda: phone.asks(NAME) == ["10.9.0.1"], pi.said)
    assert diagnosed(pi) == [
        "mdns: phones find it at http://facedown.local:8080/; Avahi answers for it"
    ]
    pi.without_avahi()
    until(lambda: phone.asks(NAME) == ["10.9.0.1"], pi.said)
    assert diagnosed(pi) == [
        "mdns: phones find it at http://facedown.local:8080/; the hub itself answers for it"
    ]
    pi.avahi("raspberrypi")
    until(lambda: "Avahi answers" in "".join(diagnosed(pi)), pi.said)
    until(lambda: pi.resolves(NAME) == "10.9.0.1", pi.said)
    assert phone.asks(NAME) == ["10.9.0.1"]


@pytest.mark.parametrize("responder", ["own", "avahi"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_restarted_hub_has_its_name_again(
    network: Network, responder: str, how: signal.Signals
) -> None:
    """A killed hub says no goodbye. New queries go unanswered; a phone keeps an old answer for two
    minutes at most (RFC 6762, 10), and it is correct again once the hub is back."""
    pi, phone = network.machine("pi", "10.9.0.1"), network.machine("phone", "10.9.0.9")
    if responder == "avahi":
        pi.avahi("raspberrypi")
    pi.hub()
    until(lambda: phone.asks(NAME) == ["10.9.0.1"], pi.said)
    pi.stop(how)
    until(lambda: phone.asks(NAME) == [], pi.said)
    ready = diagnosed(pi)
    assert [each.partition(":")[0] for each in ready] == ["mdns-ready"]
    pi.log.write_text("")
    pi.hub()
    until(lambda: phone.asks(NAME) == ["10.9.0.1"], pi.said)
    assert SECOND not in pi.said()


def test_the_doctor_reports_a_second_hub_and_a_silent_one(network: Network) -> None:
    one, two = network.machine("one", "10.9.0.1"), network.machine("two", "10.9.0.2")
    one.hub()
    until(lambda: two.asks(NAME) == ["10.9.0.1"], one.said)
    two.hub()
    two.hears("phones find this table at http://facedown-2.local:8080/")
    until(lambda: one.asks(SECOND) == ["10.9.0.2"], two.said)
    (said,) = diagnosed(two)
    assert said.startswith("mdns-second: ") and "(10.9.0.1)" in said and SECOND in said
    two.stop()
    (said,) = diagnosed(two)
    assert said.startswith("mdns-taken: ") and "(10.9.0.1)" in said and SECOND in said


def test_a_taken_mdns_port_is_reported(network: Network) -> None:
    """A program holds the port exclusively: phones use the address, and the doctor says why."""
    pi, phone = network.machine("pi", "10.9.0.1"), network.machine("phone", "10.9.0.9")
    taking = "import socket, time; s = socket.socket(2, 2); s.bind(('', 5353)); time.sleep(600)"
    pi.start("python3", "-c", taking)
    until(lambda: ":14E9" in pi.run("cat", "/proc/net/udp"))
    pi.hub()
    pi.hears("facedown.local is not announced (Address already in use)")
    assert phone.asks(NAME) == []
    (said,) = diagnosed(pi)
    assert said.startswith("mdns-port: ") and "python3" in said and "5353" in said
    page = phone.get("http://10.9.0.1:8080/display/about.json")
    assert "http://10.9.0.1:8080/display" in page


def test_ipv6_alone_is_enough(network: Network) -> None:
    pi, phone = network.machine("pi"), network.machine("phone")
    for machine, address in ((pi, "fd09::1"), (phone, "fd09::9")):
        machine.run("ip", "address", "add", f"{address}/64", "dev", "eth0", "nodad")
    pi.hub(host="::")
    until(lambda: phone.asks(NAME, 6) == ["fd09::1"], pi.said)
    assert diagnosed(pi)[0].startswith("mdns: phones find it at http://facedown.local:8080/")
    page = "http://[fd09::1]:8080/display/about.json"
    assert "facedown.local" in phone.get(page, "-g", "-H", f"Host: {NAME}:8080")
