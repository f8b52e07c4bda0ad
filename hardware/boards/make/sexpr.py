"""Reads and writes KiCad's files, which are S-expressions, without KiCad.

A list becomes a list, a quoted text a ``str``, a word or a number a :class:`Word`, so that a file
is written back exactly as it was read.
"""

import re
from typing import Union

Node = Union["Word", str, list["Node"]]

_TOKEN = re.compile(r'"((?:\\.|[^"\\])*)"|([()])|([^\s()"]+)')


class Word(str):
    """A word or a number, which has no quotes in the file."""

    __slots__ = ()


def parse(text: str) -> list[Node]:
    """Read the first expression of a text. Raises :exc:`ValueError` if there is none."""
    stack: list[list[Node]] = [[]]
    for match in _TOKEN.finditer(text):
        quoted, paren, word = match.groups()
        if paren == "(":
            stack.append([])
        elif paren == ")":
            if len(stack) == 1:
                raise ValueError("a parenthesis closes what was not open")
            done = stack.pop()
            stack[-1].append(done)
        elif word is not None:
            stack[-1].append(Word(word))
        else:
            stack[-1].append(
                re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[1]), quoted)
            )
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("it is not one expression")
    return stack[0][0]


_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def write(node: Node, depth: int = 0) -> str:
    """Write an expression as text, with a line of its own for each list that holds others."""
    if isinstance(node, Word):
        return str(node)
    if isinstance(node, str):
        escaped = node.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    flat = [item for item in node if not isinstance(item, list)]
    if len(flat) == len(node):
        return "(" + " ".join(write(item) for item in node) + ")"
    pad = "\t" * (depth + 1)
    head = " ".join(write(item) for item in _leading(node))
    rest = "".join("\n" + pad + write(item, depth + 1) for item in node[len(_leading(node)) :])
    return f"({head}{rest}\n" + "\t" * depth + ")"


def _leading(node: list[Node]) -> list[Node]:
    for at, item in enumerate(node):
        if isinstance(item, list):
            return node[:at]
    return node


def of(*items: object) -> list[Node]:
    """Make a list: its first item and all numbers are words, all other texts are quoted."""
    made: list[Node] = []
    for at, item in enumerate(items):
        if isinstance(item, list):
            made.append(item)
        elif isinstance(item, bool):
            made.append(Word("yes" if item else "no"))
        elif isinstance(item, int | float):
            made.append(Word(f"{item:.4f}".rstrip("0").rstrip(".") if item else "0"))
        elif at == 0 or isinstance(item, Word):
            made.append(Word(str(item)))
        else:
            made.append(str(item))
    return made


def all_of(node: list[Node], head: str) -> list[list[Node]]:
    """The lists in ``node`` that begin with the word ``head``."""
    return [item for item in node if isinstance(item, list) and item and item[0] == head]


def one(node: list[Node], head: str) -> list[Node]:
    """The first list in ``node`` that begins with the word ``head``; empty if there is none."""
    return next(iter(all_of(node, head)), [])


def text(node: list[Node], at: int = 1) -> str:
    """The text at the index ``at``; empty if there is none."""
    return str(node[at]) if len(node) > at and isinstance(node[at], str) else ""


def number(node: list[Node], at: int) -> float:
    """The number at the index ``at``; 0 if there is none."""
    return float(str(node[at])) if len(node) > at else 0.0


def fields(node: list[Node]) -> dict[str, str]:
    """The properties of a symbol or footprint: name → value."""
    return {text(item, 1): text(item, 2) for item in all_of(node, "property")}
