"""Boards from data: see README.md."""
