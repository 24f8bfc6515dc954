// The house ways that come with the program: their names, and what they are called.

import { once } from "../api.js";

/** What every house way makes of a hand names them all. */
const ANY_HAND = "As Kd Tc 9h 7s 5d 2c";

/** @param {string} book @returns {Promise<{ id: string, title: string }[]>} */
export async function houseWays(book) {
  const lab = await once("/api/lab", { cards: ANY_HAND, book });
  return lab.house_ways.map((/** @type {any} */ { house_way, title }) => ({ id: house_way, title }));
}
