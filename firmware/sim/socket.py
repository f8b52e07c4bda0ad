"""A board's ``socket`` module of MicroPython, on a network that the test world holds.

``SIM_PORT_80=8080``: port 80 becomes port 8080 of this machine, for servers and clients, multicast
too. With ``SIM_PORT_53``, names are resolved there; that blocks until there is an answer.

Ref: docs of MicroPython 1.25, library socket.
"""

import os
import sys

_me, _path = sys.modules.pop("socket", None), sys.path[:]
sys.path[:] = ()
import socket as _built_in  # noqa: E402

sys.path[:] = _path
if _me is not None:
    sys.modules["socket"] = _me

AF_INET, SOCK_STREAM, SOCK_DGRAM = _built_in.AF_INET, _built_in.SOCK_STREAM, _built_in.SOCK_DGRAM
SOL_SOCKET, SO_REUSEADDR = _built_in.SOL_SOCKET, _built_in.SO_REUSEADDR
socket = _built_in.socket


def getaddrinfo(host, port, *how):
    """Resolve a name. Blocks all other tasks, as on a board."""
    there = os.getenv("SIM_PORT_%s" % port)
    if there is not None:
        port = int(there)
        if host.startswith("224."):
            host = "127.0.0.1"
    names = os.getenv("SIM_PORT_53")
    if names is not None and not host.replace(".", "").isdigit():
        host = _asked_for(host, int(names))
    return _built_in.getaddrinfo(host, port, *how)


def _asked_for(host, names):
    question = b"\0\1\1\0\0\1" + bytes(6)
    for word in host.split("."):
        question += bytes([len(word)]) + word.encode()
    asking = socket(AF_INET, SOCK_DGRAM)
    try:
        asking.connect(_built_in.getaddrinfo("127.0.0.1", names)[0][-1])
        asking.send(question + b"\0\0\1\0\1")
        answer = asking.recv(512)
    finally:
        asking.close()
    if answer[3] & 15:
        raise OSError(-2)
    return "%d.%d.%d.%d" % tuple(answer[-4:])
