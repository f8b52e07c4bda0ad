"""Draws the app's icons from ``icon.svg``, in the sizes that phones ask for.

Run it as ``PYTHONPATH=. python scripts/draw_icons.py``. Phones cut a maskable icon to any shape, so
its drawing stays within the inner four fifths, and its ground extends to the edge (W3C Web
Application Manifest).
"""

import re
from base64 import b64decode
from pathlib import Path

from tests.support.browser import chromium

STATIC = Path(__file__).parents[1] / "hub" / "web" / "static"
SIZES = {"180": (180, True), "192": (192, False), "512": (512, False), "maskable": (512, True)}
"""The icons to draw: name → size in pixels, and whether its ground extends to the edge."""


def main() -> None:
    """Write all icons of :data:`SIZES` as PNG files."""
    drawing = (STATIC / "icon.svg").read_text()
    whole = re.sub(r'rx="14"', 'rx="0"', drawing).replace("0 0 64 64", "-6 -6 76 76", 1)
    whole = whole.replace(
        '<rect width="64" height="64"', '<rect x="-6" y="-6" width="76" height="76"', 1
    )
    (STATIC / "icons").mkdir(exist_ok=True)
    with chromium() as browser:
        for name, (size, edge) in SIZES.items():
            svg = (whole if edge else drawing).replace(
                "<svg ", f'<svg width="{size}" height="{size}" ', 1
            )
            browser.get(f"data:text/html,<style>body{{margin:0}}</style>{svg.replace('#', '%23')}")
            clip = {"x": 0, "y": 0, "width": size, "height": size, "scale": 1}
            browser.execute_cdp_cmd(
                "Emulation.setDefaultBackgroundColorOverride",
                {"color": {"r": 0, "g": 0, "b": 0, "a": 0}},
            )
            shot = browser.execute_cdp_cmd(
                "Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True}
            )
            (STATIC / "icons" / f"{name}.png").write_bytes(b64decode(shot["data"]))


if __name__ == "__main__":
    main()
