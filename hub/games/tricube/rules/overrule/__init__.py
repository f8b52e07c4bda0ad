"""The GM's overrules in a tale.

``word`` has the possible rulings as values. ``people`` changes characters, ``things`` challenges,
``throws`` the roll in progress. ``said`` says when each ruling is possible, with its form. A
character that no longer takes part is not asked anything more.
"""
