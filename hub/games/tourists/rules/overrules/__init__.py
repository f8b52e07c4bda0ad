"""The GM's overrules in a Conflict, such as
``{"what": "card", "number": 39, "to": "reserve", "name": "Ada", "reversed": true}``.

``cards`` has those that move a card, ``losses`` of a party's Losses, ``standing`` of the Control,
of who is in, and of a round's outcome: each as a value, with its form and its effect. ``said`` says
when each is possible. Moving a card removes it from its old place, so a card is never in two
places.
"""
