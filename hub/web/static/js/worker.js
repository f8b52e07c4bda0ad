/**
 * The service worker of a seat's page: caches the public, versioned files and an offline page. It
 * never caches or inspects a page with a key, a stream, or a personal response.
 */

const VERSION = "@VERSION@";
const KEPT = `facedown-${VERSION}`;
const FILES = `/static/${VERSION}/`;
const OFFLINE = `${FILES}offline.html`;

/** @typedef {Event & {waitUntil(done: Promise<unknown>): void}} Lasting */
/** @typedef {Lasting & {request: Request, respondWith(answer: Promise<Response>): void}} Asked */

const worker = /** @type {any} */ (self);

/** Cache the offline page and the files that it refers to. */
async function install() {
  const kept = await caches.open(KEPT);
  await kept.add(OFFLINE);
  const page = await (await kept.match(OFFLINE))?.text();
  const named = [...(page ?? "").matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name ?? "");
  await kept.addAll(named.filter((name) => name.startsWith(FILES)));
  await worker.skipWaiting();
}

/** Delete the caches of earlier versions. */
async function forget() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("facedown-") && name !== KEPT).map((name) => caches.delete(name)),
  );
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
  // Leave addresses that contain a key to the browser.
  else if (request.mode === "navigate" && !search) event.respondWith(page(request));
});
