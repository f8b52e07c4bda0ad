"""The version of the hub, shown by ``facedown --version`` and in the logs."""

VERSION = "1.0.0rc1"
