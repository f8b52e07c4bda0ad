"""The hub's own Wi-Fi without the radio: dnsmasq with the guide's drop-in, started as
NetworkManager does, and the requests that phones make there."""

import pytest

from tests.networks.conftest import Machine, Network, until
from tests.support.hub import FACEDOWN

pytestmark = pytest.mark.networks
HOTSPOT = "10.42.0.1"
NAME = "facedown.local"
PROBES = {
    "http://connectivitycheck.gstatic.com/generate_204": "204 ",
    "http://captive.apple.com/hotspot-detect.html": "200 <HTML><HEAD><TITLE>Success",
    "http://www.msftconnecttest.com/connecttest.txt": "200 Microsoft Connect Test",
    "http://detectportal.firefox.com/success.txt": "200 success",
    "http://nmcheck.gnome.org/check_network_status.txt": "200 NetworkManager is online",
    "http://whatever.somebody.types/": "302 ",
}


def by_dns(phone: Machine, *command: object) -> str:
    """Run a command whose only name server is the hotspot's, and return its output."""
    resolv = phone.folder / "resolv.conf"
    resolv.write_text(f"nameserver {HOTSPOT}\n")
    hosts = phone.folder / "nsswitch.conf"
    hosts.write_text("hosts: files dns\n")
    script = 'mount --bind "$1" /etc/resolv.conf && mount --bind "$2" /etc/nsswitch.conf'
    return phone.run(
        "unshare", "--mount", "sh", "-c", f'{script} && shift 2 && exec "$@"', "sh",
        resolv, hosts, *command,
    )  # fmt: skip


def test_phones_stay_connected_and_find_the_table(network: Network) -> None:
    pi, phone = network.machine("pi", HOTSPOT), network.machine("phone", "10.42.0.9")
    pi.hub(more="[web.captive]\nenabled = true\n")
    folder = pi.folder / "dnsmasq-shared.d"
    folder.mkdir()
    config = pi.folder / "table" / "hub.toml"
    told = pi.run(FACEDOWN, "wifi", "dns", "--config", config)
    (folder / "facedown.conf").write_text(told)
    pi.start(
        "dnsmasq", "--conf-file=/dev/null", "--no-hosts", "--no-resolv", "--no-daemon",
        "--bind-interfaces", "--except-interface=lo", f"--listen-address={HOTSPOT}",
        f"--conf-dir={folder}", "--pid-file=", "--log-facility=-",
    )  # fmt: skip
    errors = pi.folder / "processes.txt"
    until(lambda: ":0035" in pi.run("cat", "/proc/net/udp"), errors.read_text)
    for name in (NAME, "any.name.at.all", "captive.apple.com"):
        assert by_dns(phone, "getent", "ahostsv4", name).split()[0] == HOTSPOT
    # Windows expects this address.
    assert by_dns(phone, "getent", "ahostsv4", "dns.msftncsi.com").split()[0] == "131.107.255.255"
    for asked, answer in PROBES.items():
        said = by_dns(phone, "curl", "-sS", "--max-time", "5", "-w", "\n%{http_code}", asked)
        body, _, status = said.rpartition("\n")
        assert f"{status} {body}".startswith(answer), asked
    there = by_dns(
        phone, "curl", "-sS", "-o", "/dev/null", "-w", "%{redirect_url}", "http://play.it/"
    )
    assert there == f"http://{NAME}:8080/"
    page = by_dns(phone, "curl", "-sS", "--max-time", "5", f"{there}display/about.json")
    assert f"http://{NAME}:8080/display" in page
    assert phone.asks(NAME) == [HOTSPOT]  # by multicast DNS as well
    # The captive portal does not listen on the machine's other addresses.
    pi.plug("eth1", "10.9.0.1")
    refused = pi.run("curl", "-sS", "--max-time", "2", "http://10.9.0.1/", check=False)
    assert not refused


def test_network_manager_accepts_the_guides_wifi_command() -> None:
    """The guide's command alone makes NetworkManager write the wanted connection."""
    import re
    import shlex
    import subprocess

    from tests.support.guides import GUIDES

    text = (GUIDES / "networks.md").read_text()
    (line,) = re.findall(r"^nmcli (connection add .*?[^\\])$", text, re.MULTILINE | re.DOTALL)
    words = shlex.split(line.replace("\\\n", " "))
    done = subprocess.run(
        ["nmcli", "--offline", *words], capture_output=True, text=True, timeout=30, check=True
    )
    for wanted in ("mode=ap", "key-mgmt=wpa-psk", "method=shared", "address1=10.42.0.1/24"):
        assert wanted in done.stdout
