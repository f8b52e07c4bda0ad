"""The GM's word over a Conflict: everything that counts in it.

``word`` is what can be said, as values; ``cards`` moves a card, ``losses`` says what a party has
suffered, ``standing`` who has the Control, who is in and how a round has ended; ``clauses`` when
each of them can be said, and in which form. Wherever the GM puts a card it is taken away from where
it was: none is ever in two places.
"""
