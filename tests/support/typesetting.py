"""A page's typesetting: which elements overflow, and which words are broken in the middle."""

OVERFLOWS = """
const seen = [];
const clips = (one) => getComputedStyle(one).overflowX !== 'visible';
const wide = document.documentElement.scrollWidth;
if (wide > innerWidth) seen.push(`the page: ${wide}`);
const cards = '.card .front, .handcard, .person, .panel, .own-moment, .own-sheet, .own-around,'
  + 'button, .sum, .seat, .seats li, .small, .badge, .clock, .own-thumb, .own-head, .dock';
for (const box of document.querySelectorAll(cards)) {
  const outer = box.getBoundingClientRect();
  if (!outer.width || box.closest('.unseen')) continue;
  for (const node of words(box)) {
    let clipped = false;
    for (let up = node.parentElement; up !== box; up = up.parentElement) clipped ||= clips(up);
    if (clipped || node.parentElement.closest('.unseen, .back')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const inner of range.getClientRects()) {
      const out = inner.left < outer.left - 1.5 || inner.right > outer.right + 1.5;
      if (out && inner.width) seen.push(`${box.className || box.tagName}: ${node.data.trim()}`);
    }
  }
}
return [...new Set(seen)];
"""
BROKEN = """
const seen = [];
for (const node of words(document.body)) {
  if (node.parentElement.closest('.unseen, .address, .back, option, del, .chronicle')) continue;
  for (const found of node.data.matchAll(/[\\p{L}\\u00ad]{2,}/gu)) {
    if (found[0].length > 30) continue;
    const tops = [...found[0]].map((_, at) => {
      const range = document.createRange();
      range.setStart(node, found.index + at);
      range.setEnd(node, found.index + at + 1);
      const { top, width } = range.getBoundingClientRect();
      return { letter: found[0][at], top, width };
    });
    for (let at = 1; at < tops.length; at += 1) {
      const [one, next] = [tops[at - 1], tops[at]];
      const falls = one.width && next.width && Math.abs(one.top - next.top) > 4;
      const split = `${found[0].slice(0, at)}|${found[0].slice(at)}`;
      if (falls && one.letter !== '\\u00ad') seen.push(split);
    }
  }
}
return [...new Set(seen)];
"""
_WORDS = """
function words(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) found.push(walker.currentNode);
  return found;
}
"""
overflows = _WORDS + OVERFLOWS
broken = _WORDS + BROKEN
