// The front of the lobby: Play now, the other pages, and the state of the tables.

import { h } from "../dom.js";
import { words } from "../words.js";
import { playersSeated } from "./table-facts.js";

/** @typedef {import("../protocol").LobbyTable} LobbyTable */

/** Links for casinos and mathematicians. */
const STUDY = /** @type {const} */ ([["/odds", "odds"], ["/rules", "rules"], ["/figures", "figures"]]);

/** @param {{ tables: LobbyTable[] | null, fault: string, more: boolean, seated: boolean, busy: boolean, play: () => void }} lobby more: whether there are tables that are not loaded; seated: whether the player sits at a table */
export function front({ tables, fault, more, seated, busy, play }) {
  const { front: say } = words;
  return h("header", { class: "front", key: "front" },
    h("div", { class: "hero" },
      h("div", { class: "head" },
        h("h1", null, say.title),
        h("p", { class: "lead" }, say.lead),
        h("div", { class: "row front-acts" },
          h("button", { class: "button primary play-now", disabled: busy, onclick: play }, busy ? words.app.loading : seated ? say.playOn : say.play),
          h("a", { class: "button plain", href: "/how-to-play" }, say.howTo)),
        (tables || !fault) && h("p", { class: ["live-tables", "small", { waiting: !tables }] }, tables ? say.live(playersSeated(tables), tables.length, more) : words.app.loading),
        h("p", { class: "small" }, say.practice)),
      h("div", { class: "fan", "aria-hidden": "true" }, ["As", "Kd", "Jk", "Qs", "Th"].map((card) => h("pg-card", { card, quiet: true })))),
    h("ul", { class: "front-ways" },
      h("li", { class: "panel way" }, h("h2", null, h("a", { href: "/puzzle" }, say.puzzle)), h("p", { class: "small" }, say.puzzleWhy)),
      h("li", { class: "panel way" }, h("h2", null, h("a", { href: "/lab" }, say.lab)), h("p", { class: "small" }, say.labWhy)),
      h("li", { class: "panel way many" }, h("h2", null, say.study),
        h("p", { class: "row" }, STUDY.map(([path, name]) => h("a", { key: path, href: path }, say.studies[name]))))));
}
