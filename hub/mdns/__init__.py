"""The name by which phones find this machine in its networks, such as ``facedown.local``.

Multicast DNS answers for it without any server (RFC 6762), and tells browsers of networks that
there are pages (RFC 6763).
"""
