// The spots of the wagers at the bottom seat. A tap on a spot adds the chip in hand.

import { h } from "../dom.js";
import { money, short } from "../money.js";
import { words } from "../words.js";
import { stack } from "./chip.js";
import { wagerIcon } from "./icons.js";
import { decidingLine, isBanking } from "./model.js";
import { BASE } from "./reduce.js";
import { reached } from "./reveal.js";
import { bottomName, isOpen, wagersOf } from "./scene.js";
import { tone } from "./seat-status.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./view-types.js").WagerFacts} WagerFacts
 * @typedef {import("./stakes.js").Stake} Stake
 * @typedef {{ facts: WagerFacts, index: number, stake: Stake | null, onWay: boolean, active: boolean, net: number | null, paid: number, tag: import("../dom.js").Child, tagClass: string }} Spot
 */

/** @param {Scene} scene */
export function wagerSpots(scene) {
  const { wagers } = scene.view.facts;
  const sides = wagers.map((_, index) => index).filter((index) => wagers[index].wager !== BASE);
  const base = wagers.findIndex(({ wager }) => wager === BASE);
  const left = Math.floor(sides.length / 2);
  const order = [...sides.slice(0, left), base, ...sides.slice(left)];
  return h("section", { class: ["wager-spots", `wagers-${wagers.length}`], "aria-label": scene.own ? words.board.wagers : words.board.wagersOf(bottomName(scene)) }, order.map((index) => spot(scene, spotOf(scene, index))));
}

/** Whether the viewer can place chips now. @param {Scene} scene */
const canWager = ({ state, view, own }) => Boolean(state && !state.held && own && !own.out && !own.leaving && view.phase === "wagers");

/** @param {Scene} scene @param {number} index @returns {Spot} */
function spotOf(scene, index) {
  const { view, state, bottom, moment } = scene;
  const facts = view.facts.wagers[index];
  const placing = canWager(scene);
  const placed = wagersOf(view, bottom)[facts.wager] ?? null;
  const stake = (placing ? state?.chips.draft[facts.wager] : placed) ?? null;
  const onWay = placing && Boolean(state?.chips.isOnWay(facts.wager));
  // A banker places only the side wagers that the book allows.
  const active = placing && (!isBanking(view) || facts.banker_wagers);
  const line = isOpen(view) && reached(moment, "verdict") ? decidingLine(view.round?.lines ?? [], bottom, facts.wager) : undefined;
  const net = line ? line.net_cents : null;
  const { text, className } = tagOf(scene, facts, stake, net);
  return { facts, index, stake, onWay, active, net, paid: net !== null && net > 0 ? net : 0, tag: text, tagClass: className };
}

/** @param {Scene} scene @param {WagerFacts} facts @param {Stake | null} stake @param {number | null} net @returns {{ text: string, className: string }} */
function tagOf(scene, facts, stake, net) {
  if (net !== null) return { text: net === 0 ? words.board.pushed : net > 0 ? `+${short(net)}` : short(net), className: tone(net) };
  if (stake) return { text: `${short(stake.cents)}${stake.color ? ` ${words.table[stake.color]}` : ""}`, className: "" };
  const table = scene.book?.wagers.find((one) => one.wager === facts.wager)?.paytables.find((one) => one.paytable === facts.paytable);
  const pays = Math.max(0, ...(table?.rows.map((row) => row.pays) ?? []));
  return { text: facts.wager !== BASE && pays > 0 ? words.board.spot.pays(pays) : words.board.spot.from(short(facts.min_cents)), className: "lim" };
}

/** @param {Scene} scene @param {Spot} spot */
function spot(scene, spot) {
  const { facts, index, stake, onWay, active, net, paid, tag, tagClass } = spot;
  const { state } = scene;
  const base = facts.wager === BASE;
  const title = words.wagerTitle(facts.title);
  const chips = stake && !(net !== null && net < 0) && stack(stake.cents, { class: { loose: onWay }, key: "chips" });
  const won = paid > 0 && stack(paid, { class: "paid", key: "paid" });
  const limits = words.lobby.limits(short(facts.min_cents), short(facts.max_cents));
  const amount = stake ? `${money(stake.cents)}${onWay ? ` ${words.board.spot.onWay}` : ""}` : "";
  const more = net !== null ? "" : words.wager.spot(amount, active ? money(state?.chips.chip ?? 0) : "", limits);
  const classes = ["spot", { base, color: facts.color, placed: stake, active, win: net !== null && net > 0, lose: net !== null && net < 0, push: net === 0 }];
  const add = () => active && state?.chips.add(facts.wager);
  const take = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (active) state?.chips.take(facts.wager);
  };
  const marks = [h("span", { class: "spot-name", key: "name" }, title), " ", h("u", { class: ["spot-tag", tagClass, { "on-way": onWay }], key: "tag" }, tag), !facts.color && h("span", { class: "unseen", key: "more" }, more)];
  const shared = { "data-wager": facts.wager, "data-index": index, "data-cents": stake?.cents ?? 0, key: facts.wager };
  if (facts.color) return colorSpot(scene, spot, { classes, shared, chips, won, marks, take, title });
  return h("button", { ...shared, class: classes, "aria-disabled": active ? null : "true", onclick: add, oncontextmenu: take, "aria-keyshortcuts": String(index + 1) },
    h("span", { class: "spot-ring", key: "ring" }, base ? h("em", { "aria-hidden": "true" }, words.board.spot.base[0], h("br"), words.board.spot.base[1]) : wagerIcon(facts.wager), chips, won), marks);
}

/**
 * A wager on a color: each half of the ring is a button. On small tables, one button opens the choice.
 * @param {Scene} scene @param {Spot} spot
 * @param {{ classes: any[], shared: Record<string, any>, chips: import("../dom.js").Child, won: import("../dom.js").Child, marks: import("../dom.js").Child[], take: (event: Event) => void, title: string }} parts
 */
function colorSpot(scene, { facts, stake, active }, { classes, shared, chips, won, marks, take, title }) {
  const { state } = scene;
  const color = (/** @type {"red" | "black"} */ name) => h("button", {
    key: name, class: ["half", name], "aria-disabled": active ? null : "true", "aria-pressed": stake?.color === name ? "true" : "false", oncontextmenu: take,
    onclick: () => active && state?.chips.addColor(facts.wager, name),
  }, h("span", { "aria-hidden": "true" }, words.board.spot[name]), h("span", { class: "unseen" }, words.board.spot.onColor(title, words.table[name], stake?.color === name ? money(stake.cents) : "", active ? money(state?.chips.chip ?? 0) : "")));
  const whole = () => {
    if (!active) return;
    if (stake?.color) state?.chips.addColor(facts.wager, stake.color);
    else openColorSheet();
  };
  return h("div", { ...shared, class: [...classes, stake?.color && `on-${stake.color}`], role: "group", "aria-label": words.wager.color(title, scene.view.facts.terms.color) },
    h("span", { class: "spot-ring", key: "ring" }, color("red"), color("black"), chips, won),
    h("button", { key: "whole", class: "whole", "aria-disabled": active ? null : "true", "aria-label": words.board.spot.chooseColor(title), onclick: whole, oncontextmenu: take }),
    marks);
}

export const openColorSheet = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("choose-color"))?.showModal();

/** The dialog that asks for a color, on small tables and after the key of the wager. @param {Scene} scene */
export function colorSheet(scene) {
  const facts = scene.view.facts.wagers.find(({ color }) => color);
  if (!facts || !scene.state) return null;
  const { state } = scene;
  return h("dialog", { class: "sheet choose-color", id: "choose-color", "aria-label": words.board.spot.chooseColor(words.wagerTitle(facts.title)) },
    h("form", { method: "dialog", class: "row" }, /** @type {const} */ (["red", "black"]).map((name) =>
      h("button", { key: name, class: ["button", "color-button", name], onclick: () => state.chips.addColor(facts.wager, name) }, words.board.spot.color[name]))));
}
