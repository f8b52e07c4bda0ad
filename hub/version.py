"""The version of the hub, shown by ``facedown --version`` and in the logs."""

VERSION = "0.1.0"
