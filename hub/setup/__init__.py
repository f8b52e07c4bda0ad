"""Sets up a new table. The questions are data, which a terminal or a page asks.

A :class:`~hub.setup.draft.Draft` holds and checks the answers, and makes the plan of the table's
folder (:mod:`hub.config.starter`).
"""
