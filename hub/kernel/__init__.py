"""Building blocks of every room: reasons, faults, documents, names that look alike, catalogues.

Imports nothing else of the hub.
"""
