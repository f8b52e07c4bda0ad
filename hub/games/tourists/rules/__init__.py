"""N-Dimensional Tourists: Conflict, after the book by David Teller (Yoric).

``deck`` has the cards, ``conflict`` the parties and the state of a Conflict; ``setup`` reads them.
``bidding`` and ``answers`` are what players do in a round, ``ending`` is the end of a round, all as
functions from a state to a new state. ``table`` and the steps play them at a table,
:mod:`hub.games.tourists.script` from a script. T1 to T15 are our rulings, listed in
``docs/rules/coverage-tourists.md``.
"""
