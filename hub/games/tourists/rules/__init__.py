"""N-Dimensional Tourists: Conflict, after the book by David Teller (Yoric).

``deck`` and ``parties`` are what a Conflict begins with, ``conflict`` its state; ``bidding`` and
``answers`` are the words of a round, ``ending`` what follows. Every step is state and word →
state, so that a table can take them one by one; ``scripted`` folds a script over them.
"""
