"""The command line ``facedown``; :mod:`hub.cli.main` has a list of its commands."""
