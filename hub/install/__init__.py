"""Facedown on a dedicated machine: the files to write, as values, and how a plan is carried out.

``steps`` defines the parts of a plan, ``carrying`` carries one out. ``broker`` and ``mosquitto``
make the broker's plan (`facedown provision`), ``program`` that of the service (`facedown install`).
"""
