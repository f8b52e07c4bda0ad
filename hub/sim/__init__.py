"""Fakes that act physically: readers on ptys. Product, not test code: the demo runs on them."""
