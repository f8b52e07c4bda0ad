"""A page's frames, recorded in the browser and checked against what was known at the time."""

from collections import Counter
from typing import Any

from msgspec import Struct, convert

RECORDER = """
const STAGE = ':is(.fan, .slot, .options) .card.turning';
const ASIDE = '.card.turning, .timer, .since, .roll, .lamps, .wall-clock';
// A page stops asking for sound after a while, whatever happens at the table.
const ASKS = 'asks-sound';
const origin = performance.timeOrigin;
const record = (window.record = { origin, frames: [], arrived: {}, gone: {}, on: true });

// When each state came in over the wire, whatever the page makes of it.
const Real = window.WebSocket;
window.WebSocket = class extends Real {
  set onmessage(hear) {
    super.onmessage = (message) => {
      const frame = JSON.parse(message.data);
      if (frame.type === 'state') {
        record.arrived[frame.seq] ??= performance.now();
        record.gone[frame.seq] ??= frame.revealed_ago_ms ?? 0;
        record.leak?.(frame);
      }
      hear(message);
    };
  }
};

function open(card) {
  const { transform } = getComputedStyle(card.querySelector('.leaf'));
  return new DOMMatrix(transform === 'none' ? '' : transform).m11 > 0.999 && card.matches('.up');
}

function said(one) {
  const texts = [...one.childNodes].filter((node) => node.nodeType === 3);
  const own = texts.map((node) => node.data).join(' ');
  const { color, visibility, display } = getComputedStyle(one);
  const words = ['aria-label', 'title', 'alt', 'value'].map((name) => one.getAttribute(name) ?? '');
  const looks = [...one.classList].filter((each) => each !== ASKS);
  const kind = [one.tagName, looks.join(' ')];
  return [...kind, own, ...words, color, visibility, display].join('|');
}

function look() {
  const cards = [...document.querySelectorAll(STAGE)].map((card) => [card.className, open(card)]);
  const all = [...document.querySelectorAll('body, body *')].filter((one) => !one.closest(ASIDE));
  record.frames.push({ at: performance.now(), title: document.title, cards, all: all.map(said) });
}

let last = 0;
(function each(now = 0) {
  if (record.on && document.body && now - last > 40) {
    last = now;
    look();
  }
  requestAnimationFrame(each);
})();

// A page that nobody sees has no frames, but a title, and somebody may come to see it.
const ANY = { subtree: true, childList: true, attributes: true, characterData: true };
new MutationObserver(() => record.on && document.hidden && document.body && look())
  .observe(document, ANY);
"""
"""Loaded before the page's own scripts."""


class Frame(Struct, frozen=True):
    """The visible page at one moment, apart from turning cards, lamps and clocks."""

    at: float
    """ms since the page was opened."""
    title: str
    cards: tuple[tuple[str, bool], ...]
    """Each card on the stage, and whether it lies face up and at rest."""
    all: tuple[str, ...]
    """Every element with its words, its look and its text for screen readers."""

    @property
    def seen(self) -> Counter[str]:
        return Counter((*self.all, self.title))

    def turned(self, kind: str) -> int:
        return sum(open_ for words, open_ in self.cards if kind in words.split())


class Film(Struct, frozen=True):
    frames: tuple[Frame, ...]
    origin: float
    """When the page was opened: ms since the Unix epoch."""
    arrived: dict[str, float]
    """When each state reached the page, by its number."""
    gone: dict[str, float]
    """How long (ms) a state had already been shown when it reached a page that joined late."""

    def early(self, before: Frame, until_ms: float) -> list[str]:
        """Parts of the last frame that showed before ``until_ms`` (since the Unix epoch).

        Leaves out what was shown by the frame ``before`` the reveal or by the page before its first
        state.
        """
        news = self.frames[-1].seen - before.seen
        assert news, "the last frame shows nothing new: nothing was looked for"
        opened = min(self.arrived.values())
        known = before.seen
        for frame in self.frames:
            if frame.at < opened:
                known |= frame.seen
        soon = [frame for frame in self.frames if self.origin + frame.at < until_ms]
        return sorted({each for frame in soon for each in ((frame.seen - known) & news)})

    def leaks(self, seq: int, ends_ms: float, kind: str = "", cards: int = 0) -> list[str]:
        """Parts of state ``seq`` that showed before its moment had ended.

        The moment ends ``ends_ms`` after the state arrived and, where the page shows cards, not
        until ``cards`` of this ``kind`` lie face up.
        """
        came = self.arrived[str(seq)]
        before = [frame for frame in self.frames if frame.at < came][-1]
        moment = [
            frame
            for frame in self.frames
            if frame.at > came and (frame.at < came + ends_ms or frame.turned(kind) < cards)
        ]
        assert len(moment) >= MOST_JERKY, f"only {len(moment)} frames: nothing was looked at"
        found = []
        for frame in moment:
            now, then = frame.seen, before.seen
            strange = sorted({*(now - then), *(then - now)})
            found += [f"{frame.at - came:.0f} ms: {each}" for each in strange]
        return found


MOST_JERKY = 6
"""Fewer frames than this show too little of a moment."""


def film(recorded: Any) -> Film:
    """Decode the value of ``return window.record``."""
    return convert(recorded, Film)
