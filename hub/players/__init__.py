"""The hub's players: they sit at any seat, see what its own page shows, and choose as it would."""
