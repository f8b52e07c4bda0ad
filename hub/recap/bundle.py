"""Bundle the display's own scripts into one, for a page that cannot load others.

Supports only the style of our own scripts: each import or export starts a line, lists its names,
and ends with the line. Other scripts are rejected, with the line at fault.
"""

import re
from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_WHOLE = re.compile(r'^import \* as (\w+) from "(\.[^"]+)";$', re.MULTILINE)
_AGAIN = re.compile(r'^export \{([^{}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_ALL_AGAIN = re.compile(r'^export \* from "(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+\.js)"\)')
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*$|\bimport\(", re.MULTILINE)
_AS = re.compile(r"(\w+)\s+as\s+(\w+)")


class CannotBundle(ValueError):
    """A script is written in an unsupported way; the message says which and where."""


def bundle(read: Callable[[str], str], entry: str) -> str:
    """One script equivalent to ``entry`` and all that it needs. Raises :class:`CannotBundle`."""
    scripts = _needed(read, entry)
    graph = {path: sorted(needs) for path, (_, needs) in scripts.items()}
    try:
        order = [*TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise CannotBundle(f"scripts need each other in a circle: {error.args[1]}") from None
    parts = ["const $load = {};\n"]
    for path in order:
        text, _ = scripts[path]
        if path == entry:
            continue
        parts.append(f"$load[{path!r}] = $once(() => {{\n{text}\n}});\n")
    once = (
        "function $once(make) { let made; return () => (made ??= make()); }\n"
        "function $later(path) { return Promise.resolve($load[path]()); }\n"
    )
    whole = once + "".join(parts) + scripts[entry][0]
    if re.search(r"</script|<!--", whole, re.IGNORECASE):
        raise CannotBundle("a script would end the element that it stands in")
    return whole


def _needed(read: Callable[[str], str], entry: str) -> dict[str, tuple[str, set[str]]]:
    """Path → the script without imports and exports, and its static imports."""
    found: dict[str, tuple[str, set[str]]] = {}
    left = [entry]
    while left:
        path = left.pop()
        if path in found:
            continue
        text, at_once, later = _rewritten(path, read(path), is_entry=path == entry)
        found[path] = text, at_once
        left += sorted(at_once | later)
    return found


def _rewritten(path: str, text: str, *, is_entry: bool) -> tuple[str, set[str], set[str]]:
    at_once: set[str] = set()
    later: set[str] = set()
    exports: dict[str, str] = {}
    spread: list[str] = []

    def to(name: str) -> str:
        return normpath(join(dirname(path), name))

    def brought(names: str, where: str) -> str:
        at_once.add(to(where))
        wanted = _AS.sub(r"\1: \2", " ".join(names.split()))
        return f"const {{ {wanted} }} = $load[{to(where)!r}]();"

    def brought_whole(name: str, where: str) -> str:
        at_once.add(to(where))
        return f"const {name} = $load[{to(where)!r}]();"

    def take_key(names: str, where: str) -> str:
        at_once.add(to(where))
        for name in filter(None, (each.strip() for each in names.split(","))):
            own, _, called = name.partition(" as ")
            exports[called or own] = f"$load[{to(where)!r}]().{own}"
        return ""

    def all_handed_on(where: str) -> str:
        at_once.add(to(where))
        spread.append(f"...$load[{to(where)!r}]()")
        return ""

    def fetched(where: str) -> str:
        later.add(to(where))
        return f"$later({to(where)!r})"

    text = _COMMENT.sub("", text)
    text = _IMPORT.sub(lambda m: brought(m[1], m[2]), text)
    text = _WHOLE.sub(lambda m: brought_whole(m[1], m[2]), text)
    text = _AGAIN.sub(lambda m: take_key(m[1], m[2]), text)
    text = _ALL_AGAIN.sub(lambda m: all_handed_on(m[1]), text)
    text = _LATER.sub(lambda m: fetched(m[1]), text)
    exports |= {name: name for _, name in _EXPORT.findall(text)}
    text = _EXPORT.sub(r"\1 \2", text)
    if left := _LEFT.search(text):
        line = text.count("\n", 0, left.start()) + 1
        raise CannotBundle(f"{path}:{line}: not read: {left[0]}")
    if is_entry:
        return text, at_once, later
    given = ", ".join([*spread, *(f"{name}: {value}" for name, value in exports.items())])
    return f"{text}\nreturn {{ {given} }};", at_once, later
