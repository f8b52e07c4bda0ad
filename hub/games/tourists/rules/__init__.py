"""N-Dimensional Tourists: Conflict, after the book by David Teller (Yoric).

``deck`` and ``parties`` are the starting data of a Conflict, ``conflict`` its state. ``bidding``
and ``answers`` are the words said in a round, ``ending`` the end of a round. Every step is a
function from state and word to a new state, so that a table can play them one by one. ``scripted``
plays a script with them.
"""
