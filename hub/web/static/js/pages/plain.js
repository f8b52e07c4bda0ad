/** A static page in the viewer's language: `data-t` names a text, other data attributes fill it. */

import { loadTexts, t } from "../core/texts.js";

await loadTexts();
for (const each of document.querySelectorAll("[data-t]")) {
  const { dataset } = /** @type {HTMLElement} */ (each);
  each.textContent = t(dataset.t ?? "", { ...dataset });
}
document.title = `Facedown: ${document.querySelector("h1")?.textContent}`;
