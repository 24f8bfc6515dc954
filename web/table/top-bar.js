// The bar of a table: menu, name of the table, connection, and tools.

import { h } from "../dom.js";
import { ACCOUNT, HOW_TO_PLAY, PAGES } from "../shell/bar.js";
import { words } from "../words.js";
import { icon } from "./icons.js";

/** @typedef {import("../dom.js").Child} Child */

/** @param {Child} title @param {Child} about @param {Child[]} tools @param {Child[]} [actions] actions that the menu offers in small windows */
export function topBar(title, about, tools, actions = []) {
  return h("header", { class: "table-bar" },
    menu(actions),
    h("a", { class: "brand", href: "/" }, words.app.name),
    h("div", { class: "table-name" }, title, h("small", null, about)),
    h("span", { class: "grow" }),
    actions,
    tools,
    tool("settings", words.app.settings, openSettings));
}

/** @param {import("./icons.js").Icon} name @param {string} label @param {() => void} action @param {Record<string, any>} [props] */
export function tool(name, label, action, props = {}) {
  return h("button", { key: name, ...props, class: ["icon", props.class], "aria-label": label, title: label, onclick: action }, icon(name));
}

/** The menu of the pages. @param {Child[]} actions */
function menu(actions) {
  return h("details", { class: "menu", onfocusout: closeMenu, onclick: (/** @type {any} */ event) => event.target.closest("a, button") && event.currentTarget.removeAttribute("open") },
    h("summary", { class: "icon", "aria-label": words.board.menu, title: words.board.menu }, icon("menu")),
    h("nav", { "aria-label": words.app.nav }, h("ul", null, [...PAGES, HOW_TO_PLAY].map(([path, name]) => h("li", { key: path }, h("a", { href: path }, words.nav[name]))), h("li", { key: ACCOUNT }, h("a", { href: ACCOUNT }, words.account.link.menu)), actions.length > 0 && h("li", { key: "actions" }, actions))));
}

/** Closes the menu when the focus leaves it. @param {any} event */
function closeMenu(event) {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.removeAttribute("open");
}

function openSettings() {
  /** @type {import("../shell/settings.js").SettingsDialog | null} */ (document.querySelector("pg-settings"))?.open();
}
