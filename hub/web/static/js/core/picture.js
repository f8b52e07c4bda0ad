/**
 * A picture that somebody brings: made small on the spot, where the browser can read it, and handed to the
 * hub, which reads it once more and makes its own of it.
 */

import { t } from "./texts.js";

/** What the hub takes at most, and how large a picture is sent: twice what it keeps. */
const MOST_BYTES = 8e6;
const SIDE = 512;

/**
 * Hear whose picture is brought.
 * @param {HTMLElement} root
 * @param {Object} page
 * @param {import("./types").Ui} page.ui
 * @param {() => void} page.render
 * @param {(words: string) => void} page.say why it does not go
 * @param {(name: string, digest: string) => void} page.take the hub has it
 */
export function letUpload(root, { ui, render, say, take }) {
  const uploads = (ui.uploads = /** @type {Set<string>} */ (new Set()));
  root.addEventListener("change", async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset.portray === undefined) return;
    const name = target.dataset.portray;
    const file = target.files?.[0];
    target.value = "";
    if (!file || uploads.has(name)) return;
    uploads.add(name);
    render();
    try {
      take(name, await upload(file));
    } catch (error) {
      say(error instanceof Refused ? error.message : t("look.picture.unsent"));
    }
    uploads.delete(name);
    render();
  });
}

/** The hub, or this page, does not take it; the message says why. */
class Refused extends Error {}

/**
 * The digest by which the hub knows it from now on. Throws what is to be said.
 * @param {File} file
 */
async function upload(file) {
  const body = (await small(file)) ?? file;
  if (body.size > MOST_BYTES) throw new Refused(t("look.picture.large"));
  const answer = await fetch("/portraits", { method: "POST", body });
  const { digest = "", why = "" } = await answer.json().catch(() => ({}));
  if (digest) return String(digest);
  throw new Refused(t(`look.picture.${why || "unsent"}`));
}

/**
 * The middle of a picture as a small square; null where the browser cannot read it, and the hub is to say
 * what it is.
 * @param {File} file
 * @returns {Promise<Blob|null>}
 */
async function small(file) {
  try {
    const image = await createImageBitmap(file);
    const { width, height } = image;
    const side = Math.min(width, height);
    const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
    const pen = canvas.getContext("2d");
    if (!pen) return null;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(image, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
    image.close();
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } catch {
    return null;
  }
}

/**
 * The command by which somebody is shown by a picture; colour and shape stay.
 * @param {import("./types").State} state
 * @param {string} name
 * @param {string} picture
 */
export const wearing = ({ portraits }, name, picture) => ({ command: "portray", name, portrait: { ...(portraits[name] ?? { colour: null, shape: null }), picture } });
