"""``python -m tests.bench.page``: writes the figures of the kept runs into
docs/develop/performance.md, and their plot beside it."""

import re
from collections.abc import Iterator, Sequence
from html import escape

from tests.bench.figures import MET, WAS, Figure, number
from tests.bench.history import FILE, Run, kept

MEASURED = re.compile(r"(<!-- measured:.*?-->\n).*?(<!-- /measured -->)", re.DOTALL)
_LEFT, _RIGHT, _ROW, _TOP = 500, 300, 24, 34
"""The plot: widths of names and of curves, height of a row and of what is above the rows, in
pixels."""
_MOST_TIMES = 2.0
"""What is drawn at the top of a row: this many times the aim, or more."""


def with_figures(page: str) -> str:
    """The page on performance ``page``, with the newest kept figures."""
    return MEASURED.sub(lambda found: found[1] + measured(kept()) + found[2], page)


def newest(runs: Sequence[Run]) -> list[tuple[Figure, Run]]:
    """Each figure of the runs as it was measured last, with its run: a run may have a part only."""
    found = {figure.name: (figure, run) for run in runs for figure in run.figures}
    return list(found.values())


def measured(runs: Sequence[Run]) -> str:
    """The newest figures as a table in Markdown, and what their runs were measured on."""
    if not runs:
        return "Nothing has been measured yet: `make bench` does it.\n"
    shown = newest(runs)
    aims = [figure.met for figure, _ in shown if figure.met is not None]
    ran = [run for run in runs if any(own is run for _, own in shown)]
    return (
        f"{sum(aims)} of {len(aims)} aims are met. Each figure is as it was measured last:\n\n"
        f"{''.join(map(_told, ran))}\n"
        "| figure | value | baseline | ratio | aim | | at first | commit |\n"
        "| --- | --: | --: | --: | --- | --- | --- | --- |\n"
        f"{''.join(_row(figure, run) for figure, run in shown)}\n"
        "![Each aimed figure in the last runs, as a multiple of its aim](performance.svg)\n"
    )


def _told(run: Run) -> str:
    on = run.machine
    return (
        f"- commit {run.commit} of version {run.version} on {run.day}: {on.processor}, "
        f"{on.cores} cores, Python {on.python}\n"
    )


def _row(figure: Figure, run: Run) -> str:
    aim = figure.aim.text(figure.unit) if figure.aim else ""
    value = f"{number(figure.value)} {figure.unit}".rstrip()
    return (
        f"| {figure.name} | {value} | {number(figure.baseline)} ({figure.baseline_is}) "
        f"| {figure.ratio:.2f} | {aim} | {MET[figure.met]} | {WAS.get(figure.name, '')} "
        f"| {run.commit} |\n"
    )


def plot(runs: Sequence[Run]) -> str:
    """An SVG with a curve for each aimed figure, over all kept runs. The line in the middle of a
    row is the aim; what is below it is met."""
    names = [figure.name for figure, _ in newest(runs) if figure.aim]
    width, height = _LEFT + _RIGHT + 70, _TOP + _ROW * len(names) + 10
    rows = "".join(_curve(runs, name, _TOP + _ROW * at) for at, name in enumerate(names))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="13">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f'<text x="{_LEFT}" y="20" fill="#555">kept runs, oldest first: {len(runs)}</text>\n'
        f'<text x="{width - 8}" y="20" text-anchor="end" fill="#555">of the aim</text>\n'
        f"{rows}</svg>\n"
    )


def _curve(runs: Sequence[Run], name: str, top: int) -> str:
    shown = list(_points(runs, name, top))
    x, y, of_aim = shown[-1]
    colour = "#1a6b3c" if of_aim <= 1 else "#b02a1a"
    line = " ".join(f"{x:g},{y:g}" for x, y, _ in shown)
    middle, text_y = top + _ROW / 2, top + _ROW / 2 + 4
    return (
        f'<text x="{_LEFT - 10}" y="{text_y:g}" text-anchor="end">{escape(name)}</text>\n'
        f'<path d="M{_LEFT} {middle:g}h{_RIGHT}" stroke="#bbb" stroke-dasharray="3 3"/>\n'
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>\n'
        f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{colour}"/>\n'
        f'<text x="{_LEFT + _RIGHT + 12}" y="{text_y:g}" fill="{colour}">{of_aim:.2f}</text>\n'
    )


def _points(runs: Sequence[Run], name: str, top: int) -> Iterator[tuple[float, float, float]]:
    """x and y of each run that has the figure, and how many times its aim it was."""
    between = _RIGHT / max(len(runs) - 1, 1)
    for at, run in enumerate(runs):
        for figure in run.figures:
            if figure.name == name and (of_aim := figure.of_aim) is not None:
                drawn = min(of_aim, _MOST_TIMES) / _MOST_TIMES
                x = _LEFT + (at * between if len(runs) > 1 else _RIGHT)
                yield round(x, 1), round(top + _ROW - 2 - drawn * (_ROW - 4), 1), of_aim


if __name__ == "__main__":
    text = FILE.with_suffix(".md")
    text.write_text(with_figures(text.read_text(encoding="utf-8")), encoding="utf-8")
    FILE.with_suffix(".svg").write_text(plot(kept()), encoding="utf-8")
