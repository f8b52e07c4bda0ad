"""A PN532 reader simulated at its wire protocol: frames, commands, tags and a pty for its UART."""
