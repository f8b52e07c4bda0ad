"""Encoding and validation of everything sent over a wire or stored in a file: bytes and JSON."""
