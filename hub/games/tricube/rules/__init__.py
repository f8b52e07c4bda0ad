"""Tricube Tales, after the game rules by Richard Woolcock.

The state is a :class:`~hub.games.tricube.rules.tale.Tale`, made of ``character`` and ``challenge``.
``roll`` is one roll from its declaration to its outcome, and ``karma`` the payment for perks in it.
``settling`` is the result of a roll: gain, price, effort. ``fate`` is defeat, ``opposed`` two rolls
against each other, ``perks`` everything outside rolls, and ``passing`` the end of a turn, a scene
or a session. Every step is a function from state and word to a new state, so that a table can play
them one by one. ``scripted`` plays a script with them.

No function here generates dice; they are passed in.
"""
