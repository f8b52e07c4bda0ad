"""A hook of MkDocs: the pages of the repository, as GitHub shows them, become those of the site.

- Pages outside ``docs/`` that belong to it (hardware, the notice, …) get a place in the site.
- A link to a source file becomes its text alone; a link to nothing fails the build.
- Lists and named code blocks are written for Python-Markdown; the phase diagram is a table.
- No page may load anything from another host.

Ref: MkDocs user guide, "Hooks" and "Plugins: events".
"""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

log = logging.getLogger("mkdocs.hooks.site")

ROOT = Path(__file__).resolve().parent.parent
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "NOTICE.md", "SECURITY.md", "firmware/PROTOCOL.md")
HARDWARE = {".csv", ".dxf", ".md", ".pdf", ".png", ".svg"}
GENERATED = {"build", "dist"}
OUTSIDE = "project/"
"""The site's folder for files outside ``docs/``."""

FENCE = re.compile(r" *```")
NAMED = re.compile(r"^( *```\w+) (?P<file>\S.*)$", re.MULTILINE)
"""The first line of a code block that has a language and the name of the file that it shows."""
ITEM = re.compile(r"(?P<indent> *)(?P<mark>[-*+]|\d+\.) +")
LINK = re.compile(
    r"(?P<text>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>[^)#\s]*)(?P<anchor>#[^)\s]*)?\)"
)
IMAGE = re.compile(r'(?P<before><img [^>]*?src=")(?P<target>[^"]+)(?P<after>")')
DIAGRAM = re.compile(r"```mermaid\nstateDiagram-v2\n(?P<arrows>.*?)```\n", re.DOTALL)
ARROW = re.compile(r" *(?P<before>\S+) --> (?P<after>\w+)(?:: (?P<inputs>.*))?")
LOADS = re.compile(
    r"<(?:script|img|iframe|source|video|audio)\b[^>]*?\bsrc=[\"']?(?:https?:)?//[^\"'\s>]+"
    r"|<link\b[^>]*?\brel=[\"']?(?:stylesheet|preload|preconnect|icon)\b[^>]*?"
    r"\bhref=[\"']?(?:https?:)?//[^\"'\s>]+"
    r"|(?:url\(|@import )[\"']?(?:https?:)?//[^\"')]+"
)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the files outside ``docs/`` to the site. MkDocs calls this with the files that it has
    found."""
    hardware = (
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "hardware").rglob("*"))
        if path.suffix in HARDWARE and not GENERATED & set(path.relative_to(ROOT).parts)
    )
    for name in (*BESIDE, *hardware):
        files.append(File.generated(config, OUTSIDE + name, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn a page as GitHub shows it into what Python-Markdown reads. MkDocs calls this for each
    page."""
    here = page.file.src_uri
    text = DIAGRAM.sub(lambda found: _table(found["arrows"]), markdown)
    text = NAMED.sub(r'\1 title="\g<file>"', text)
    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.MULTILINE | re.DOTALL)
    for number, part in enumerate(parts):
        if number % 2 == 0:
            linked = LINK.sub(lambda found: _link(found, here, files), part)
            parts[number] = IMAGE.sub(lambda found: _image(found, here, files), linked)
    return "\n".join(_indented("".join(parts).split("\n")))


def on_post_build(*, config: MkDocsConfig) -> None:
    """Raise :class:`PluginError` if a page of the built site loads something from another host."""
    for path in sorted(Path(config.site_dir).rglob("*")):
        if path.suffix in {".html", ".css"}:
            found = LOADS.search(path.read_text(encoding="utf-8"))
            if found:
                raise PluginError(f"{path} loads from another host: {found[0]}")


def _in_repository(site: str) -> str:
    """The path in the repository of the site's file ``site``."""
    return site.removeprefix(OUTSIDE) if site.startswith(OUTSIDE) else f"docs/{site}"


def _in_site(path: str, files: Files) -> str | None:
    """The path in the site of a file of the repository; None if the site does not have it."""
    if path == "README.md":
        return "index.md"
    site = path.removeprefix("docs/") if path.startswith("docs/") else OUTSIDE + path
    return next((each for each in (site, f"{site}/README.md") if each in files.src_uris), None)


def _aim(target: str, here: str, files: Files) -> str | None:
    """The target of a link on the page ``here``, as the site needs it; None if the site does not
    have the target, such as source code."""
    path = os.path.normpath(PurePosixPath(_in_repository(here)).parent / target)
    site = _in_site(path, files)
    if site is not None:
        return os.path.relpath(site, PurePosixPath(here).parent)
    if path.startswith("..") or not (ROOT / path).exists():
        log.warning("%s links to %s, which does not exist", _in_repository(here), target)
    return None


def _is_elsewhere(target: str) -> bool:
    return not target or "://" in target or target.startswith("mailto:")


def _link(found: re.Match[str], here: str, files: Files) -> str:
    text = LINK.sub(lambda inner: _link(inner, here, files), found["text"][1:-1])
    text = f"[{text}]" if found["text"][0] == "[" else f"!{found['text'][1:]}"
    if _is_elsewhere(found["target"]):
        return f"{text}({found['target']}{found['anchor'] or ''})"
    aim = _aim(found["target"], here, files)
    return text[1:-1] if aim is None else f"{text}({aim}{found['anchor'] or ''})"


def _image(found: re.Match[str], here: str, files: Files) -> str:
    if _is_elsewhere(found["target"]):
        return found[0]
    return f"{found['before']}{_aim(found['target'], here, files)}{found['after']}"


def _table(arrows: str) -> str:
    rows = (ARROW.fullmatch(line) for line in arrows.splitlines())
    start = {"[*]": "(start)"}
    return "| from | to | by |\n| --- | --- | --- |\n" + "".join(
        f"| {start.get(row['before'], row['before'])} | {row['after']} | {row['inputs'] or ''} |\n"
        for row in rows
        if row
    )


def _indented(lines: list[str]) -> Iterator[str]:
    """The lines with four spaces for each level of a list, and a blank line before each list.

    CommonMark takes the width of an item's mark as its indent; Python-Markdown always takes four
    spaces.
    """
    widths: list[int] = []
    in_fence, after_blank = False, True
    for line in lines:
        if not line.strip():
            after_blank = True
            yield line
            continue
        item = None if in_fence else ITEM.match(line)
        indent = len(line) - len(line.lstrip(" "))
        in_list = bool(widths)
        while widths and indent < widths[-1] and not in_fence and (after_blank or item):
            widths.pop()
        if item and not in_list and not after_blank:
            yield ""
        yield " " * (4 * len(widths) + max(0, indent - sum(widths[-1:]))) + line.lstrip(" ")
        if item:
            widths.append(item.end())
        in_fence ^= bool(FENCE.match(line))
        after_blank = False
