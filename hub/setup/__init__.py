"""Sets a table up for the first time: its questions are data, asked on a terminal or on a page.

A :class:`~hub.setup.draft.Draft` holds and checks the answers, and makes the plan of the table's
folder (:mod:`hub.config.starter`).
"""
