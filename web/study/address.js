// What is looked at, kept in the address, so that it can be shared.

/** Where there is something to say of it, a key is in the address. @param {string} path @param {Record<string, string | number | null | undefined>} query */
export function addressOf(path, query) {
  const kept = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(kept.map(([key, value]) => [key, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** Puts it into the address bar; nobody is taken anywhere. @param {string} path @param {Record<string, string | number | null | undefined>} query */
export function keepAddress(path, query) {
  if (location.pathname === path) history.replaceState(history.state, "", addressOf(path, query));
}
