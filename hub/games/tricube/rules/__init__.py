"""Tricube Tales, after the game rules by Richard Woolcock.

A :class:`~hub.games.tricube.rules.tale.Tale` is what everything happens to: ``character`` and
``challenge`` are what it is made of. ``roll`` is one roll from its declaration to its outcome,
``karma`` what is paid for it, ``settling`` what it comes to: gain, price, effort; ``fate`` who is
defeated by it; ``opposed`` two that are rolled against each other. ``perks`` is what happens
outside of a roll, ``passing`` how a turn, a scene, a session goes by. Every step is state and word
→ state, so that a table can take them one by one; ``scripted`` folds a script over them.

No function here rolls: dice are handed in as they fell.
"""
