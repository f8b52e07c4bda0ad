"""The GM's overrules in a tale, such as ``{"what": "tokens", "name": "Wren", "karma": 2}``.

``people`` has those of characters, ``things`` of challenges, ``throws`` of the roll in progress:
each as a value, with its form and its effect. ``said`` says when each is possible. A character that
no longer takes part is not asked anything more.
"""
