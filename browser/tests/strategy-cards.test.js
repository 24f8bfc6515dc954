// Strategy cards: a course that teaches one, the card on paper, and the designer that starts from one.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fineHundredfold, finePercent, difference } from "../../web/study/numbers.js";
import { PAPERS } from "../../web/strategy/paper.js";
import { mistakeCost } from "../../web/trainer/course-cost.js";
import { words } from "../../web/words/en.js";
import { cardsOf } from "../kit/hands.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

/**
 * @typedef {import("../kit/player.js").Player} Player
 * @typedef {import("../../web/protocol.d.ts").CardEntry} CardEntry
 * @typedef {import("../../web/protocol.d.ts").Exercise} Exercise
 */

const stage = new Stage();
const { course: say, strategy, trainer } = words;
/** Returns all cards. @returns {Promise<CardEntry[]>} */
const allCards = async () => (await stage.server.ask("/api/cards")).cards;

/** Returns the card that is learned: one of twelve rules, or the first. */
async function shortCard() {
  const cards = await allCards();
  return cards.find(({ lines }) => lines.length === 12) ?? cards[0];
}

/** Logs the hands that the page asks for, and answers them. */
class Learner {
  /** @type {Exercise[]} */
  hands = [];

  /** @param {Player} player */
  constructor(player) {
    this.page = player.page;
    this.page.on("response", async (response) => {
      if (response.url().endsWith("/api/exercises") && response.ok()) this.hands = (await response.json()).hands;
    });
  }

  /** Returns the hand on the felt. */
  async hand() {
    const buttons = this.page.locator(".trainer-card pg-card");
    await buttons.nth(6).waitFor();
    const shown = (await buttons.evaluateAll((all) => all.map((card) => card.getAttribute("card")))).sort().join(" ");
    const hand = this.hands.find((exercise) => cardsOf(exercise.cards).sort().join(" ") === shown);
    assert.ok(hand, `the server drew ${shown}`);
    return hand;
  }

  /** Sets the hand as the card does, or otherwise. @param {boolean} right */
  async set(right) {
    const hand = await this.hand();
    const wanted = hand.settings.find(({ low }) => low === hand.low);
    const given = right ? wanted : hand.settings.find(({ win, lose }) => win !== wanted?.win || lose !== wanted?.lose);
    assert.ok(wanted && given);
    for (const card of cardsOf(given.low)) await this.page.locator(".trainer-card", { has: this.page.locator(`pg-card[card="${card}"]`) }).click();
    await this.page.locator(".trainer-felt .button.primary").click();
    await this.page.locator(".judged").waitFor();
    return { hand, wanted, given };
  }

  /** Goes on to the next hand or rule. */
  async next() {
    this.hands = [];
    await this.page.locator(".trainer-next").click();
    await this.page.locator(".judged").waitFor({ state: "detached" });
  }

  /** Number of the rule that is being introduced. */
  async rule() {
    const title = await this.page.locator("#course-rule-title").innerText();
    return Number(/\d+/.exec(title)?.[0]);
  }
}

describe("a course with a card", () => {
  test("rules are learned in order, mistakes are explained, priced and repeated", async () => {
    const player = await stage.player();
    const { page } = player;
    const card = await shortCard();
    const learner = new Learner(player);
    await player.go("/trainer");
    await page.getByRole("region", { name: say.group }).getByRole("link", { name: say.inviteCard(card.lines.length, finePercent(card.cost)) }).first().click();
    await page.locator(".course-examples li").first().waitFor();
    assert.equal(new URL(page.url()).searchParams.get("by"), card.id);
    assert.equal(await learner.rule(), 1);
    assert.equal(await page.locator(".course-says").innerText(), card.lines[0].says);
    await screenshot(page, "course-rule");

    // Two correct answers in a row lead to the next rule.
    await page.getByRole("button", { name: say.practice }).click();
    for (let answers = 0; answers < 2; answers++) {
      const { hand } = await learner.set(true);
      assert.equal(hand.line, 1);
      await page.locator(".judged.is-right").getByText(say.decides(1, card.lines[0].says)).waitFor();
      await learner.next();
    }
    await page.locator(".course-examples li").first().waitFor();
    assert.equal(await learner.rule(), 2);
    await page.getByRole("button", { name: say.practice }).click();

    // A mistake: the rule that decides, both settings, and the cost.
    const { hand, wanted, given } = await learner.set(false);
    const judged = page.locator(".judged.is-wrong");
    await judged.getByText(say.decides(2, card.lines[1].says)).waitFor();
    await judged.locator(".course-mistake").waitFor();
    for (const text of [wanted, given].map((setting) => `${setting.low_says} · ${setting.high_says}`)) assert.ok((await judged.innerText()).includes(text), text);
    const over = difference(wanted.ev_exact, given.ev_exact);
    assert.ok((await judged.innerText()).includes(finePercent(over.replace("-", ""))), over);
    const stored = await progressOf(player, card);
    const cost = mistakeCost(card, stored);
    assert.notEqual(Number(cost.best), 0);
    assert.equal(await tile(player, say.againstCard), fineHundredfold(cost.card));
    assert.equal(await tile(player, say.againstBest), fineHundredfold(cost.best));
    await page.getByText(say.meaning(finePercent(cost.covered))).waitFor();
    await screenshot(page, "course-mistake");

    // The missed hand comes again within a few hands.
    let repeated = null;
    for (let hands = 0; hands < 6 && !repeated; hands++) {
      await learner.next();
      const next = await learner.hand();
      if (await page.locator(".course-why").innerText() === say.why.missed) repeated = next;
      else await learner.set(true);
    }
    assert.equal(repeated?.cards, hand.cards);
    await learner.set(true);
    // A repeated hand does not change the cost, and the progress outlasts a visit.
    assert.equal(await tile(player, say.againstCard), fineHundredfold(mistakeCost(card, await progressOf(player, card)).card));
    const hands = await tile(player, say.handsSet);
    await page.reload();
    await page.locator(":is(.course-rule, .trainer-felt)").waitFor();
    assert.equal(await tile(player, say.handsSet), hands);
    await page.locator(".course-rules summary").click();
    assert.deepEqual(await page.locator(".course-rules li").allInnerTexts(), card.lines.slice(0, 2).map(({ says }) => says));

    // From the trainer to the card on paper.
    await page.getByRole("link", { name: say.print }).click();
    await page.locator(".print-card .print-rules li").nth(card.lines.length - 1).waitFor();
    assert.equal(new URL(page.url()).pathname, `/cards/${card.id}`);
    await player.close();
  });

  test("by keyboard", async () => {
    const player = await stage.player();
    const { page } = player;
    const card = await shortCard();
    const learner = new Learner(player);
    await player.go(`/trainer?by=${card.id}`);
    await page.locator(".course-examples li").first().waitFor();
    await page.keyboard.press("Enter");
    for (let answers = 0; answers < 2; answers++) {
      const hand = await learner.hand();
      await page.waitForFunction(() => document.activeElement?.matches(".trainer-card"));
      const shown = await page.locator(".trainer-card pg-card").evaluateAll((all) => all.map((one) => one.getAttribute("card") ?? ""));
      for (const one of cardsOf(hand.low)) await page.keyboard.press(String(shown.indexOf(one) + 1));
      await page.keyboard.press("Enter");
      await page.locator(".judged.is-right").waitFor();
      await page.waitForFunction(() => document.activeElement?.matches(".trainer-next"));
      assert.ok((await page.locator("#say-polite").textContent())?.includes(say.right));
      await page.keyboard.press("Enter");
    }
    // The next rule is announced, and Enter practices it.
    await page.locator(".course-examples li").first().waitFor();
    await page.waitForFunction(() => document.activeElement?.matches(".course-practice"));
    assert.ok((await page.locator("#say-polite").textContent())?.includes(card.lines[1].says));
    await page.keyboard.press("Enter");
    assert.equal((await learner.hand()).line, 2);
    await player.close();
  });

  test("a player who knows the card practices all rules, and the other exercises stay", async () => {
    const player = await stage.player();
    const { page } = player;
    const card = await shortCard();
    const learner = new Learner(player);
    await player.go(`/trainer?by=${card.id}`);
    await page.getByRole("button", { name: say.practiceAll }).click();
    const lines = new Set();
    for (let hands = 0; hands < 4; hands++) {
      lines.add((await learner.set(true)).hand.line);
      await learner.next();
    }
    assert.equal(lines.size, 4, "every rule is asked");
    await page.getByRole("combobox", { name: trainer.by }).selectOption("best");
    await page.getByRole("heading", { name: trainer.ask.best }).waitFor();
    await page.getByRole("combobox", { name: trainer.by }).selectOption({ index: 1 });
    await learner.hand();
    await page.getByRole("button", { name: trainer.reset.button }).click();
    await page.getByRole("button", { name: trainer.reset.yes }).click();
    await page.locator(".course-examples li").first().waitFor();
    assert.equal(await learner.rule(), 1);
    await player.close();
  });
});

describe("a card on paper", () => {
  test("prints on one page in legible type", async () => {
    for (const card of await allCards()) {
      for (const { paper, name, min } of PAPERS) {
        // A page for each print: the fonts are loaded once more, and the card is measured again.
        const player = await stage.player();
        const { page } = player;
        await player.go(`/cards/${card.id}?paper=${paper}`);
        await page.locator(".print-rules li").nth(card.lines.length - 1).waitFor();
        await page.waitForFunction(() => document.documentElement.hasAttribute("data-fonts") && document.fonts.status === "loaded");
        const status = await page.locator(".strategy-print [role=status]").innerText();
        const fits = !status.includes(strategy.fitsNot(name, card.lines.length, min));
        const printed = fits ? paper : "a4";
        assert.ok(fits || paper === "a6", `${card.id}: every card fits on A4: ${status}`);
        if (card.lines.length <= 12) assert.ok(fits, `${card.id} fits on ${name}`);
        const { sizes, texts } = await typeSizes(player);
        const smallest = printed === "a6" ? 6.5 : 9;
        assert.ok(Math.min(...sizes) > smallest - 0.01, `${card.id} on ${printed}: ${Math.min(...sizes)} pt`);
        for (const part of [strategy.how, finePercent(card.cost), card.cost_exact, strategy.wheel[/** @type {"lowest"} */ (card.ranking.wheel)]]) {
          assert.ok(texts.replaceAll("\u2011", "-").includes(part), part);
        }
        await page.emulateMedia({ media: null });
        const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
        assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, `${card.id} on ${printed}: pages`);
        const [, width, height] = (/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(pdf) ?? []).map(Number);
        const [wide, high] = printed === "a6" ? [105, 148] : [210, 297];
        for (const [points, mm] of [[width, wide], [height, high]]) assert.ok(Math.abs(points / 72 * 25.4 - mm) < 0.6, `${card.id}: ${width} × ${height} points`);
        await player.close();
      }
    }
  });

  test("all rules are inside the frame, also in a narrow window", async () => {
    const cards = await allCards();
    for (const width of [390, 1280]) {
      const player = await stage.player({ viewport: { width, height: 800 } });
      const { page } = player;
      for (const card of cards) {
        await player.go(`/cards/${card.id}`);
        await page.locator(".print-card:not(.long) .print-rules li").nth(card.lines.length - 1).waitFor();
        const outside = await page.locator(".print-rules").evaluate((list) => [...list.children].filter((line) => line.getBoundingClientRect().bottom > list.getBoundingClientRect().bottom + 1).length);
        assert.equal(outside, 0, `${card.id} at ${width} px`);
        const size = await page.locator(".print-rules p").first().evaluate((text) => parseFloat(getComputedStyle(text).fontSize));
        assert.ok(size >= 12, `${card.id} at ${width} px: type of ${size} px`);
      }
      await player.close();
    }
  });

  test("the list leads to the cards, and a name that does not exist is refused", async () => {
    const player = await stage.player();
    const { page } = player;
    const cards = await allCards();
    await player.go("/rules");
    await page.getByRole("link", { name: strategy.all }).click();
    await page.locator(".strategy-entry").nth(cards.length - 1).waitFor();
    const [card] = cards;
    const entry = page.locator(".strategy-entry").first();
    assert.ok((await entry.innerText()).includes(finePercent(card.cost)));
    await entry.getByRole("link", { name: strategy.open }).click();
    await page.getByRole("heading", { name: card.title, level: 1 }).waitFor();
    await page.getByRole("radio", { name: strategy.papers.a4 }).check();
    await page.locator(".print-card.a4").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("paper"), "a4");
    await player.go("/cards/nowhere");
    await page.getByRole("heading", { name: strategy.missing }).waitFor();
    await player.close();
  });
});

describe("the designer", () => {
  test("starts from a card", async () => {
    const player = await stage.player();
    const { page } = player;
    const cards = await allCards();
    const card = cards[cards.length - 1];
    await player.go("/designer");
    await page.locator(".design-clauses > li").first().waitFor();
    const start = page.locator("select[name=start]");
    assert.equal(await start.locator(`optgroup[label="${say.group}"] option`).count(), cards.length);
    await start.selectOption(card.id);
    await page.locator(".design-clauses > li").nth(card.lines.length - 1).waitFor();
    assert.deepEqual(await page.locator(".design-clauses [data-field=when]").evaluateAll((all) => all.map((one) => /** @type {HTMLInputElement} */ (one).value)), card.lines.map(({ when }) => when));
    const query = new URL(page.url()).searchParams;
    assert.deepEqual([query.get("way"), query.get("book"), query.get("side")], [card.id, card.book, card.side]);
    await player.close();
  });
});

/** Returns the sizes in points of all texts of the card as it is printed, and the texts. @param {Player} player */
async function typeSizes({ page }) {
  await page.emulateMedia({ media: "print" });
  return page.locator(".print-card").evaluate((card) => {
    const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    const sizes = [];
    let texts = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = /** @type {HTMLElement} */ (node.parentElement);
      if (!node.textContent?.trim() || !parent.checkVisibility() || parent.closest(".print-suits")) continue;
      sizes.push(parseFloat(getComputedStyle(parent).fontSize) * 0.75);
      texts += `${node.textContent} `;
    }
    return { sizes, texts };
  });
}

/** Returns the stored progress with a card. @param {Player} player @param {CardEntry} card */
const progressOf = ({ page }, card) => page.evaluate((id) => JSON.parse(localStorage.getItem("paigow.cards") ?? "{}")[id], card.id);

/** Returns the figure of a tile. @param {Player} player @param {string} title */
const tile = ({ page }, title) => page.locator(".course .tile", { has: page.locator("dt", { hasText: new RegExp(`^${title}$`) }) }).locator("dd").evaluate((dd) => dd.firstChild?.textContent);
