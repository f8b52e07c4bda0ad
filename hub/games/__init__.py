"""The games: the protocols between table and rules, and one folder for each family of rules.

``game`` and ``story`` are the protocols; ``steps`` implements ``game`` for games played in steps.
``family`` says what a family adds to its rules. ``registry`` lists the families and is the only
module that names them. In a family's folder, ``rules`` and ``story`` are pure: no I/O, no clock, no
randomness. ``docs/games/add-a-ruleset.md`` shows how to add a family.
"""
