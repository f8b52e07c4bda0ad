"""Installs Facedown on a machine: what has to be there is a plan, a value that can be shown first.

``steps`` defines the parts of a plan, ``carrying`` carries one out. ``broker`` and ``mosquitto``
make the broker's plan (`facedown provision`), ``program`` that of the service (`facedown install`).
"""
