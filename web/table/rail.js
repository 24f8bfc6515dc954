// The rail: lesser actions at the left, tools in the middle, then a second action and the main button.

import { h } from "../dom.js";
import { signed } from "../money.js";
import { words } from "../words.js";
import { canSit, freeSeats, hasHandToSet, isBanking, isViewerSeat, isViewerTurn, netOf, viewerSeats } from "./model.js";
import { bankRail, bankerRail, bankOffer } from "./rail-bank.js";
import { handRail } from "./rail-hand.js";
import { goButton, say } from "./rail-parts.js";
import { resultRail } from "./rail-result.js";
import { wagersRail } from "./rail-wagers.js";
import { isOpen } from "./scene.js";
import { seatStatus, tone } from "./seat-status.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./rail-parts.js").RailParts} RailParts
 */

/** @param {Scene & { state: TableState }} scene @param {() => void} showCoach */
export function rail(scene, showCoach) {
  const { state, view } = scene;
  const { left = null, middle, alt = null, go } = parts(scene, showCoach);
  const phase = state.showsResult ? "between" : view.phase;
  const seats = viewerSeats(view).length > 1 && seatChoice(state, view);
  return h("section", { class: ["rail", `at-${phase}`, { turn: state.view && isViewerTurn(state.view) }], "aria-label": words.dock.title, tabindex: -1 },
    lip(),
    h("div", { class: ["rail-left", { empty: !left && !seats }] }, seats, left),
    h("div", { class: "rail-middle" }, middle),
    h("div", { class: "rail-go" }, alt ?? h("span", { class: "alt", key: "no-alt" }), go));
}

/** @param {Scene & { state: TableState }} scene @param {() => void} showCoach @returns {RailParts} */
function parts(scene, showCoach) {
  const { state, view, own } = scene;
  if (view.closed) return { middle: say(words.dock.closed, ""), go: goLink(words.app.home, "/") };
  if (state.showsResult && (own || state.held)) return resultRail(scene, showCoach);
  if (!own) return watching(scene);
  if (isOpen(view)) return resultRail(scene, showCoach);
  const sets = hasHandToSet(view, own);
  if (own.leaving && !sets) return { middle: say(words.dock.leaving, ""), go: goButton(words.board.go.deal, words.board.go.soon, null) };
  if (own.out && !sets) return { middle: say(words.board.say.sitOut, words.dock.out), go: goButton(words.dock.comeBack, "", () => state.send({ do: "return" })) };
  const wait = goButton(words.board.go.deal, words.board.go.soon, null);
  switch (view.phase) {
    case "offering": return view.offered === view.you ? bankRail(scene) : { middle: say(words.banker(view.facts.terms.banker).offeredTo(words.table.seat(view.offered ?? 0).toLowerCase()), ""), go: wait };
    case "wagers": return isBanking(view) ? bankerRail(scene) : wagersRail(scene, bankOffer(scene));
    case "settings": return own.hand ? handRail(scene) : { middle: say(words.dock.noHand, ""), go: goButton(words.board.go.set, words.board.go.others, null) };
    case "revealing": return { middle: say(words.board.call.closed[0], words.board.call.closed[1]), go: goButton(words.board.go.set, words.board.go.soon, null) };
    default: return { middle: say(view.paused ? words.dock.paused : words.dock.waiting, ""), go: wait };
  }
}

/** @param {Scene & { state: TableState }} scene @returns {RailParts} */
function watching(scene) {
  const { state } = scene;
  // A shown result has seats that players have left.
  const view = state.view ?? scene.view;
  const free = canSit(view) ? freeSeats(view) : [];
  const seat = free.includes(scene.bottom) ? scene.bottom : free[0];
  const text = `${words.dock.phase(view.phase, view.round?.round ?? 0, view.facts.terms.banker)}.`;
  return {
    middle: say(words.dock.watching, free.length > 0 ? text : `${text} ${words.dock.full}`),
    go: seat === undefined ? goButton(words.board.go.sit, words.lobby.full.toLowerCase(), null) : goButton(words.board.go.sit, words.board.atSeat(seat), () => state.sit(seat)),
  };
}

/** Buttons to choose the acting seat, for a viewer with several seats. @param {TableState} state @param {import("./view-types.js").View} view */
function seatChoice(state, view) {
  return h("div", { class: "own-seats", key: "own-seats", role: "group", "aria-label": words.dock.ownSeats }, view.seats.filter(({ seat }) => isViewerSeat(view, seat)).map((seat) => {
    const net = isOpen(view) && !state.playback.revealing ? netOf(view, seat.seat, { lines: Infinity, step: null, over: true }) : undefined;
    return h("button", { key: seat.seat, class: "sec", "aria-pressed": seat.seat === view.you ? "true" : "false", onclick: () => state.actFor(seat.seat) },
      words.table.seat(seat.seat), h("small", { class: net === undefined ? "" : ["amount", tone(net)] }, net === undefined ? seatStatus(view, seat) : signed(net)));
  }));
}

/** @param {string} label @param {string} href */
function goLink(label, href) {
  return h("a", { class: "go", key: "go-link", href }, h("b", null, label));
}

/** The curved edge of the rail. */
function lip() {
  return h("svg", { class: "lip", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("path", { class: "lip-wood", d: "M0 0C14 78 36 100 50 100S86 78 100 0V102H0Z" }),
    h("path", { class: "lip-shade", d: "M0 0C14 78 36 100 50 100S86 78 100 0", "vector-effect": "non-scaling-stroke" }),
    h("path", { class: "lip-brass", d: "M0 4C14 80 36 100 50 100S86 80 100 4", "vector-effect": "non-scaling-stroke" }));
}
