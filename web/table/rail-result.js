// The rail during and after the reveal: the result of every wager with its reason, the coach's line, and the actions next and hold.

import { h } from "../dom.js";
import { cardsOf, sameCards } from "../cards/card-text.js";
import { money, short, signed } from "../money.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { costOf } from "./coach.js";
import { icon } from "./icons.js";
import { linesOf } from "./model.js";
import { alt, fuse, goButton, say } from "./rail-parts.js";
import { BASE } from "./reduce.js";
import { reached } from "./reveal.js";
import { seatOf } from "./scene.js";
import { tone } from "./seat-status.js";
import * as stakes from "./stakes.js";

/**
 * @typedef {import("./scene.js").Scene & { state: import("./state.js").TableState }} Scene
 * @typedef {import("./view-types.js").Line} Line
 * @typedef {{ key: string, title: string, net: number, because: string, full: string }} Entry full: all sentences of the reason
 */

/** @param {Scene} scene @param {() => void} showCoach @returns {import("./rail-parts.js").RailParts} */
export function resultRail(scene, showCoach) {
  const { state, moment } = scene;
  const { go, say: text } = words.board;
  if (!reached(moment, "verdict")) return { middle: say(text.turning, text.turningWhy), alt: alt(words.board.alt.faster, "F", () => state.playback.skip()), go: goButton(go.next, go.soon, null) };
  const { held, seatAgain } = state;
  const previous = state.chips.previous();
  const same = !held && state.own && !state.own.leaving && previous ? go.same(short(stakes.total(previous))) : held ? go.back : "";
  return {
    middle: h("div", { class: "ledger-box", onpointerdown: (/** @type {any} */ event) => { if (!held && !event.target.closest("button")) state.hold(); } },
      ledger(scene), lastLine(scene, showCoach)),
    alt: alt(words.board.alt.hold, words.board.space, () => state.hold(), { "aria-pressed": held ? "true" : "false" }),
    go: seatAgain === null ? goButton(go.next, same, () => state.sitAgainOrNext(), { fuse: fuse(state) }) : goButton(go.sit, words.board.atSeat(seatAgain), () => state.sitAgainOrNext()),
  };
}

/** The line under the ledger: whether the result is held, and the coach. @param {Scene} scene @param {() => void} showCoach */
function lastLine(scene, showCoach) {
  const held = scene.state.held && [h("b", null, words.board.say.held), ". ", heldText(scene), " "];
  const coach = coachOf(scene);
  return (held || coach) && h("p", { class: "coach-line" },
    coach && h("i", { class: coach.best ? "best" : "worse" }, icon(coach.best ? "tick" : "cross")),
    h("span", null, held, coach && [h("b", null, coach.cost), " ", coach.luck]),
    coach && h("button", { class: "link", onclick: showCoach }, words.board.coach.all(coach.ways)));
}

/** @param {Scene} scene */
function heldText({ state, view }) {
  const live = state.view;
  if (!live?.round || live.round.round === view.round?.round) return "";
  return words.board.say.heldWhy(live.round.round, words.phase(live.phase, live.facts.terms.banker));
}

/** @param {Scene} scene */
function ledger(scene) {
  const { view } = scene;
  const entries = entriesOf(scene);
  if (view.round?.voided) return say(words.board.call.voided, words.result.voided(view.round.voided));
  if (entries.length === 0) return say(words.board.call.notIn[0], words.board.call.notIn[1]);
  return h("ol", { class: ["ledger", `entries-${Math.min(entries.length, 6)}`], "aria-label": words.board.ledger }, entries.map((entry) => h("li", { key: entry.key, class: tone(entry.net) },
    h("b", null, entry.title), h("u", { class: "amount" }, entry.net === 0 ? words.board.pushed : signed(entry.net)), h("span", { title: entry.full }, entry.because))));
}

/** Returns the entries of the ledger: one for each wager; for a banker one for each seat. @param {Scene} scene @returns {Entry[]} */
function entriesOf(scene) {
  const { view, bottom } = scene;
  const lines = view.round?.lines ?? [];
  const own = linesOf(lines, bottom).map((line, index) => ({
    key: `own-${index}`, title: words.line(line.wager, line.outcome, view), net: line.net_cents, because: reasonOf(scene, line), full: line.because,
  }));
  if (view.round?.bank?.seat !== bottom) return own;
  const fees = lines.filter((line) => line.who === "banker").map((line, index) => ({ key: `fee-${index}`, title: words.line(line.wager, line.outcome, view), net: line.net_cents, because: reasonOf(scene, line), full: line.because }));
  /** @type {Map<string, Line[]>} */
  const against = new Map();
  for (const line of lines) if (line.against === "banker" && line.who !== "banker") against.set(line.who, [...against.get(line.who) ?? [], line]);
  const seats = [...against].map(([who, all]) => {
    const base = all.find((line) => line.wager === BASE) ?? all[0];
    // The banker wins what the seat loses, without the seat's commission.
    const net = all.reduce((sum, line) => sum - (line.net_cents + line.fee_cents), 0);
    return { key: who, title: partyName(scene, who), net, because: againstText(base.outcome) ?? reasonOf(scene, base), full: all.map(({ because }) => because).join(" ") };
  });
  return [...seats, ...own, ...fees];
}

/** @param {string} outcome @returns {string | undefined} */
const againstText = (outcome) => /** @type {Record<string, string>} */ (words.board.why.against)[outcome];

/** @param {Scene} scene @param {string} who */
function partyName(scene, who) {
  const seat = Number(/^seat-(\d+)$/.exec(who)?.[1] ?? NaN);
  const sitting = seatOf(scene.view, seat);
  return sitting ? scene.name(sitting.player) : seat ? words.table.seat(seat) : words.party(who, scene.view.facts.terms.banker);
}

/** Returns the reason of a line in a few words. An envy bonus names whose hand brought it. The full text is in the drawer. @param {Scene} scene @param {Line} line */
function reasonOf(scene, { reason, because }) {
  const { why } = words.board;
  const last = because.split(/(?<=[.!?])\s+/).at(-1)?.replace(/\.$/, "") ?? "";
  switch (reason?.code) {
    case "envy": case "envy_unpaid": return why.envy(partyName(scene, `seat-${reason.seat}`), words.rowName(reason.hand, undefined).toLowerCase());
    case "no_row": return because.includes(words.felt.dealer.toLowerCase()) ? why.dealerNoRow : why.noRow;
    case "row": case "limited": return why.row(handText(reason.hand), because.match(/: ([\d,]+ to \d+)/)?.[1] ?? words.board.pushed.toLowerCase());
    case "compared": return last.split(":")[0];
    default: return last;
  }
}

/** Returns the name of a paytable's row: `Three pair`, `4 cards of the color`. @param {string} hand */
const handText = (hand) => (/^\d+_cards$/.test(hand) ? words.rowName(undefined, parseInt(hand, 10)) : words.rowName(hand, undefined));

/** The coach's texts: the cost of the setting, and luck. `null` unless the values are loaded. @param {Scene} scene */
function coachOf({ state, own, view }) {
  const worth = state.hand.worthOf(own);
  if (!settings.value.coach || !worth || !own?.hand?.low) return null;
  const low = cardsOf(own.hand.low);
  const cost = costOf(worth, low);
  if (cost === null) return null;
  const chosen = worth.find((setting) => sameCards(cardsOf(setting.low), low));
  const stake = own.wagers[BASE]?.cents ?? 0;
  const base = linesOf(view.round?.lines ?? [], own.seat).filter((line) => line.wager === BASE).reduce((sum, line) => sum + line.net_cents, 0);
  const { coach } = words.board;
  return {
    best: cost === 0, cost: cost === 0 ? coach.best : Math.round(cost * stake) === 0 ? coach.tiny : coach.cost(money(Math.round(cost * stake))), ways: worth.length,
    luck: chosen && !view.round?.bank ? coach.luck(signed(base - Math.round(Number(chosen.ev) * stake)), words.wagerAt(BASE, view)) : "",
  };
}
