"""The GM's overrules in a Conflict.

``word`` has the possible rulings as values. ``cards`` moves a card; ``losses`` changes a party's
Losses; ``standing`` changes the Control, who is in, and a round's outcome. ``clauses`` says when
each ruling is possible, with its form. A card that the GM puts in one place is removed from its old
place, so that it is never in two.
"""
