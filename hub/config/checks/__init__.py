"""Checks of a configuration against its other files and this machine."""
