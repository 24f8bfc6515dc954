// A round by roles and accessible names only, as a screen reader presents the felt. No selector and no pointer is used.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cardName } from "../../web/cards/names.js";
import { words } from "../../web/words/en.js";
import { legalLow } from "../kit/hands.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const BOOK = "south-dakota";
const CLOCKS = { wagers: 120, settings: 120, between: 120 };

/** Activates a control as a screen reader does: focus, then a key. @param {import("playwright-core").Locator} control @param {"Enter" | "Space"} [key] */
async function activate(control, key = "Enter") {
  await control.focus();
  await control.press(key);
}

test("a round by roles and names", async () => {
  const table = await stage.server.open("names", { book: BOOK, clocks: CLOCKS });
  const player = await stage.player();
  const { page } = player;
  const button = (/** @type {string | RegExp} */ name) => page.getByRole("button", { name, exact: typeof name === "string" });
  await page.addInitScript(() => localStorage.setItem("paigow.settings", JSON.stringify({ keys: false })));
  await player.go(`/table/${table}`);
  await activate(button(words.felt.sit(1)).first());
  const wagers = page.getByRole("region", { name: words.board.wagers });
  await activate(page.getByRole("radio", { name: "$25.00" }), "Space");
  await activate(wagers.getByRole("button", { name: /^Pai Gow\b/ }));
  await page.getByRole("button", { name: new RegExp(`^${words.board.go.deal} .*25`) }).waitFor();
  await activate(button(new RegExp(`^${words.board.go.deal}\\b`)));
  await button(words.board.card.down(1)).waitFor();
  await activate(button(new RegExp(`^${words.board.alt.turnAll}\\b`)));
  const seven = page.getByRole("region", { name: words.board.own }).getByRole("button", { name: /in the high hand/ });
  await seven.nth(6).waitFor();
  const { view } = await player.table(table);
  const low = legalLow(view.seats[0].hand.cards.split(" "));
  for (const card of low) {
    await activate(button(words.board.card.inHigh(cardName(card))));
    // The focus follows the card, so the next one is chosen after it has moved.
    await button(words.board.card.inLow(cardName(card))).waitFor();
  }
  await activate(button(new RegExp(`^${words.board.go.set}\\b`)));
  // Disabled until the hands have turned over.
  await page.getByRole("button", { name: new RegExp(`^${words.board.go.next}\\b`), disabled: false }).waitFor();
  // The call line says the result.
  const net = (await player.table(table)).view.round.net_cents["1"];
  const result = page.getByText(net > 0 ? /^You win \$/ : net < 0 ? /^You lose \$25\.00/ : /^Push/).first();
  await result.waitFor();
  assert.ok(await result.isVisible(), `net ${net}`);
  await player.close();
});
