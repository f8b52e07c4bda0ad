"""The first set-up of a table: questions as data, for a terminal and for a page alike.

A :class:`~hub.setup.draft.Draft` knows the questions, judges every answer, and makes the plan of a
folder that plays (:mod:`hub.daemon.starter`).
"""
