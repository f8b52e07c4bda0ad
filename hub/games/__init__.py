"""The games: what the table needs of one, and a folder for each family that holds all of it.

``game``, ``story`` and ``steps`` are the protocols, ``family`` says what a family brings beyond its
rules, and ``registry`` lists the families; no other module names one. In a family's folder,
``rules`` and ``story`` are pure: no I/O, no clock, no randomness. ``docs/add-a-ruleset.md`` tells
how to add one.
"""
