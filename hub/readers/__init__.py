"""NFC readers: the PN532 driver on nfcpy, debouncing, and a supervisor that never gives up."""
