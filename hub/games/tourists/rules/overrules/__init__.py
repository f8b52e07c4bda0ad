"""The GM's overrules in a Conflict, such as
``{"what": "card", "number": 39, "to": "reserve", "name": "Ada", "reversed": true}``.

``cards`` has the overrules of where a card is, ``losses`` those of a party's Losses, ``rounds``
those of the Control, the Tokens and a round's outcome, ``standing`` those of who is in. Each is a
value, with a form and an effect. ``said`` says when each is possible. Moving a card removes it from
its old place, so a card is never in two places.
"""
