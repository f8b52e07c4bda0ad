"""The first set-up of a table: questions as data, for a terminal and for a page alike.

A :class:`~hub.setup.draft.Draft` knows the questions, checks every answer, and makes the plan of a
playable folder (:mod:`hub.config.starter`).
"""
