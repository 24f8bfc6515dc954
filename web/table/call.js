// The call line: what the dealer says.

import { h } from "../dom.js";
import { settings } from "../settings.js";
import { words } from "../words.js";
import { hasHandToSet, isBanking } from "./model.js";
import { reached } from "./reveal.js";
import { bottomName, isOpen, seatOf, topHand } from "./scene.js";
import { briefNames, capital, comparisonOf, headline } from "./verdict.js";

/** @typedef {import("./scene.js").Scene} Scene */

/** On the narrowest boards, a title may break after a slash. @param {Scene} scene */
export function callLine(scene) {
  const { title, text, mood } = scene.call ?? callOf(scene);
  return h("div", { class: ["call", mood], role: isAnnounced(scene) ? null : "status" }, h("b", null, title.replaceAll("/", "/\u200b")), h("span", null, text));
}

/** Whether `TableState` announces the call: the result of a round. @param {Scene} scene */
const isAnnounced = ({ state, view }) => state !== null && isOpen(view);

/** @param {Scene} scene @returns {{ title: string, text: string, mood?: string }} */
function callOf(scene) {
  const { view, own, state } = scene;
  const { call } = words.board;
  const pair = (/** @type {string[]} */ [title, text]) => ({ title, text });
  if (view.closed) return { title: words.dock.closed, text: "" };
  if (isOpen(view)) return resultCall(scene);
  if (own?.out && !hasHandToSet(view, own)) return { title: words.board.say.sitOut, text: words.dock.out };
  switch (view.phase) {
    case "waiting": return view.paused ? { title: words.dock.paused, text: "" } : pair(!own ? call.watching : state?.view?.phase === "between" ? call.nextRound : call.waiting);
    case "offering": {
      const say = words.banker(view.facts.terms.banker);
      const yours = view.offered !== null && view.offered === view.you;
      return { title: yours ? say.callYou : say.callOther, text: say.offeredTo((yours ? words.table.you : words.table.seat(view.offered ?? 0)).toLowerCase()).replace(/\.$/, "") };
    }
    case "wagers": return pair(!own || isBanking(view) ? call.others : own.ready ? call.ready : call.wagers);
    case "revealing": return pair(call.closed);
    case "settings": {
      if (!own) return pair(call.setting);
      if (!own.hand) return pair(call.noHand);
      const unset = view.seats.filter((seat) => seat.hand && !seat.hand.set).length;
      if (own.hand.set) return { title: words.set.by[own.hand.by ?? "player"].replace(/\.$/, ""), text: words.board.isSet(unset) };
      if (state && state.faceDown.count(own.seat) > 0) return pair(settings.reducedMotion() ? call.dealtFlat : call.dealt);
      return pair(state?.hand.setting?.legal === false ? call.foul : call.set);
    }
    default: return { title: "", text: "" };
  }
}

/** @param {Scene} scene @returns {{ title: string, text: string, mood?: string }} */
function resultCall(scene) {
  const { view, bottom, moment, own } = scene;
  const { call, highVerdict, compare } = words.board;
  const { round } = view;
  const pair = (/** @type {string[]} */ [title, text]) => ({ title, text });
  if (round?.voided) return { title: call.voided, text: words.result.voided(round.voided) };
  if (!round?.lines) return pair(call.noRound);
  const sitting = seatOf(view, bottom);
  if (reached(moment, "verdict")) {
    const net = round.net_cents?.[bottom];
    if (net === undefined) return pair(own ? call.notIn : call.seatNotIn(bottomName(scene)));
    const [title, text] = headline(view, bottom, own ? "" : bottomName(scene));
    return { title, text, mood: net > 0 ? "win" : net < 0 ? "lose" : "push" };
  }
  if (moment.stage === "seats" && moment.seat !== null) return pair(call.seats(own ? "" : bottomName(scene), scene.name(seatOf(view, moment.seat)?.player ?? "")));
  if (reached(moment, "high-verdict") && own) {
    const comparison = comparisonOf(view, bottom);
    const mine = briefNames(sitting?.hand, scene.ranking);
    const theirs = briefNames(topHand(scene).hand, scene.ranking);
    if (comparison && mine && theirs) return { title: highVerdict[comparison.high], text: `${capital(compare[comparison.high](mine.high, theirs.high))}. ${words.board.lowNext}`, mood: comparison.high };
  }
  return pair(call.down);
}
