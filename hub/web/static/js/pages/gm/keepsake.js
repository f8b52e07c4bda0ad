/** The evening as one file. The hub may take a minute to write it, and the browser says nothing meanwhile. */

import { h } from "../../core/dom.js";
import { t } from "../../core/texts.js";

const AGAIN_MS = 500;
/** So often nothing is being written before it is over; or before the hub has heard that it is asked. */
const QUIET = 4;

/** How far it is, in percent; null while none is written. @type {number|null} */
let percent = null;
let following = false;
/** Draws the page. @type {() => void} */
let redraw = () => {};

/** @returns {Promise<number|null>} */
const asked = async () => (await (await fetch("gm/recap/progress", { cache: "no-store" })).json()).percent;

const pause = () => new Promise((done) => setTimeout(done, AGAIN_MS));

/** Ask how far it is, until it is written. */
async function follow() {
  if (following) return;
  following = true;
  try {
    for (let quiet = 0; quiet < QUIET; await pause()) {
      const now = await asked();
      quiet = now === null ? quiet + 1 : 0;
      if (now !== percent) {
        percent = now;
        redraw();
      }
    }
  } catch {
    percent = null;
    redraw();
  } finally {
    following = false;
  }
}

addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("[data-keepsake]")) follow();
});

/**
 * One file with all scenes, to be fetched.
 * @param {import("../../core/types").Ui} ui
 */
export function keepsake(ui) {
  redraw = ui.redraw;
  return h(
    "p",
    { class: "keepsake", key: "keepsake" },
    h("a", { href: "gm/recap", download: "", "data-keepsake": "" }, t("gm.recap")),
    h("small", { role: "status" }, percent === null ? t("gm.recap.more") : t("gm.recap.writing", { percent })),
  );
}
