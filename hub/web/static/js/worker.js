/**
 * Keeps a seat's page usable as an app: the files that everybody may have, by their versioned names, and a
 * page that says that the table cannot be reached. No page with a key, no stream, no answer to anybody in
 * particular is kept, nor looked at.
 */

const VERSION = "@VERSION@";
const KEPT = `facedown-${VERSION}`;
const FILES = `/static/${VERSION}/`;
const OFFLINE = `${FILES}offline.html`;

/** @typedef {Event & {waitUntil(done: Promise<unknown>): void}} Lasting */
/** @typedef {Lasting & {request: Request, respondWith(answer: Promise<Response>): void}} Asked */

const worker = /** @type {any} */ (self);

/** The page without the table, with all that it names. */
async function install() {
  const kept = await caches.open(KEPT);
  await kept.add(OFFLINE);
  const page = await (await kept.match(OFFLINE))?.text();
  const named = [...(page ?? "").matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name ?? "");
  await kept.addAll(named.filter((name) => name.startsWith(FILES)));
  await worker.skipWaiting();
}

/** What an earlier version kept. */
async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("facedown-") && name !== KEPT).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function file(request) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request);
  if (known) return known;
  const found = await fetch(request);
  if (found.ok && found.type === "basic") await kept.put(request, found.clone());
  return found;
}

/** @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

worker.addEventListener("install", (/** @type {Lasting} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {Lasting} */ event) => event.waitUntil(forget()));
worker.addEventListener("fetch", (/** @type {Asked} */ event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(FILES)) event.respondWith(file(request));
  // An address with a key in it is between the browser and the hub.
  else if (request.mode === "navigate" && !search) event.respondWith(page(request));
});
