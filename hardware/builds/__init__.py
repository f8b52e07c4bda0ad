"""The builds: a shopping list for each, and pictures of its wires, made from data."""
