// Plays rounds through the API, for tests of pages that show finished rounds.

/** @typedef {import("./player.js").Player} Player */

/** Interval between two reads of the table. */
const READ_MS = 20;

/** Creates a guest session that the page of the player knows. @param {Player} player */
export async function beginSession(player) {
  await player.page.addInitScript(() => localStorage.setItem("paigow.session", "yes"));
  await request(player, "/api/session", {});
}

/**
 * Opens a table of the player without bots and plays rounds with a base wager of $100, set by the house way. Returns the id of the table.
 * @param {Player} player @param {string} book without a banking player @param {number} rounds
 */
export async function playRounds(player, book, rounds) {
  const clocks = { bank: 120_000, wagers: 120_000, settings: 120_000, between: 1000 };
  const { table } = await request(player, "/api/tables", { book, bots: 0, clocks });
  const command = (/** @type {string} */ id, /** @type {object} */ what) => request(player, `/api/tables/${table}/commands`, { id, command: what });
  await command("sit", { do: "sit", seat: 1 });
  for (let round = 1; round <= rounds; round += 1) {
    await phase(player, table, round, "wagers");
    await command(`wager-${round}`, { do: "wager", seat: 1, wager: "pai-gow", cents: 10_000 });
    await command(`ready-${round}`, { do: "ready", seat: 1 });
    await phase(player, table, round, "settings");
    await command(`set-${round}`, { do: "house_way", seat: 1 });
    await phase(player, table, round, "between");
    if (round < rounds) await command(`next-${round}`, { do: "next_round", seat: 1 });
  }
  await command("stand", { do: "stand", seat: 1 });
  return table;
}

/** Waits for a phase of a round. @param {Player} player @param {string} table @param {number} round @param {import("./player.js").Phase} name */
async function phase(player, table, round, name) {
  for (;;) {
    const { view } = await player.table(table);
    if (view.round?.round === round && view.phase === name) return;
    await new Promise((done) => { setTimeout(done, READ_MS); });
  }
}

/** @param {Player} player @param {string} path @param {unknown} data */
async function request({ context, url }, path, data) {
  const response = await context.request.post(url + path, { data });
  if (!response.ok()) throw new Error(`POST ${path}: ${response.status()} ${await response.text()}`);
  return response.json();
}
