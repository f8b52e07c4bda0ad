"""Bytes and JSON: what goes over a wire or into a file, and how it is checked coming back."""
