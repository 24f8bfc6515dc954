// Routes of the page. The server answers all their addresses with the same document.

/**
 * @typedef {object} Route
 * @property {keyof typeof import("./words/en.js").words.titles} name
 * @property {string} tag the custom element of the view, defined by the module
 * @property {RegExp} at
 * @property {() => Promise<unknown>} load
 * @property {string} [nav] path of its menu entry
 * @typedef {{ route: Route, params: Record<string, string>, query: URLSearchParams }} RouteMatch
 */

const NAME = "([A-Za-z0-9][A-Za-z0-9._:-]*)";
/** A table name. Earlier versions allowed more characters, such as `/`. */
const TABLE = "([A-Za-z0-9._:/-]+)";

/** @type {Route[]} */
export const routes = [
  { name: "lobby", tag: "pg-lobby", at: /^\/$/, load: () => import("./views/lobby.js"), nav: "/" },
  { name: "table", tag: "pg-table", at: new RegExp(`^/table/(?<table>${TABLE})$`), load: () => import("./views/table.js"), nav: "/" },
  { name: "replay", tag: "pg-replay", at: new RegExp(`^/replay/(?<table>${TABLE})/(?<round>\\d{1,15})$`), load: () => import("./views/replay.js"), nav: "/" },
  { name: "lab", tag: "pg-lab", at: /^\/lab$/, load: () => import("./views/lab.js"), nav: "/lab" },
  { name: "odds", tag: "pg-odds", at: /^\/odds$/, load: () => import("./views/odds.js"), nav: "/odds" },
  { name: "trainer", tag: "pg-trainer", at: /^\/trainer$/, load: () => import("./views/trainer.js"), nav: "/trainer" },
  { name: "strategyCards", tag: "pg-strategy-cards", at: /^\/cards$/, load: () => import("./views/strategy-cards.js"), nav: "/trainer" },
  { name: "strategyCard", tag: "pg-strategy-card", at: new RegExp(`^/cards/(?<card>${NAME})$`), load: () => import("./views/strategy-card.js"), nav: "/trainer" },
  // Before the puzzle of a day: its pattern accepts any name, and the server decides which days exist.
  { name: "puzzleArchive", tag: "pg-puzzle-archive", at: /^\/puzzle\/archive$/, load: () => import("./views/puzzle-archive.js"), nav: "/puzzle" },
  { name: "puzzle", tag: "pg-puzzle", at: new RegExp(`^/puzzle(?:/(?<day>${NAME}))?$`), load: () => import("./views/puzzle.js"), nav: "/puzzle" },
  { name: "history", tag: "pg-history", at: /^\/history$/, load: () => import("./views/history.js"), nav: "/history" },
  { name: "rules", tag: "pg-rules", at: new RegExp(`^/rules(?:/(?<book>${NAME}))?$`), load: () => import("./views/rules.js"), nav: "/rules" },
  { name: "houseWay", tag: "pg-house-way", at: new RegExp(`^/house-ways/(?<way>${NAME})$`), load: () => import("./views/house-way.js"), nav: "/rules" },
  { name: "designer", tag: "pg-designer", at: /^\/designer$/, load: () => import("./views/designer.js"), nav: "/designer" },
  { name: "howToPlay", tag: "pg-how-to-play", at: /^\/how-to-play$/, load: () => import("./views/how-to-play.js"), nav: "/how-to-play" },
  { name: "figures", tag: "pg-figures", at: /^\/figures$/, load: () => import("./views/figures.js"), nav: "/figures" },
  { name: "account", tag: "pg-account", at: /^\/account$/, load: () => import("./views/account.js"), nav: "/account" },
  { name: "join", tag: "pg-join", at: new RegExp(`^/join/(?<secret>[A-Za-z0-9._-]+)$`), load: () => import("./views/join.js"), nav: "/" },
  { name: "console", tag: "pg-console", at: new RegExp(`^/console(?:/people/(?<player>${NAME})|/(?<section>${NAME}))?$`), load: () => import("./views/console.js") },
];

/** Returns the route of an address with its parameters, or `null`. @param {{ pathname: string, search: string }} url @returns {RouteMatch | null} */
export function matchRoute({ pathname, search }) {
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  for (const route of routes) {
    const found = route.at.exec(path);
    if (found) return { route, params: { ...found.groups }, query: new URLSearchParams(search) };
  }
  return null;
}

/** Navigates to a path of the page. @param {string} path @param {{ replace?: boolean }} [options] */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

/** Handles clicks on links to the page itself without a reload. @param {MouseEvent} event */
export function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
  if (link.origin !== location.origin || link.pathname.startsWith("/api/") || link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
