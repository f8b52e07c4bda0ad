"""The hub's players: they can play any seat, see only that seat's page, and choose as a person
playing there would.
"""
