// View state in the address, so that a link can be shared.

/** Returns a path with its query. Empty values are left out. @param {string} path @param {Record<string, string | number | null | undefined>} query */
export function addressOf(path, query) {
  const entries = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** Updates the query in the address bar without navigation. @param {string} path @param {Record<string, string | number | null | undefined>} query */
export function replaceQuery(path, query) {
  if (location.pathname === path) history.replaceState(history.state, "", addressOf(path, query));
}
