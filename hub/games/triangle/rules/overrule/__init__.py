"""The GM's word over anything: the last resort of R11, recorded with its reason.

``word`` is what can be said, as values; ``clauses`` in which form, and at which step of a conflict;
``characters`` what it makes of one character, ``turns`` of a turn, a combo or the end; ``written``
reads the text of older logs. What may be said between scenes is in the story's ``overrules``, what
may be said about a problem in the problem's.
"""
