"""Tricube Tales, after the game rules by Richard Woolcock.

The state is a :class:`~hub.games.tricube.rules.tale.Tale`; ``tale`` also has the end of a turn, a
scene and a session. ``roll`` is one roll from its call to its outcome, and two against each other.
``settling`` has the results of a roll: effort, gain, price, defeat. ``perks`` has the uses of perks
and the end of afflictions. All are functions from a state to a new state. ``table`` and the steps
play them at a table, :mod:`hub.games.tricube.script` from a script.

Dice are passed in; ``throwing`` computes them from the bytes of chance.
"""
