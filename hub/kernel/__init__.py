"""Building blocks shared by all packages: reasons, faults, documents, look-alike names, catalogues.

Imports nothing else from the hub.
"""
