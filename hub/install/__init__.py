"""Installs Facedown on a machine. A plan lists all that must be there, and can be shown first.

``steps`` defines the parts of a plan, ``carrying`` carries one out. ``broker`` and ``mosquitto``
make the broker's plan (`facedown provision`), ``program`` that of the service (`facedown install`).
``table`` sets a table's ``[mqtt]`` section, and ``removing`` uninstalls.
"""
