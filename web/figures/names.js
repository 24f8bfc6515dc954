// Names of figures, from their ids: `EZ-6/return/flush/table-4` is `Return · Flush · table 4`.

import { words } from "../words.js";
import { rowName } from "../study/rows.js";

/** Returns the name of a figure. @param {string} id */
export function figureName(id) {
  const [, ...parts] = id.split("/");
  const text = parts.map(partName).join(" · ");
  return text[0].toUpperCase() + text.slice(1);
}

/** @param {string} part */
function partName(part) {
  const { figures: say } = words;
  if (say.parts[part]) return say.parts[part];
  const table = /^table-(.+)$/.exec(part);
  if (table) return say.table(table[1].replace(/^0/, ""));
  const counted = /^(\d+)-(players?|cards)$/.exec(part);
  if (counted) return counted[2] === "cards" ? say.cards(counted[1]) : say.players(counted[1]);
  return /^[a-z0-9_]+$/.test(part) ? rowName(part) : part.replaceAll("-", " ");
}

/**
 * Returns the figures that match a filter.
 * @template {{ id: string, source: string, status: string, place: string, note: string | null, published: string }} F
 * @param {F[]} all @param {{ source: string, status: string, find: string }} filter @returns {F[]}
 */
export function filterFigures(all, { source, status, find }) {
  const parts = find.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((figure) => (!source || figure.source === source) && (!status || figure.status === status)
    && parts.every((part) => `${figure.id} ${figureName(figure.id)} ${figure.place} ${figure.published} ${figure.note ?? ""}`.toLowerCase().includes(part)));
}
