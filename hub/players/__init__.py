"""The hub's players: they can play any seat, see only its own page, and choose as its player
would."""
