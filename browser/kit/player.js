// A player in a browser: reads the page and acts on it.

import assert from "node:assert/strict";
import { words } from "../../web/words/en.js";
import { newContext } from "./browser.js";
import { Traffic } from "./traffic.js";

/** @typedef {"waiting" | "offering" | "wagers" | "revealing" | "settings" | "between"} Phase */

export class Player {
  /** Uncaught errors of the page. @type {string[]} */
  errors = [];

  /** @param {import("playwright-core").Page} page @param {string} url */
  constructor(page, url) {
    this.page = page;
    this.url = url;
    this.context = page.context();
    this.traffic = new Traffic(page);
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  /** @param {import("playwright-core").Browser} browser @param {{ url: string }} server @param {import("playwright-core").BrowserContextOptions} [options] */
  static async open(browser, server, options) {
    const context = await newContext(browser, options);
    return new Player(await context.newPage(), server.url);
  }

  /** @param {string} path */
  async go(path) {
    await this.page.goto(this.url + path);
  }

  /** Closes the browser context. Fails if the page has thrown an error. */
  async close() {
    await this.context.close();
    assert.deepEqual(this.errors, []);
  }

  get rail() {
    return this.page.locator(".rail");
  }

  /** Shows a tab of the drawer. @param {"round" | "coach" | "paytables" | "rules" | "rounds" | "results"} tab */
  async openDrawer(tab) {
    const { page } = this;
    if (!await page.locator(".drawer").isVisible()) await page.getByRole("button", { name: words.board.panel, exact: true }).click();
    await page.locator(`#tab-${tab}`).click();
    await page.locator(`#tab-${tab}[aria-selected=true]`).waitFor();
  }

  /** Closes the drawer if it is over the board. */
  async closeDrawer() {
    const close = this.page.locator(".drawer-close");
    if (await close.isVisible()) await close.click();
  }

  /** Waits for a phase of the round. @param {Phase} phase */
  async waitForPhase(phase) {
    await this.page.locator(`.rail.at-${phase}`).waitFor();
  }

  /** @param {string | RegExp} name */
  button(name) {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  /** Clicks an enabled button of the rail. @param {string} text */
  async press(text) {
    await this.rail.locator("button:not([aria-disabled=true]):not(.own-seats *)", { hasText: text }).click();
  }

  /** Opens a table and takes a seat. @param {string} table @param {number} seat */
  async sit(table, seat) {
    await this.go(`/table/${table}`);
    await this.page.getByRole("button", { name: words.felt.sit(seat), exact: true }).first().click();
    await this.page.locator(`.own[data-seat="${seat}"]:not(.watching)`).waitFor();
  }

  /** Adds chips to a wager. @param {number} wager index of the wager @param {...number} dollars values of the chips */
  async addChips(wager, ...dollars) {
    for (const value of dollars) {
      await this.page.locator(".tray-chip", { has: this.page.locator(`input[value="${value * 100}"]`) }).click();
      const spot = this.page.locator(`.spot[data-index="${wager}"]`);
      await (await spot.locator(".half.red").isVisible() ? spot.locator(".half.red") : spot).click();
    }
  }

  /** Places a base wager and presses Deal. @param {...number} dollars values of the chips */
  async wager(...dollars) {
    await this.waitForPhase("wagers");
    await this.addChips(0, ...dollars);
    await this.deal();
  }

  /** Presses Deal. */
  async deal() {
    await this.press(words.board.go.deal);
  }

  /** Waits for the player's seven cards, turns those that lie face down, and returns all. */
  async cards() {
    await this.page.locator("button.own-card").nth(6).waitFor();
    // The clock may turn the cards first.
    const turn = this.rail.getByRole("button", { name: words.board.alt.turnAll });
    while (await this.page.locator("button.own-card.down").count() > 0) await turn.click({ timeout: 2000 }).catch(() => {});
    const keys = await this.page.locator("button.own-card").evaluateAll((all) => all.map((card) => [card.getAttribute("data-key"), card.getAttribute("data-card")]));
    return keys.sort(([one], [other]) => Number(one) - Number(other)).map(([, card]) => card ?? "");
  }

  /** Chooses the cards of the low hand. @param {string[]} low */
  async chooseLow(low) {
    for (const card of low) await this.page.locator(`.box.high button.own-card[data-card="${card}"]`).click();
  }

  /** Previews and confirms the house way. */
  async setHouseWay() {
    await this.cards();
    await this.press(words.set.houseWay);
    await this.page.locator(".box.low button.own-card").nth(1).waitFor();
    await this.press(words.board.go.set);
  }

  /** Waits until all hands are open. @returns {Promise<string>} the headline */
  async waitForResult() {
    await this.waitForPhase("between");
    await this.page.locator("[data-stage=over]").waitFor();
    return this.page.locator(".call b").innerText();
  }

  /** Returns the lines of the settlement, as shown. */
  async lines() {
    await this.openDrawer("round");
    const lines = this.page.locator("#side-panel .lines .line");
    await lines.first().waitFor();
    const read = await lines.evaluateAll((all) => all.map((line) => ({
      head: line.querySelector(".line-head span")?.textContent ?? "", amount: line.querySelector(".line-head > .amount")?.textContent ?? "",
      why: line.querySelector("p.small")?.textContent ?? "", cite: line.querySelector("cite, .assumed-why")?.textContent ?? "", mine: line.classList.contains("mine"),
    })));
    await this.closeDrawer();
    return read;
  }

  /** Returns the player's balance from the API. @returns {Promise<number>} cents */
  async balance() {
    const me = await (await this.context.request.get(`${this.url}/api/session`)).json();
    return Number(Object.values(me.cents)[0]);
  }

  /** Returns the player's view of a table from the API. @param {string} table */
  async table(table) {
    return (await this.context.request.get(`${this.url}/api/tables/${table}`)).json();
  }
}
