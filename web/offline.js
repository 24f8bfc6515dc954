// Offline use: the service worker, which keeps the page available, and the state of the connection.

/** Registers the service worker, unless the page is served from a folder, where files change without a new version. */
export function registerServiceWorker() {
  if (document.querySelector("script[src^='/assets/0/']")) return;
  // Browsers have service workers only on https and on this computer. Without one, the page needs a connection.
  navigator.serviceWorker?.register("/service-worker.js").catch((error) => console.warn(error));
}

/** Whether the browser has no network connection. */
export const isOffline = () => !navigator.onLine;
