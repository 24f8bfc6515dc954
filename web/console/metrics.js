// Reads metrics in the OpenMetrics text format.

/** Returns the sum of the samples of each metric, over all their labels. Histograms are left out, except their counts and sums. @param {string} text @returns {Map<string, number>} */
export function metricsOf(text) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const line of text.split("\n")) {
    const [, name, value] = /^([a-zA-Z_:][\w:]*)(?:\{.*\})? ([-+.\deE]+)/.exec(line) ?? [];
    if (!name || name.endsWith("_bucket")) continue;
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return sums;
}

/** Metrics that the console shows: names in the text without the prefix of the program, and keys of their titles. */
export const SHOWN = /** @type {const} */ (["tables", "sockets", "damaged_tables", "requests_total", "commands_total", "limited_total", "ticks_total", "store_commits", "clock_jumps_total"]);

/** Returns the value of a metric, with or without a prefix, or `null`. @param {Map<string, number>} metrics @param {string} name */
export function metric(metrics, name) {
  for (const [full, value] of metrics) if (full === name || full === `paigow_${name}`) return value;
  return null;
}
