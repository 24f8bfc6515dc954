// A table in the lobby.

import { h } from "../dom.js";
import { short } from "../money.js";
import { words } from "../words.js";
import { tableName } from "../study/table-name.js";
import { seatPositions } from "./seat-positions.js";
import { isPractice, tableFacts } from "./table-facts.js";

/** @typedef {import("../protocol").LobbyTable} LobbyTable */

/** @param {LobbyTable} table @param {{ me?: string, busy: boolean, sit: () => void, playAlone: () => void }} options */
export function plaque(table, { me, busy, sit, playAlone }) {
  const taken = Object.keys(table.taken).length;
  const mine = me !== undefined && Object.values(table.taken).includes(me);
  const full = taken >= table.seats;
  const game = table.title.split(": ")[1];
  const name = tableName(table, me);
  const path = `/table/${encodeURIComponent(table.table)}`;
  return h("li", { key: table.table, class: "plaque panel" },
    h("div", { class: "plaque-felt" }, oval(table, me), h("span", { class: "limits amount" }, words.lobby.limits(short(table.min_cents), short(table.max_cents)))),
    h("div", { class: "plaque-text" },
      h("h3", null, h("span", null, tableFacts(table)), " ", h("a", { href: path }, name)),
      game && h("p", { class: "small" }, game),
      h("ul", { class: "tags" },
        Object.entries(table.wagers).map(([wager, paytable]) => h("li", { class: "tag" }, words.lobby.posted(table.titles[wager], paytable))),
        table.own_house_way && h("li", { class: "tag on" }, words.lobby.ownWay),
        table.seats_bank && h("li", { class: "tag" }, words.banker(table.terms.banker).seats),
        table.bots > 0 && h("li", { class: "tag" }, words.lobby.bots(table.bots))),
      h("p", { class: "small state" }, words.lobby.seats(taken, table.seats), " · ", stateText(table))),
    h("div", { class: "plaque-acts" },
      mine ? h("a", { class: "button primary", href: path, "aria-label": words.lobby.backTo(name) }, words.lobby.back)
        : h("button", { class: "button primary", disabled: full || busy || table.closing || table.rules_changed, onclick: sit, "aria-label": words.lobby.sitAt(name) },
            full ? words.lobby.full : busy ? words.app.loading : words.lobby.sit),
      !mine && h("a", { class: "button", href: path, "aria-label": words.lobby.watchAt(name) }, words.lobby.watch),
      !mine && isPractice(table) && h("button", { class: "button plain alone", disabled: busy, onclick: playAlone, "aria-label": words.lobby.aloneAt(name) }, words.lobby.alone)));
}

/** @param {LobbyTable} table */
function stateText(table) {
  if (table.rules_changed) return words.lobby.rulesChanged;
  if (table.closing) return words.lobby.closing;
  if (table.paused) return words.lobby.paused;
  if (table.phase === "waiting") return words.lobby.waiting;
  return `${words.lobby.round(table.rounds)} · ${words.phase(table.phase, table.terms.banker)}`;
}

/** Draws the felt from above, with a dot for each seat. @param {LobbyTable} table @param {string} [me] */
function oval(table, me) {
  return h("svg", { viewBox: "0 0 200 112", "aria-hidden": "true" },
    h("path", { class: "rail", d: "M8 6H192A10 10 0 0 1 198 14C198 70 154 108 100 108S2 70 2 14A10 10 0 0 1 8 6Z" }),
    h("path", { class: "cloth", d: "M12 11H188A6 6 0 0 1 193 17C193 67 151 103 100 103S7 67 7 17A6 6 0 0 1 12 11Z" }),
    h("rect", { class: "shoe", x: 88, y: 17, width: 24, height: 12, rx: 2 }),
    seatPositions(table.seats).map(({ x, y }, index) => {
      const player = table.taken[index + 1];
      return h("circle", { class: ["dot", { taken: player, me: player && player === me }], cx: 100 + (x - 50) * 1.72, cy: 8 + y * 0.93, r: 7 });
    }));
}
