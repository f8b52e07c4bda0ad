"""The GM's overrules in a tale, such as ``{"what": "tokens", "name": "Wren", "karma": 2}``.

``people`` has the overrules of characters, ``things`` those of challenges, ``throws`` those of the
roll in progress. Each is a value, with a form and an effect. ``said`` says when each is possible. A
character that no longer takes part is not asked anything more.
"""
