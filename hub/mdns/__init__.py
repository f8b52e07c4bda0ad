"""The name by which phones find this machine in its networks, such as ``facedown.local``.

Multicast DNS resolves it without a server (RFC 6762), and announces the pages to programs that
browse for services (RFC 6763).
"""
