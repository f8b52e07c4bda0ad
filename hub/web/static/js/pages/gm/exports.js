/**
 * The evening as one file. Writing it may take the hub a minute, without progress in the browser.
 */

import { h } from "../../core/dom.js";
import { t } from "../../core/texts.js";

const AGAIN_MS = 500;
/** Stop after this many polls without progress: the file is finished, or was never started. */
const QUIET = 4;

/** Progress in percent; null while no file is being written. @type {number|null} */
let percent = null;
let following = false;
/** @type {() => void} */
let redraw = () => {};

/** @returns {Promise<number|null>} */
const asked = async () => (await (await fetch("gm/recap/progress", { cache: "no-store" })).json()).percent;

const pause = () => new Promise((done) => setTimeout(done, AGAIN_MS));

/** Poll the progress until the file is written. */
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
  if (target instanceof Element && target.closest("[data-recap]")) follow();
});

/**
 * The link to a file with all scenes.
 * @param {import("../../core/types").Ui} ui
 */
export function recapLink(ui) {
  redraw = ui.redraw;
  return h(
    "p",
    { class: "exports", key: "exports" },
    h("a", { href: "gm/recap", download: "", "data-recap": "" }, t("gm.recap")),
    h("small", { role: "status" }, percent === null ? t("gm.recap.more") : t("gm.recap.writing", { percent })),
  );
}
