// A table in the console: its state, its seats and the acts of an operator.

import "../shell/confirm.js";
import { h } from "../dom.js";
import { money } from "../money.js";
import { words } from "../words.js";
import { secondsUntil } from "./table-search.js";
import { choice, field, submits, typed } from "./section.js";

/**
 * @typedef {import("./types.js").ConsoleTable} ConsoleTable
 * @typedef {import("../protocol").Command} Command
 * @typedef {{ what: "void" | "notice", reason: "exposed_card" | "wrong_count" | "machine_fault" | "other", text: string }} TableForm the open form of a table
 * @typedef {object} TableOptions
 * @property {number} now time of the server
 * @property {boolean} may whether the operator may act
 * @property {boolean} busy
 * @property {TableForm | null} form
 * @property {(form: TableForm | null) => void} setForm
 * @property {(command: Command) => Promise<boolean>} send
 * @property {() => void} invite opens the dialog of the invitations
 */

/** Returns the name of a table with its id. @param {ConsoleTable} table */
export const tableTitle = ({ table, name }) => (name ? `${name} (${table})` : table);

/** @param {ConsoleTable} table @param {TableOptions} options */
export function tablePanel(table, options) {
  const { tables: say } = words.console;
  const states = /** @type {const} */ (["paused", "closing", "private", "invited"]).filter((state) => table[state]);
  return h("li", { key: table.table, class: "panel console-table", "data-table": table.table },
    h("div", { class: "study-head" }, h("div", null, h("h2", null, tableTitle(table)), h("p", { class: "small" }, say.of(table.book, table.currency))), h("div", { class: "tags" }, states.map((state) => h("span", { class: "tag on", key: state }, say.states[state])))),
    facts(table, options.now),
    seats(table, options),
    h("div", { class: "row console-acts" },
      h("a", { class: "button slim plain", href: `/table/${encodeURIComponent(table.table)}` }, say.watch, h("span", { class: "unseen" }, say.watchAt(table.table))),
      options.may && acts(table, options)),
    options.form && form(table, options.form, options));
}

/** @param {ConsoleTable} table @param {number} now */
function facts(table, now) {
  const { tables: say } = words.console;
  const bank = table.bank?.seat;
  const banker = bank ? say.bankSeat(bank, table.seats.find(({ seat }) => seat === bank)?.name ?? "") : say.bankNone;
  const fact = (/** @type {string} */ title, /** @type {import("../dom.js").Child} */ value) => h("div", { key: title }, h("dt", null, title), h("dd", null, value));
  const seconds = table.deadline === null ? null : secondsUntil(table.deadline, now);
  return [h("p", { class: "console-phase" }, words.dock.phase(table.phase, table.round, "banker")), h("dl", { class: "console-facts" },
    fact(say.deadline, seconds === null ? words.console.none : seconds === 0 ? say.due : h("span", { class: "amount" }, say.deadlineIn(seconds))),
    fact(say.bank, banker),
    fact(say.cover, table.bank ? h("span", { class: "amount" }, money(table.bank.cover_cents)) : words.console.none),
    fact(say.viewers, String(table.viewers)))];
}

/** @param {ConsoleTable} table @param {TableOptions} options */
function seats(table, { may, send }) {
  const { tables: say } = words.console;
  const seated = (/** @type {import("./types.js").ConsoleSeat} */ { seat, player, name, bot, sitting_out: out, staked_cents: staked }) => h("li", { key: `${seat} ${player}` },
    h("p", null, h("b", { class: "amount" }, String(seat)), " ",
      bot ? name : h("a", { href: `/console/people/${encodeURIComponent(player)}` }, name),
      bot && [" ", h("span", { class: "tag" }, say.bot)],
      out && [" ", h("span", { class: "tag" }, say.sittingOut)],
      staked > 0 && h("span", { class: "small amount" }, ` ${say.staked(money(staked))}`)),
    may && h("div", { class: "row" },
      confirm(say.vacate, say.ofSeat(seat), say.vacateAsk(seat, name), say.vacateYes, say.keepSeat, () => send({ do: "vacate", seat })),
      confirm(say.suspend, say.ofSeat(seat), say.suspendAsk(seat, name), say.suspendYes, say.keepSeat, () => send({ do: "suspend", seat }))));
  return h("details", { class: "console-seats" }, h("summary", null, `${say.seats}: ${say.seatsTaken(table.seats.length, table.seats_max)}`),
    table.seats.length > 0 && h("ul", null, table.seats.map(seated)));
}

/** A button that asks before it acts. @param {string} label @param {string} of @param {string} question @param {string} yes @param {string} no @param {() => unknown} act */
const confirm = (label, of, question, yes, no, act) => h("pg-confirm", { key: label, ".question": { label: label + of, question, yes, no, act } });

/** @param {ConsoleTable} table @param {TableOptions} options */
function acts(table, { busy, form: shown, setForm, send, invite }) {
  const { tables: say } = words.console;
  const button = (/** @type {string} */ label, /** @type {() => unknown} */ act, /** @type {TableForm["what"] | null} */ opens = null) =>
    h("button", { key: opens ?? "pause", type: "button", class: "button slim", "aria-disabled": busy && opens === null ? "true" : null, "data-opens": opens, "aria-expanded": opens === null ? null : String(shown?.what === opens), onclick: act }, label, h("span", { class: "unseen" }, say.watchAt(table.table)));
  const open = (/** @type {TableForm["what"]} */ what) => () => setForm(shown?.what === what ? null : { what, reason: "exposed_card", text: "" });
  return [
    table.paused ? button(say.resume, () => send({ do: "resume" })) : button(say.pause, () => send({ do: "pause" })),
    table.invited && h("button", { key: "invite", type: "button", class: "button slim", "aria-haspopup": "dialog", onclick: invite }, words.account.invite.title, h("span", { class: "unseen" }, say.watchAt(table.table))),
    button(say.notice, open("notice"), "notice"),
    button(say.void, open("void"), "void"),
    !table.closing && confirm(say.close, "", say.closeAsk(tableTitle(table)), say.closeYes, say.keep, () => send({ do: "close" })),
  ];
}

/** The form of a void or a notice. @param {ConsoleTable} table @param {TableForm} shown @param {TableOptions} options */
function form(table, shown, { busy, setForm, send }) {
  const { tables: say } = words.console;
  const { what, reason, text } = shown;
  const command = () => /** @type {Command} */ (what === "notice" ? { do: "notice", text: text.trim() } : { do: "void", reason: reason === "other" ? { code: reason, text: text.trim() } : { code: reason } });
  const write = typed((value) => setForm({ ...shown, text: value }));
  return h("form", { class: "console-form stack", key: "form", "aria-label": `${what === "void" ? say.void : say.notice}: ${table.table}`, onsubmit: submits(async () => { if (await send(command())) setForm(null); }),
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") setForm(null); } },
    what === "void" && [
      h("p", { class: "small", key: "why" }, say.voidWhy, table.phase === "between" && [" ", h("b", null, say.voidSettled)]),
      choice(say.reason, { name: "reason", ".value": reason, onchange: typed((value) => setForm({ ...shown, reason: /** @type {TableForm["reason"]} */ (value) })) },
        /** @type {const} */ (["exposed_card", "wrong_count", "machine_fault", "other"]).map((one) => [one, say.reasons[one]]))],
    (what === "notice" || reason === "other") && field(what === "notice" ? say.noticeText : say.reasonText, { name: "text", required: true, maxlength: what === "notice" ? 500 : 200, ".value": text, oninput: write }),
    h("div", { class: "row", key: "acts" },
      h("button", { class: ["button", what === "void" ? "danger" : "primary"], disabled: busy }, what === "void" ? say.voidYes : say.noticeYes),
      h("button", { type: "button", class: "button", onclick: () => setForm(null) }, words.console.cancel)));
}
