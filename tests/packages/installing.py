"""Install the package on a Debian, and create a table there."""

from tests.packages.box import BASES, Box
from tests.support.broker import free_port

OLDER, NEWER = "0.9.0", "1.0.0"
"""Versions of the packages; the program in them is this one."""
TABLE = "/var/lib/facedown/table"
PACKAGES = BASES / "packages"
FACEDOWN = "runuser -u facedown -- facedown"


def install(box: Box, version: str = NEWER, *, status: int = 0) -> str:
    """Install with dpkg and return its output."""
    package = f"facedown_{version}_{box.architecture}.deb"
    box.put(PACKAGES / package, f"/root/{package}")
    return box.run(f"dpkg -i /root/{package} 2>&1", status=status)


def table(box: Box, *words: str, name: str = "table") -> int:
    """Create a table and return its web port."""
    port = free_port()
    box.run(
        f"{FACEDOWN} init /var/lib/facedown/{name} --yes --seats 3 --ruleset unroll --port {port} "
        + " ".join(words)
    )
    return port
