"""Web pages: the display for the room, the GM's and the seats' pages, and the virtual table."""
