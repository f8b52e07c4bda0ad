"""Fakes that behave like hardware: readers on ptys. Product, not test code: the demo uses them."""
