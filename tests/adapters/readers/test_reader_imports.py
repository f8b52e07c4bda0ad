"""The modules that importing the readers may load, and those it must not."""

import subprocess
import sys

WATCHED = """
import sys

started = []
sys.addaudithook(lambda event, args: started.append((event, args)) if event in STARTS else None)
STARTS = ("subprocess.Popen", "os.system", "os.posix_spawn", "os.fork", "os.exec")
import hub.readers.pn532

read = [name for name in ("usb1._libusb1", "nfc.clf.pn532") if name in sys.modules]
print(started, read, type(hub.readers.chipset.nfc.clf.transport.libusb).__name__)
hub.readers.chipset.nfc.clf.transport.libusb.USBContext
print("usb1._libusb1" in sys.modules)
"""


def test_nfcpy_is_imported_without_its_search_for_libraries() -> None:
    """Searching for libusb or libcrypto runs a linker, and perhaps a compiler."""
    found = subprocess.run(
        [sys.executable, "-c", WATCHED], capture_output=True, text=True, check=True
    )
    assert found.stdout.split("\n") == ["[] ['nfc.clf.pn532'] _LazyModule", "True", ""]
