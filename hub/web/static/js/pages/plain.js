/** A page that stands still, in the viewer's language: each of its English texts by the catalogue. */

import { inWords, loadReasons } from "../core/reasons.js";
import { loadTexts } from "../core/texts.js";

await loadTexts();
await loadReasons();
const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
let english = false;
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (!(node instanceof Text)) continue;
  const { data } = node;
  const text = data.trim().replaceAll(/\s+/g, " ");
  if (!text || node.parentElement?.closest("script, style, .eyebrow")) continue;
  const words = inWords(text);
  if (words) node.data = data.replace(data.trim(), words);
  else english = true;
}
if (english) document.documentElement.lang = "en";
