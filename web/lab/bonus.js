// The bonus section: hands that the seven cards contain, and what every paytable pays for them.

import { h } from "../dom.js";
import { short } from "../money.js";
import { words } from "../words.js";
import { bookTitle } from "../study/book-title.js";
import { smallCards } from "../study/small-cards.js";
import { csvButton, section } from "../study/table.js";
import { paysText, rowName } from "../study/rows.js";

/**
 * @typedef {import("./settings.js").Lab} Lab
 * @typedef {import("../protocol").LabPaytable & { row: import("../protocol").LabRow }} PayingRow a paytable with one of its paying rows
 */

/** Values of `looks_at` for wagers on the dealer's cards. */
const DEALER_HANDS = ["dealer_hand", "dealer_five_cards"];

/** @param {Lab} lab @param {{ id: string, title: string }[]} books */
export function bonus(lab, books) {
  const { lab: say } = words;
  const paid = lab.paytables.flatMap((table) => table.pays.map((row) => ({ ...table, row })));
  const groups = groupEqualPays(paid);
  const unpaid = [...new Set(lab.paytables.filter(({ wager, book }) => !paid.some((one) => one.wager === wager && one.book === book)).map(({ title }) => title))];
  /** @type {import("../study/table.js").Column<Omit<PayingRow, "row"> & Partial<PayingRow>>[]} */
  const columns = [
    { title: say.payColumns.book, csv: ({ book }) => book },
    { title: say.payColumns.wager, csv: ({ title }) => title },
    { title: say.payColumns.paytable, csv: ({ paytable }) => paytable },
    { title: say.payColumns.hand, csv: ({ row }) => rowName(row?.hand, row?.cards) },
    { title: say.payColumns.pays, csv: ({ row }) => row?.pays },
    { title: say.payColumns.envy, csv: ({ row }) => (row?.envy_cents ? row.envy_cents / 100 : "") },
  ];
  const file = lab.paytables.flatMap((table) => (table.pays.length ? table.pays.map((row) => ({ ...table, row })) : [table]));
  return section("lab-bonus", say.bonus, csvButton("paytables", columns, file),
    h("p", { class: "small" }, say.bonusWhy),
    h("dl", { class: "facts" },
      h("div", null, h("dt", null, say.holds), h("dd", null, lab.holds.contains.map((name) => h("span", { class: ["tag", { on: name === lab.holds.in_play }], key: name }, rowName(name))))),
      h("div", null, h("dt", null, say.bestFive), h("dd", null, smallCards(lab.holds.best_five), " ", lab.holds.best_five_says)),
      h("div", null, h("dt", null, say.colors(lab.holds.red, lab.holds.black)))),
    groups.length === 0 && h("p", null, say.noPay),
    h("ul", { class: "pays-list" }, groups.map((group) => {
      const [one] = group;
      const when = one.row.color ? say.ifColor[/** @type {"red"} */ (one.row.color)] : one.player_must_beat ? say.ifBeaten : DEALER_HANDS.includes(one.looks_at) ? say.ifDealer : "";
      return h("li", { key: keyOf(one) },
        h("span", { class: "pays-hand" }, rowName(one.row.hand, one.row.cards), when && h("span", { class: "small" }, ` · ${when}`)),
        h("b", { class: "amount" }, paysText(one.row.pays), one.row.envy_cents ? h("span", { class: "small" }, ` + ${say.envy(short(one.row.envy_cents))}`) : null),
        h("span", { class: "small" }, one.title, " · ", sourcesOf(group, books)));
    })),
    unpaid.length > 0 && groups.length > 0 && h("p", { class: "small" }, say.unpaid(unpaid.join(", "))));
}

/** @param {PayingRow} one */
const keyOf = ({ wager, row, joker }) => [wager, row.hand, row.cards, row.color, row.pays, row.envy_cents, joker].join(" ");

/** Groups paytables that pay the same, highest pay first. @param {PayingRow[]} paid @returns {PayingRow[][]} */
function groupEqualPays(paid) {
  /** @type {Map<string, PayingRow[]>} */
  const groups = new Map();
  for (const one of paid) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()].sort((one, other) => other[0].row.pays - one[0].row.pays);
}

/** Returns the books and paytables of a group as text. @param {PayingRow[]} group @param {{ id: string, title: string }[]} books */
function sourcesOf(group, books) {
  const { study, lab } = words;
  const ids = [...new Set(group.map(({ book }) => book))];
  const text = ids.map((book) => {
    const tables = group.filter((one) => one.book === book).map(({ paytable, available }) => study.posted(paytable) + (available ? "" : ` (${lab.notPosted})`));
    return `${bookTitle(books, book)}: ${tables.join(", ")}`;
  }).join("; ");
  return group[0].joker === "fully_wild" ? `${text} (${study.joker.fully_wild})` : text;
}
