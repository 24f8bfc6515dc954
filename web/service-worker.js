// The service worker: keeps the page available offline. It stores the files of the page, and never an answer of the API, which may be about money.

/** Folder of the files. The server replaces 0 by the version of the page. */
const ASSETS = "/assets/0/";
const CACHE = `paigow${ASSETS}`;
const FILES = ["page.js", "later.js", "page.css", "icon.svg", "manifest.webmanifest", "fonts/serif.otf", "fonts/sans.ttf", "fonts/sans-bold.ttf"];
/** Documents with a text of their own, and one without, which serves for all other views. */
const DOCUMENTS = ["/", "/how-to-play"];
const OTHER_DOCUMENT = "/lab";

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE)
    .then((cache) => cache.addAll([...DOCUMENTS, OTHER_DOCUMENT, ...FILES.map((file) => ASSETS + file)]))
    .then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  // Open tabs may still use the files of the version before.
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== CACHE).slice(0, -1).map((name) => caches.delete(name))))
    .then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  // Files of a version never change.
  if (pathname.startsWith("/assets/")) event.respondWith(caches.match(pathname).then((found) => found ?? fetch(request)));
  else if (request.mode === "navigate" || DOCUMENTS.includes(pathname)) event.respondWith(fetch(request).catch(() => offlineDocument(pathname)));
});

/** Returns the stored document of a view. @param {string} pathname */
async function offlineDocument(pathname) {
  const found = await caches.match(DOCUMENTS.includes(pathname) ? pathname : OTHER_DOCUMENT);
  return found ?? Response.error();
}
