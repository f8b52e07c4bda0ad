"""The GM's overrules in a Conflict.

``word`` has the possible overrules as values. ``cards`` moves a card; ``losses`` changes a party's
Losses; ``standing`` changes the Control, who is in, and a round's outcome. ``clauses`` says when
each overrule is possible, with its form. Moving a card removes it from its old place, so a card is
never in two places.
"""
