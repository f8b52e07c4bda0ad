"""Facedown on a machine of its own: what is written where, as values, and how it is carried out.

``steps`` says what a plan is made of, ``carrying`` carries one out. ``broker`` and ``roles`` make
the broker's plan (`facedown provision`), ``program`` that of the service (`facedown install`).
"""
