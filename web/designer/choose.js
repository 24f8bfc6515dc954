// Choices above the editor: rule book, side, opponent, the house way to start from, files, links and drafts.

import { h } from "../dom.js";
import { words } from "../words.js";
import { draftTitle } from "./drafts.js";

/**
 * @typedef {object} State
 * @property {import("../protocol").BookSummary[]} books
 * @property {import("../protocol").HouseWayEntry[]} ways
 * @property {import("../protocol").CardEntry[]} cards
 * @property {string} side
 * @property {string} term the book's term for the banker
 * @property {string} against
 * @property {string} draft id of the draft in the editor
 * @property {boolean} stored whether the browser stored the draft
 * @property {string} link link that could not be copied
 * @typedef {object} Actions
 * @property {(some: Partial<{ book: string, side: string, against: string }>) => void} choose
 * @property {(id: string) => void} start
 * @property {(file: File) => void} openFile
 * @property {() => void} download
 * @property {() => void} share
 * @property {(id: string) => void} openDraft
 * @property {(id: string) => void} deleteDraft
 */

/** @param {State} state @param {{ book: import("../protocol").BookSummary, drafts: import("./drafts.js").Draft[] }} shown @param {Actions} act */
export function chooser({ books, ways, cards, side, term, against, draft, stored, link }, { book, drafts }, act) {
  const { designer: say, study } = words;
  const select = (/** @type {string} */ label, /** @type {string} */ name, /** @type {string} */ value, /** @type {(value: string) => void} */ choose, /** @type {[string, string][]} */ options, /** @type {import("../dom.js").Child} */ more = null) =>
    h("label", { class: "field", key: name }, label, h("select", { name, ".value": value, onchange: (/** @type {any} */ event) => choose(event.target.value) }, optionsOf(options), more));
  const button = (/** @type {string} */ label, /** @type {() => void} */ onclick) => h("button", { type: "button", class: "button slim", onclick }, label);
  const titles = ways.map(({ id, title }) => /** @type {[string, string]} */ ([id, title]));
  const bookWay = ways.find(({ id }) => id === book.house_way)?.title ?? book.house_way;
  return h("section", { class: "panel stack", key: "choose", "aria-label": say.choose },
    h("div", { class: "fields" },
      select(say.start, "start", "", (id) => { if (id) act.start(id); }, [["", say.startCurrent], ["empty", say.startEmpty]], [
        h("optgroup", { key: "ways", label: say.startWays }, optionsOf(titles)),
        h("optgroup", { key: "cards", label: words.course.group }, optionsOf(cards.map(({ id, title }) => [id, title])))]),
      select(study.book, "book", book.id, (id) => act.choose({ book: id }), books.map(({ id, title }) => [id, title])),
      select(say.side, "side", side, (id) => act.choose({ side: id }), Object.entries(say.sides(term)).filter(([id]) => book.sides.some((one) => one === id))),
      select(say.against, "against", against, (id) => act.choose({ against: id }), [["", say.bookWay(bookWay)], ...titles])),
    h("div", { class: "row" },
      h("label", { class: "button slim design-file" }, say.open, h("input", { type: "file", accept: ".toml,text/plain,application/toml", class: "unseen", onchange: (/** @type {any} */ event) => {
        const [file] = event.target.files;
        event.target.value = "";
        if (file) act.openFile(file);
      } })),
      button(say.download, act.download), button(say.share, act.share), h("a", { class: "button slim plain", href: "/cards" }, words.strategy.all)),
    link && h("label", { class: "field", key: "link" }, words.share.address, h("input", { readonly: true, ".value": link, onfocus: (/** @type {any} */ event) => event.target.select() })),
    !stored && h("p", { class: "fault", key: "stored", role: "alert" }, say.notStored),
    h("details", { class: "design-drafts", key: "drafts" }, h("summary", null, `${say.drafts} (${drafts.length})`),
      drafts.length === 0 ? h("p", { class: "small" }, say.draftsNone) : h("ul", null, drafts.map((one) => draftRow(one, one.id === draft, act)))));
}

/** @param {[string, string][]} options ids and titles */
const optionsOf = (options) => options.map(([id, title]) => h("option", { value: id, key: id }, title));

/** @param {import("./drafts.js").Draft} draft @param {boolean} isOpen @param {Actions} act */
function draftRow(draft, isOpen, act) {
  const { designer: say } = words;
  const title = draftTitle(draft) || say.untitled;
  return h("li", { key: draft.id },
    h("span", null, h("b", null, title), isOpen && [" ", h("span", { class: "tag on" }, say.draftNow)], h("span", { class: "small" }, draft.way ? say.draftFacts(draft.way.clauses.length, draft.changed) : say.draftText(draft.changed))),
    h("span", { class: "row" },
      h("button", { type: "button", class: "button slim", disabled: isOpen, onclick: () => act.openDraft(draft.id) }, say.draftOpen, h("span", { class: "unseen" }, `: ${title}`)),
      h("pg-confirm", { ".question": { label: say.draftDelete, question: say.draftAsk(title), yes: say.draftYes, no: say.draftNo, act: () => act.deleteDraft(draft.id) } })));
}
