"""The command line: each command reads files or runs the daemon, and prints the result."""
