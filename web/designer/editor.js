// The editor of a house way: its clauses as rows, or its whole text.

import { h } from "../dom.js";
import { words } from "../words.js";
import { finePercent, share, thousands } from "../study/numbers.js";
import { HANDS, faultText } from "./results.js";
import { saysOf } from "./way.js";

/**
 * @typedef {import("./way.js").Way} Way
 * @typedef {import("./way.js").Clause} Clause
 * @typedef {import("../protocol").ClauseCost} ClauseCost
 * @typedef {{ line: number, message: string, clause: number | null, field: string | null }} TextFault a fault of the text: its line, from 1, and the index of its clause
 * @typedef {object} ClauseFacts
 * @property {number} number number of the clause, from 1; 0 if it is not sent
 * @property {ClauseCost | null} cost
 * @property {TextFault[]} faults
 * @property {import("../protocol").DesignFault[]} proof faults of the proof
 * @typedef {object} Actions
 * @property {(key: string, field: string, some: Partial<Clause>) => void} change
 * @property {(key: string, by: number) => void} move
 * @property {(key: string) => void} toggle
 * @property {(key: string) => void} insert
 * @property {(key: string) => void} remove
 * @property {(some: Partial<Way>, field: string) => void} head
 * @property {(text: string) => void} text
 */

/** Title, source and clauses. @param {Way} way @param {(clause: Clause, index: number) => ClauseFacts} factsOf @param {TextFault[]} others faults outside of the clauses @param {boolean} stale @param {Actions} act */
export function clauseEditor(way, factsOf, others, stale, act) {
  const { designer: say } = words;
  return h("div", { class: "stack", key: "clauses" },
    h("div", { class: "fields" },
      h("label", { class: "field" }, say.wayTitle, h("input", { name: "title", autocomplete: "off", ".value": way.title, oninput: (/** @type {any} */ event) => act.head({ title: event.target.value }, "title") })),
      h("label", { class: "field" }, say.waySource, h("input", { name: "source", autocomplete: "off", ".value": way.source, oninput: (/** @type {any} */ event) => act.head({ source: event.target.value }, "source") }))),
    faultList(others),
    h("p", { class: "small" }, `${say.clausesWhy} ${say.costsWhy}`),
    phrases(),
    h("ol", { class: "design-clauses" }, way.clauses.map((clause, index) => row(clause, factsOf(clause, index), index, way.clauses.length, stale, act))));
}

/** The phrases of conditions and settings. */
function phrases() {
  const { designer: say } = words;
  const list = (/** @type {string} */ title, /** @type {string[]} */ all) => h("div", null, h("h3", null, title), h("ul", null, all.map((phrase) => h("li", { key: phrase }, phrase))));
  return h("details", { key: "phrases" }, h("summary", null, say.phrases.title),
    h("p", { class: "small" }, say.phrases.why), h("div", { class: "design-phrases" }, list(say.when, say.phrases.when), list(say.phrases.set, say.phrases.sets)));
}

/** @param {Clause} clause @param {ClauseFacts} facts @param {number} index @param {number} all @param {boolean} stale @param {Actions} act */
function row(clause, { number, cost, faults, proof }, index, all, stale, act) {
  const { designer: say } = words;
  const { key } = clause;
  const name = number ? say.clause(number) : clause.off ? say.clauseOff : say.clauseIncomplete;
  const faultId = `${key}-fault`;
  const isFaulty = (/** @type {string} */ field) => faults.some((fault) => fault.field === field);
  const area = (/** @type {string} */ label, /** @type {"when" | "set" | "says"} */ field, /** @type {string} */ value, /** @type {(text: string) => Partial<Clause>} */ read) =>
    h("label", { class: ["field", `design-${field}`], key: field }, h("span", null, label, h("span", { class: "unseen" }, say.ofClause(name))),
      h("textarea", { rows: 1, placeholder: field === "says" && number ? saysOf({ ...clause, says: "" }) : null, spellcheck: field === "says", autocomplete: "off", "data-field": field, ".value": value, "aria-invalid": isFaulty(field) ? "true" : null, "aria-describedby": faults.length ? faultId : null,
        oninput: (/** @type {any} */ event) => act.change(key, field, read(event.target.value)) }));
  const button = (/** @type {string} */ act_, /** @type {string} */ label, /** @type {() => void} */ onclick, /** @type {{ disabled?: boolean, icon?: string }} */ { disabled = false, icon } = {}) =>
    h("button", { type: "button", class: ["button", "slim", "plain", icon && "design-icon"], "data-act": act_, disabled, title: icon ? label : null, onclick },
      icon ? [h("span", { "aria-hidden": "true" }, icon), h("span", { class: "unseen" }, label)] : label, h("span", { class: "unseen" }, say.ofClause(name)));
  const oneLine = (/** @type {string} */ text) => text.replace(/\s*\n\s*/g, " ");
  return h("li", { key, "data-clause": key, class: { "is-off": clause.off, "is-faulty": faults.length || proof.length },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by || !event.altKey) return;
      event.preventDefault();
      act.move(key, by);
    } },
    h("div", { class: "design-row-head" },
      h("h3", null, number ? [h("span", { class: "unseen" }, say.clause(number)), h("span", { "aria-hidden": "true", class: "amount" }, number)] : h("span", { class: "kind" }, clause.off ? say.off : say.incomplete)),
      // A clause that is switched off takes one line, so that the others stay in view.
      clause.off ? h("p", { class: "small design-cost" }, `${clause.when} → ${clause.set.join("; ")}`) : h("p", { class: ["small", "design-cost", stale && "stale"] }, cost && costFacts(cost).map((fact, one) => [one > 0 && " ", h("span", { key: one }, fact)])),
      h("div", { class: "row", role: "group", "aria-label": name },
        button("up", say.up, () => act.move(key, -1), { disabled: index === 0, icon: "↑" }),
        button("down", say.down, () => act.move(key, 1), { disabled: index === all - 1, icon: "↓" }),
        button("toggle", clause.off ? say.turnOn : say.turnOff, () => act.toggle(key)),
        button("insert", say.insert, () => act.insert(key)),
        button("remove", say.remove, () => act.remove(key), { disabled: all === 1 }))),
    !clause.off && h("div", { class: "design-row", key: "row" },
      area(say.when, "when", clause.when, (text) => ({ when: oneLine(text) })),
      area(say.set, "set", clause.set.join("\n"), (text) => ({ set: text.split("\n") })),
      area(say.says, "says", clause.says, (text) => ({ says: oneLine(text) }))),
    faults.length > 0 && h("div", { class: "fault design-fault", key: "faults", id: faultId }, faults.map((fault, one) => h("p", { key: one }, faultMessage(fault.message)))),
    proof.map((fault, one) => h("p", { class: "fault design-fault", key: `proof${one}` }, faultText(fault))),
    !clause.off && h("div", { class: "design-foot", key: "foot" },
      h("label", { class: "design-possible" }, h("input", { type: "checkbox", ".checked": clause.ifPossible, onchange: (/** @type {any} */ event) => act.change(key, "possible", { ifPossible: event.target.checked }) }),
        h("span", null, say.ifPossible, h("span", { class: "unseen" }, say.ofClause(name)))),
      h("details", { class: "design-more" }, h("summary", null, say.more, h("span", { class: "unseen" }, say.ofClause(name))),
        h("label", { class: "field" }, clause.assumed ? say.reason : say.cite, h("input", { autocomplete: "off", ".value": clause.cite, oninput: (/** @type {any} */ event) => act.change(key, "cite", { cite: event.target.value }) })),
        clause.notes.length > 0 && h("p", { class: "small" }, h("b", null, say.comments, ": "), clause.notes.join(" ")))));
}

/** Returns the figures of a clause as texts. @param {ClauseCost} cost */
function costFacts({ hands, cost, removed, swapped }) {
  const { designer: say } = words;
  const effect = (/** @type {string} */ label, /** @type {string | null} */ change) => {
    if (change === null) return [];
    const size = finePercent(change.replace("-", ""));
    return [Number(change) === 0 ? say.sameCost(label) : change.startsWith("-") ? say.lessCost(label, size) : say.moreCost(label, size)];
  };
  return [hands ? say.decides(thousands(hands), share(hands, HANDS)) : say.decidesNone,
    Number(cost) === 0 ? say.costsNothing : say.costs(finePercent(cost)), ...effect(say.removed, removed), ...effect(say.swapped, swapped)];
}

/** A server's message. Its help after the first semicolon is smaller. @param {string} message */
function faultMessage(message) {
  const at = message.indexOf("; ");
  return at < 0 ? withCode(message) : [withCode(message.slice(0, at)), h("span", { class: "small design-help" }, withCode(message.slice(at + 2)))];
}

/** A text whose parts between backticks are code. @param {string} text */
const withCode = (text) => text.split("`").map((part, index) => (index % 2 ? h("code", null, part) : part));

/** Faults with their lines. @param {TextFault[]} faults @param {(line: number) => void} [show] moves the caret to a line */
function faultList(faults, show) {
  const { designer: say } = words;
  return faults.length > 0 && h("ul", { class: "fault design-fault", key: "faults", "aria-label": say.faultsTitle }, faults.map(({ line, message }, index) => h("li", { key: index },
    line > 0 && (show ? h("button", { type: "button", class: "button slim", onclick: () => show(line) }, say.line(line)) : h("b", null, say.line(line), ": ")), " ", faultMessage(message))));
}

/** The whole text, with line numbers and the faults at their lines. @param {string} text @param {TextFault[]} faults @param {{ readable: boolean, off: number }} state @param {Actions} act @param {(line: number) => void} show */
export function textEditor(text, faults, { readable, off }, act, show) {
  const { designer: say } = words;
  const lines = text.split("\n").length;
  const wrong = new Set(faults.map(({ line }) => line));
  return h("div", { class: "stack", key: "text" },
    !readable && h("p", { class: "small", role: "status" }, say.textOnly),
    off > 0 && h("p", { class: "small" }, say.switchedOff(off)),
    phrases(),
    faultList(faults, show),
    h("div", { class: "design-text" },
      h("div", { class: "design-lines", "aria-hidden": "true" }, Array.from({ length: lines }, (_, index) => h("span", { key: index, class: { wrong: wrong.has(index + 1) } }, wrong.has(index + 1) ? `▸ ${index + 1}` : index + 1))),
      h("textarea", { name: "toml", "aria-label": say.textLabel, "aria-invalid": faults.length ? "true" : null, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", rows: lines, ".value": text,
        oninput: (/** @type {any} */ event) => act.text(event.target.value) })));
}
