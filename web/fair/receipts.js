// <pg-receipts>: receipts from files, each checked step by step, and against each other.

import { h } from "../dom.js";
import { Piece, define } from "../piece.js";
import { words } from "../words.js";
import { publicKey } from "./keys.js";
import { checkReceipt, contradict, readReceipt } from "./receipt.js";
import { seenRounds } from "./seen.js";
import { steps } from "./steps.js";

/** @typedef {{ file: string, payload: import("./receipt.js").Payload | null, checked: import("./check.js").Checked[] }} Result */

class Receipts extends Piece {
  /** @type {Result[]} */
  results = [];

  /** @param {File[]} files */
  async #check(files) {
    const results = await Promise.all(files.map((file) => check(file)));
    if (this.gone.aborted) return;
    this.results = results;
    this.update();
  }

  view() {
    const { receipt: say } = words.fair;
    return h("div", { class: "stack" },
      h("label", { class: "field small" }, say.check,
        h("input", { type: "file", multiple: true, accept: ".json,application/json", onchange: (/** @type {any} */ event) => this.#check([...event.target.files]) })),
      h("div", { role: "status", class: "stack" }, this.results.map((result, place) => h("div", { key: place, class: "receipt" }, shown(result))), contradictions(this.results)));
  }
}

/** @param {File} file @returns {Promise<Result>} */
async function check(file) {
  try {
    const read = readReceipt(await file.text());
    const { table, round } = read.payload;
    return { file: file.name, payload: read.payload, checked: await checkReceipt(read, { seen: seenRounds.of(table, round), publicKey }) };
  } catch {
    return { file: file.name, payload: null, checked: [] };
  }
}

/** @param {Result} result */
function shown({ file, payload, checked }) {
  const { receipt: say } = words.fair;
  if (!payload) return h("p", { class: "bad" }, say.none(file));
  const fails = checked.some(({ right }) => right === false);
  const whole = checked.every(({ right }) => right !== null);
  const blind = !fails && checked.some(({ step }) => step === "browser");
  const verdict = fails ? `✗ ${say.fails}` : blind ? `– ${say.unchecked}` : `✓ ${whole ? say.holds : say.partly}`;
  return [h("p", null, h("b", null, say.of(payload.table, payload.round)), " ", h("span", { class: fails ? "bad" : blind ? "" : "good" }, verdict)), steps(checked)];
}

/** Receipts of one round that the house has signed and that contradict each other. @param {Result[]} results */
function contradictions(results) {
  const isSigned = (/** @type {Result} */ { checked }) => checked.some(({ step, right }) => step === "receipt" && right) && !checked.some(({ step, right }) => step === "keys" && right === false);
  const payloads = results.filter(isSigned).flatMap(({ payload }) => payload ?? []);
  const found = payloads.flatMap((one, place) => (payloads.slice(place + 1).some((other) => contradict(one, other)) ? [one] : []));
  return found.map(({ table, round }, place) => h("p", { key: `contradict ${place}`, class: "bad" }, words.fair.receipt.contradict(table, round)));
}

define("pg-receipts", Receipts);
