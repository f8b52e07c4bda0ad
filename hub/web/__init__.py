"""Web pages: a display for everybody in the room, and a virtual table to play without readers."""
