"""The builds: what to buy for each, and its wires as pictures, made from data."""
