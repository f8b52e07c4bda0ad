"""Simulated hardware: readers and boards on pseudo-terminals. It is product, not test code, because
the demo uses it.
"""
