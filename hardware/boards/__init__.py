"""Boards made from data: see README.md."""
