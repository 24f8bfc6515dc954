// <pg-receipts>: checks receipt files step by step and against each other.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { books, session } from "../api.js";
import { words } from "../words.js";
import { tableName } from "../study/table-name.js";
import { publicKey } from "./keys.js";
import { checkReceipt, contradict, readReceipt } from "./receipt.js";
import { seenRounds } from "./seen.js";
import { steps } from "./steps.js";

/** @typedef {{ file: string, name: string, payload: import("./receipt.js").Payload | null, checked: import("./check.js").StepResult[] }} Result name: that of the table */

class Receipts extends Component {
  /** @type {Result[]} */
  results = [];

  /** @param {File[]} files */
  async #check(files) {
    const results = await Promise.all(files.map((file) => check(file)));
    if (this.signal.aborted) return;
    this.results = results;
    this.update();
  }

  view() {
    const { receipt: say } = words.fair;
    return h("div", { class: "stack" },
      h("label", { class: "field small" }, say.check,
        h("input", { type: "file", multiple: true, accept: ".json,application/json", onchange: (/** @type {any} */ event) => this.#check([...event.target.files]) })),
      h("div", { role: "status", class: "stack" }, this.results.map((result, index) => h("div", { key: index, class: "receipt" }, resultView(result))), contradictions(this.results)));
  }
}

/** @param {File} file @returns {Promise<Result>} */
async function check(file) {
  try {
    const parsed = readReceipt(await file.text());
    const { table, round, book } = parsed.payload;
    // A receipt can be checked offline; the name then has the id of the book.
    const title = (await books().catch(() => [])).find(({ id }) => id === book)?.title;
    return { file: file.name, name: tableName({ table, book, title }, session.me?.player), payload: parsed.payload, checked: await checkReceipt(parsed, { seen: seenRounds.of(table, round), publicKey }) };
  } catch {
    return { file: file.name, name: "", payload: null, checked: [] };
  }
}

/** @param {Result} result */
function resultView({ file, name, payload, checked }) {
  const { receipt: say } = words.fair;
  if (!payload) return h("p", { class: "bad" }, say.none(file));
  const fails = checked.some(({ right }) => right === false);
  const complete = checked.every(({ right }) => right !== null);
  const unchecked = !fails && checked.some(({ step }) => step === "browser");
  const verdict = fails ? `✗ ${say.fails}` : unchecked ? `– ${say.unchecked}` : `✓ ${complete ? say.holds : say.partly}`;
  return [h("p", null, h("b", null, say.of(name, payload.round)), " ", h("span", { class: fails ? "bad" : unchecked ? "" : "good" }, verdict)), steps(checked)];
}

/** Lists signed receipts that contradict each other. @param {Result[]} results */
function contradictions(results) {
  const isSigned = (/** @type {Result} */ { checked }) => checked.some(({ step, right }) => step === "receipt" && right) && !checked.some(({ step, right }) => step === "keys" && right === false);
  const signed = results.filter(isSigned).flatMap(({ name, payload }) => (payload ? [{ name, payload }] : []));
  const found = signed.filter(({ payload }, index) => signed.slice(index + 1).some((other) => contradict(payload, other.payload)));
  return found.map(({ name, payload }, index) => h("p", { key: `contradict ${index}`, class: "bad" }, words.fair.receipt.contradict(name, payload.round)));
}

define("pg-receipts", Receipts);
