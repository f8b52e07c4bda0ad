"""Joins scripts into one: a page loads its own in one file, and each part that it fetches later in
one more. A self-contained file has all of them inside.

Only the forms of import and export that our own scripts use are read. Any other is rejected, with
its line. Scripts may not need each other in a circle.
"""

import re
from collections.abc import Callable, Mapping
from graphlib import CycleError, TopologicalSorter
from posixpath import dirname, join, normpath, relpath

from msgspec import Struct
from rjsmin import jsmin

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_WHOLE = re.compile(r'^import \* as (\w+) from "(\.[^"]+)";$', re.MULTILINE)
_AGAIN = re.compile(r'^export \{([^{}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_ALL_AGAIN = re.compile(r'^export \* from "(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+\.js)"\)')
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*$|\bimport\(", re.MULTILINE)
_AS = re.compile(r"(\w+)\s+as\s+(\w+)")
_HERE = re.compile(r"\bimport\.meta\.url\b")
_PAGES = "js/pages/"
_ONCE = "function $once(make) { let made; return () => (made ??= make()); }\n"
_ALONE = f"""\
const $load = {{}};
const $at = () => import.meta.url;
{_ONCE}\
function $later(path) {{ return Promise.resolve($load[path]()); }}
"""
_PAGE = """\
export const $load = {};
const $root = new URL("UP", import.meta.url);
const $at = (path) => new URL(path, $root).href;
ONCE\
async function $later(path, from) {
const place = `js/later/PAGE/${from.slice(3, -3)}/-/${path.slice(3)}`;
if (!$load[path]) (await import($at(place))).default($load, $at, $once, $later);
return $load[path]();
}
""".replace("ONCE", _ONCE)
_ASKED = re.compile(r"js/later/([\w-]+)/([\w/-]+)/-/([\w/-]+\.js)")


class CannotBundle(ValueError):
    """A script is written in a way that the bundler does not read; the message says where."""


class _Script(Struct, frozen=True):
    """A script as the inside of a function, what it exports as the inside of an object, and the
    paths that it imports."""

    text: str
    exports: str
    at_once: frozenset[str]
    later: frozenset[str]


class Bundler:
    """Joins the scripts whose text ``read`` returns by their path. Each is read once."""

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read
        self._scripts: dict[str, _Script] = {}

    def alone(self, entry: str) -> str:
        """One script for an HTML file that does the same as ``entry`` and everything that it
        imports, at once or later. Raises :class:`CannotBundle`."""
        scripts = self._needed(entry, later=True)
        whole = _small(_ALONE + _registered(scripts, entry))
        if re.search(r"</script|<!--", whole, re.IGNORECASE):
            raise CannotBundle("a script would end the element that it stands in")
        return whole

    def single(self, path: str) -> str:
        """The script alone, without what a browser does not need."""
        return _small(self._read(path))

    def page(self, entry: str) -> str:
        """One module that does the same as a page's script and all that it imports at once. Raises
        :class:`CannotBundle`."""
        head = _PAGE.replace("UP", "../" * entry.count("/")).replace("PAGE", _name_of(entry))
        return _small(head + _registered(self._needed(entry), entry))

    def later(self, entry: str, importer: str, path: str) -> str:
        """One module by which ``importer``, on a page whose script is ``entry``, gets the script at
        ``path`` and all that it imports at once, except what the page and the importer have. If
        some of it may be imported later, too, the module for that is imported. Raises
        :class:`CannotBundle`."""
        has, scripts = self._had(entry, importer), self._needed(path)
        others = {
            other: by
            for by in (*sorted(scripts.keys() - has), *sorted(has))
            for other in sorted(self._script(by).later & (scripts.keys() - has - {path}))
        }
        for other, by in others.items():
            has |= self._needed(other).keys() - self._had(entry, by)
        here = dirname(_place(entry, importer, path))
        places = [relpath(_place(entry, by, other), here) for other, by in others.items()]
        taken = "".join(f'import $o{n} from "./{place}";\n' for n, place in enumerate(places))
        given = "".join(f"$o{n}($load, $at, $once, $later);\n" for n in range(len(others)))
        own = {name: script for name, script in scripts.items() if name not in has}
        # It is given what the page has: importing that would wait for a page that may wait for it.
        made = f"export default ($load, $at, $once, $later) => {{\n{given}{_registered(own)}}};\n"
        return _small(taken + made)

    def imports_later(self, importer: str, path: str) -> bool:
        """Whether the script ``importer`` imports the one at ``path`` later. Raises
        :class:`CannotBundle`."""
        return path in self._script(importer).later

    def _had(self, entry: str, importer: str) -> set[str]:
        """The scripts that a page has when ``importer`` imports another one later."""
        return self._needed(entry).keys() | self._needed(importer).keys()

    def _needed(self, entry: str, *, later: bool = False) -> dict[str, _Script]:
        """``entry`` and all that it imports by path, with ``later`` also what is imported later."""
        found: dict[str, _Script] = {}
        left = [entry]
        while left:
            path = left.pop()
            if path not in found:
                script = found[path] = self._script(path)
                left += sorted(script.at_once | script.later if later else script.at_once)
        return found

    def _script(self, path: str) -> _Script:
        if path not in self._scripts:
            try:
                text = self._read(path)
            except KeyError:
                raise CannotBundle(f"{path}: there is no such script") from None
            self._scripts[path] = _rewritten(path, text)
        return self._scripts[path]


def asked_later(path: str) -> tuple[str, str, str] | None:
    """The arguments of :meth:`Bundler.later` for a path that a page asks for; None for others."""
    asked = _ASKED.fullmatch(path)
    return asked and (f"{_PAGES}{asked[1]}.js", f"js/{asked[2]}.js", f"js/{asked[3]}")


def _place(entry: str, importer: str, path: str) -> str:
    """The path that a page asks for: the inverse of :func:`asked_later`."""
    by, wanted = importer.removeprefix("js/").removesuffix(".js"), path.removeprefix("js/")
    return f"js/later/{_name_of(entry)}/{by}/-/{wanted}"


def _name_of(entry: str) -> str:
    return entry.removeprefix(_PAGES).removesuffix(".js")


def _small(script: str) -> str:
    return str(jsmin(script))


def _registered(scripts: Mapping[str, _Script], entry: str = "") -> str:
    """A function for each script, which runs it once; ``entry`` itself at the end. Each comes after
    those that it imports."""
    graph = {path: sorted(script.at_once & scripts.keys()) for path, script in scripts.items()}
    try:
        order = [*TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise CannotBundle(f"scripts need each other in a circle: {error.args[1]}") from None
    registered = (
        f"$load[{path!r}] ??= $once(() => {{\n{scripts[path].text}\n"
        f"return {{ {scripts[path].exports} }};\n}});\n"
        for path in order
        if path != entry
    )
    return "".join(registered) + (scripts[entry].text if entry else "")


def _rewritten(path: str, text: str) -> _Script:
    at_once: set[str] = set()
    later: set[str] = set()
    exports: dict[str, str] = {}
    spread: list[str] = []

    def to(name: str) -> str:
        return normpath(join(dirname(path), name))

    def loaded(name: str) -> str:
        at_once.add(to(name))
        return f"$load[{to(name)!r}]()"

    def brought(names: str, where: str) -> str:
        wanted = _AS.sub(r"\1: \2", " ".join(names.split()))
        return f"const {{ {wanted} }} = {loaded(where)};"

    def handed_on(names: str, where: str) -> str:
        whole = loaded(where)
        for name in filter(None, (each.strip() for each in names.split(","))):
            own, _, called = name.partition(" as ")
            exports[called or own] = f"{whole}.{own}"
        return ""

    def all_handed_on(where: str) -> str:
        spread.append(f"...{loaded(where)}")
        return ""

    def fetched(where: str) -> str:
        later.add(to(where))
        return f"$later({to(where)!r}, {path!r})"

    text = _COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text)
    text = _IMPORT.sub(lambda m: brought(m[1], m[2]), text)
    text = _WHOLE.sub(lambda m: f"const {m[1]} = {loaded(m[2])};", text)
    text = _AGAIN.sub(lambda m: handed_on(m[1], m[2]), text)
    text = _ALL_AGAIN.sub(lambda m: all_handed_on(m[1]), text)
    text = _LATER.sub(lambda m: fetched(m[1]), text)
    text = _HERE.sub(f"$at({path!r})", text)
    exports |= {name: name for _, name in _EXPORT.findall(text)}
    text = _EXPORT.sub(r"\1 \2", text)
    if left := _LEFT.search(text):
        line = text.count("\n", 0, left.start()) + 1
        raise CannotBundle(f"{path}:{line}: not read: {left[0]}")
    own = (name if name == value else f"{name}: {value}" for name, value in exports.items())
    return _Script(text, ", ".join([*spread, *own]), frozenset(at_once), frozenset(later))
