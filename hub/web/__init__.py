"""Web pages: a display for the room, and a virtual table to play without readers."""
