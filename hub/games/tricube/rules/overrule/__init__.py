"""The GM's word over a tale: everything that counts in it.

``word`` is what can be said, as values; ``people`` says it of characters, ``things`` of challenges,
``throws`` of the roll in progress; ``said`` when each of them can be said, and in which form.
Whoever takes part no more by it is asked nothing more.
"""
