/** Uploads a picture: shrunk here if the browser can read it, and re-encoded by the hub. */

import { t } from "./texts.js";

/** The hub's upload limit, and the size of the square that is sent: twice what the hub stores. */
const MOST_BYTES = 8e6;
const SIDE = 512;

/**
 * Handle file inputs for portraits.
 * @param {HTMLElement} root
 * @param {Object} page
 * @param {import("./types").Ui} page.ui
 * @param {() => void} page.render
 * @param {(words: string) => void} page.say reports an error
 * @param {(name: string, digest: string) => void} page.take called when the hub has the picture
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

/** The hub or this page rejects the picture; the message says why. */
class Refused extends Error {}

/**
 * Upload a picture and return its digest. Throws the text to show.
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
 * The centre of a picture as a small square; null if the browser cannot read it, so that the hub
 * decides.
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
 * The command that sets a character's picture; colour and shape stay.
 * @param {import("./types").State} state
 * @param {string} name
 * @param {string} picture
 */
export const wearing = ({ portraits }, name, picture) => ({
  command: "portray",
  name,
  portrait: { ...(portraits[name] ?? { colour: null, shape: null }), picture },
});
