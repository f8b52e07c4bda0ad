/** Shown instead of a page while the hub does not answer; reloads as soon as it does. */

const AGAIN_MS = 3000;

async function look() {
  if (document.hidden) return;
  try {
    if ((await fetch("/healthz", { cache: "no-store" })).ok) location.reload();
  } catch {
    // Still offline.
  }
}

setInterval(look, AGAIN_MS);
