"""The command line: each command reads files or runs the daemon, and says what came of it."""
