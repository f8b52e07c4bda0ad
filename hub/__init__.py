"""Facedown: the hub of a physical game table for simultaneous-choice games."""
