// Somebody at a table, as a browser has them: sees, clicks, and is told.

import assert from "node:assert/strict";
import { words } from "../../web/words/en.js";
import { context } from "./browser.js";
import { Received } from "./received.js";

/** @typedef {"waiting" | "offering" | "wagers" | "revealing" | "settings" | "between"} Phase */

export class Player {
  /** Faults of the page itself. @type {string[]} */
  faults = [];

  /** @param {import("playwright-core").Page} page @param {string} url */
  constructor(page, url) {
    this.page = page;
    this.url = url;
    this.context = page.context();
    this.received = new Received(page);
    page.on("pageerror", (error) => this.faults.push(String(error)));
  }

  /** @param {import("playwright-core").Browser} browser @param {{ url: string }} server @param {import("playwright-core").BrowserContextOptions} [how] */
  static async come(browser, server, how) {
    const own = await context(browser, how);
    return new Player(await own.newPage(), server.url);
  }

  /** @param {string} path */
  async go(path) {
    await this.page.goto(this.url + path);
  }

  /** Leaves; a page that has thrown is a fault whatever else was seen. */
  async leave() {
    await this.context.close();
    assert.deepEqual(this.faults, []);
  }

  get dock() {
    return this.page.locator(".dock");
  }

  /** Waits until the table is in a part of a round. @param {Phase} phase */
  async at(phase) {
    await this.page.locator(`.dock.at-${phase}`).waitFor();
  }

  /** @param {string | RegExp} name */
  button(name) {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  /** Presses what stands in the dock. @param {string} text */
  async press(text) {
    await this.dock.locator("button:not([disabled]):not(.own-seats *)", { hasText: text }).click();
  }

  /** Sits down at a seat of a table. @param {string} table @param {number} seat */
  async sit(table, seat) {
    await this.go(`/table/${table}`);
    await this.dock.getByRole("button", { name: words.felt.sit(seat), exact: true }).click();
    await this.page.locator(".spot.you, .text-seats .you").waitFor();
  }

  /** Puts chips of these values on a wager, by its place among the wagers. @param {number} place @param {...number} dollars */
  async chips(place, ...dollars) {
    for (const value of dollars) {
      await this.page.locator(".tray-chip", { has: this.page.locator(`input[value="${value * 100}"]`) }).click();
      await this.page.locator(".bet-spot").nth(place).click();
    }
  }

  /** Wagers on the base game, and is ready. @param {...number} dollars */
  async wager(...dollars) {
    await this.at("wagers");
    await this.chips(0, ...dollars);
    await this.press(words.wager.go);
  }

  /** One's own seven cards, as they are to be set. */
  async cards() {
    await this.page.locator(".seven-cards .pick").first().waitFor();
    return this.page.locator(".seven-cards pg-card").evaluateAll((all) => all.map((card) => card.getAttribute("card") ?? ""));
  }

  /** Puts cards in front. @param {string[]} front */
  async front(front) {
    for (const card of front) await this.page.locator(".pick", { has: this.page.locator(`pg-card[card="${card}"]`) }).click();
  }

  /** Sets the hand the house way, after having looked at it. */
  async houseWay() {
    await this.press(words.set.houseWay);
    await this.page.locator(".pick.on").nth(1).waitFor();
    await this.press(words.set.confirm);
  }

  /** Waits until the round is settled and all of it shown. @returns {Promise<string>} what came of it */
  async settled() {
    await this.at("between");
    const net = this.page.locator(".big-net").filter({ hasNotText: words.result.settling });
    return net.innerText();
  }

  /** The lines of the settlement, as they are read. */
  async lines() {
    const lines = this.page.locator("#side-panel .lines .line");
    await lines.first().waitFor();
    return lines.evaluateAll((all) => all.map((line) => ({
      head: line.querySelector(".line-head span")?.textContent ?? "", amount: line.querySelector(".line-head > .amount")?.textContent ?? "",
      why: line.querySelector("p.small")?.textContent ?? "", cite: line.querySelector("cite, .assumed-why")?.textContent ?? "", mine: line.classList.contains("mine"),
    })));
  }

  /** What one has, as the server says. @returns {Promise<number>} cents */
  async purse() {
    const me = await (await this.context.request.get(`${this.url}/api/session`)).json();
    return Number(Object.values(me.cents)[0]);
  }

  /** A table as one sees it, as the server says. @param {string} table */
  async table(table) {
    return (await this.context.request.get(`${this.url}/api/tables/${table}`)).json();
  }
}
