// The operators' console: axe and widths for every section, sign-in by keyboard, roles, approvals, and updates that keep the focus.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { words } from "../../web/words/en.js";
import { setColorScheme, waitForAnimations } from "../kit/browser.js";
import { authenticatorCode, signIn } from "../kit/operators.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { console: say } = words;
const TABS_MAX = 60;

/** Addresses of all sections, each with an element that is shown last. */
const SECTIONS = [
  ["", ".console-home li"], ["/tables", ".console-table"], ["/people", "pg-console-people tbody tr"], ["/chips", "pg-console-chips form"], ["/approvals", "pg-console-approvals tbody tr"],
  ["/journal", "pg-console-journal tbody tr"], ["/reports", "pg-console-reports form"], ["/rounds", "pg-console-rounds form"], ["/log", "pg-console-log tbody tr"], ["/audits", "#audit-heads"],
  ["/operators", "pg-console-operators tbody tr"], ["/health", "#health-metrics"], ["/enrol", "pg-operator-enrol form"],
];

/** Operators by role. @type {Record<string, import("../kit/operators.js").EnrolledOperator>} */
const operators = {};
/** A guest with chips. */
let player = "";

/** Opens the console as an operator. @param {string} role @param {string} path */
async function open(role, path) {
  const one = await stage.player();
  await signIn(one.context, stage.server.url, operators[role]);
  await one.go(`/console${path}`);
  return one;
}

describe("the console", { concurrency: 2 }, () => {
  before(async () => {
    const { server } = stage;
    operators.admin = await server.admin();
    for (const role of /** @type {const} */ (["viewer", "floor", "cashier"])) operators[role] = await server.addOperator(`the-${role}`, role);
    await server.open("house-1", { book: "south-dakota", bots: 3, clocks: { wagers: 3600 } });
    ({ player } = await server.ask("/api/session", { body: {} }));
    await server.operate("chips", { id: "above-1", player, cents: 500_000 });
    await server.operate("audits", {});
  });

  test("axe finds no violations, and no section scrolls horizontally", async () => {
    const one = await open("admin", "");
    const { page } = one;
    /** @type {string[]} */
    const found = [];
    for (const [path, last] of [...SECTIONS, [`/people/${player}`, "#balances-title"]]) {
      await one.go(`/console${path}`);
      await page.locator(last).first().waitFor();
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await setColorScheme(page, colorScheme);
        await page.evaluate(axe);
        const { violations, passes } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run({ resultTypes: ["violations"] }));
        assert.ok(passes.length > 10, `axe ran on ${path}`);
        for (const { id, nodes } of violations) found.push(...nodes.map((/** @type {any} */ node) => `${path}, ${colorScheme}: ${id}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll("\n", " ")}`));
      }
      for (const width of [390, 1024, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await waitForAnimations(page);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (over > 0) found.push(`${path} at ${width}: ${over} px too wide`);
        await screenshot(page, `console${path.replaceAll("/", "-")}-${width}-dark`);
      }
    }
    assert.ok(found.length === 0, found.join("\n"));
    await one.close();
  });

  test("an operator signs in by keyboard only", async () => {
    const one = await stage.player();
    const { page } = one;
    await one.go("/console");
    await page.locator("[name=code]").waitFor();
    const { name, password, secret } = operators.floor;
    await tabTo(page, "[name=name]");
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type("not the password");
    await page.keyboard.press("Tab");
    await page.keyboard.type(authenticatorCode(secret, 1));
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "code", "a refusal keeps the focus");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(password);
    await page.keyboard.press("Tab");
    await page.keyboard.type(authenticatorCode(secret, 1));
    await page.keyboard.press("Enter");
    await page.locator(".console-home").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
    await tabTo(page, ".console-nav a[href='/console/tables']");
    await page.keyboard.press("Enter");
    await page.locator(".console-table").first().waitFor();
    await one.close();
  });

  test("the navigation and the acts depend on the role", async () => {
    for (const [role, chips, acts] of /** @type {const} */ ([["viewer", false, false], ["floor", false, true], ["cashier", true, false], ["admin", true, true]])) {
      const one = await open(role, "/tables");
      const { page } = one;
      await page.locator(".console-table").first().waitFor();
      assert.equal(await page.locator(".console-nav a[href='/console/chips']").count() > 0, chips, `${role}: chips`);
      assert.equal(await page.locator("[data-opens=void]").count() > 0, acts, `${role}: acts`);
      assert.equal(await page.locator("pg-open-house-table").count() > 0, acts, `${role}: open a table`);
      await one.go("/console/chips");
      await page.locator(chips ? "pg-console-chips form" : `text=${say.mayNot(say.roles[role], say.sections.chips)}`).waitFor();
      await one.close();
    }
  });

  test("updates keep the focus and the text of a form", async () => {
    const one = await open("floor", "/tables");
    const { page } = one;
    const panel = page.locator("[data-table=house-1]");
    await panel.locator("[data-opens=notice]").click();
    await page.keyboard.type("The table closes at ten");
    for (let polls = 0; polls < 2; polls += 1) await page.waitForResponse((response) => response.url().endsWith("/api/operator/tables"));
    assert.equal(await page.evaluate(() => /** @type {HTMLInputElement} */ (document.activeElement).value), "The table closes at ten");
    await page.keyboard.press("Enter");
    await page.locator(".console-result", { hasText: say.tables.done.notice("house-1") }).waitFor();
    await panel.locator("button", { hasText: say.tables.pause }).click();
    await panel.locator("button", { hasText: say.tables.resume }).waitFor();
    await one.close();
  });

  test("the floor invites players to a table of the house by keyboard", async () => {
    const one = await open("floor", "/tables");
    const { page } = one;
    const form = page.locator("pg-open-house-table");
    await form.locator("[name=table]").fill("club-1");
    await form.getByLabel(words.open.invited).check();
    await form.getByRole("button", { name: words.open.open, exact: true }).click();
    await form.getByText(say.tables.opened("club-1")).waitFor();
    const { invite } = words.account;
    const panel = page.locator("[data-table=club-1]");
    await panel.getByText(say.tables.states.invited).waitFor();
    assert.equal(await page.locator("[data-table=house-1]").getByRole("button", { name: invite.title }).count(), 0, "anyone may sit at the other table");
    await panel.getByRole("button", { name: invite.title }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: invite.title });
    await dialog.getByText(say.tables.inviteWhy).waitFor();
    await dialog.getByLabel(invite.hours).selectOption("1");
    await dialog.getByRole("button", { name: invite.make }).press("Enter");
    const link = await dialog.getByLabel(invite.link).inputValue();
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run("dialog[open]", { resultTypes: ["violations"] }));
    assert.deepEqual(violations.map((/** @type {any} */ one) => one.id), []);
    await screenshot(page, "console-invitations");

    const friend = await stage.player();
    await friend.page.goto(link);
    await friend.page.getByRole("button", { name: words.account.join.go }).click();
    await friend.page.waitForURL("**/table/club-1");
    await friend.page.getByRole("button", { name: new RegExp(words.board.sit) }).first().click();
    await friend.page.locator(".own:not(.watching)").waitFor();

    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: invite.title }).press("Enter");
    await dialog.getByText(invite.accepted(1)).waitFor();
    await dialog.getByRole("button", { name: /^Remove/ }).press("Enter");
    await dialog.getByText(invite.noMembers).waitFor();
    await dialog.getByText(invite.noLinks).waitFor();
    await friend.close();
    await one.close();
  });

  test("chips above the limit wait for a second operator, and a retry has the same id", async () => {
    const one = await open("cashier", `/chips?player=${player}`);
    const { page } = one;
    await page.locator("[name=amount]").fill("12.50");
    /** @type {string[]} */
    const ids = [];
    page.on("request", (request) => { if (request.url().endsWith("/api/operator/chips")) ids.push(request.postDataJSON().id); });
    await page.route("**/api/operator/chips", (route) => route.abort(), { times: 1 });
    const issue = page.getByRole("button", { name: say.chips.go.issue });
    await issue.click();
    await page.getByRole("alert").waitFor();
    await issue.click();
    await page.locator(".console-result", { hasText: say.chips.done.issue("$12.50", player) }).waitFor();
    assert.equal(ids[0], ids[1]);
    await page.locator("[name=amount]").fill("2,000");
    await issue.click();
    await page.locator(".console-result a", { hasText: say.approvals.toList }).click();
    await page.locator("pg-console-approvals tbody tr", { hasText: "$2,000.00" }).getByText(say.approvals.own).waitFor();
    await one.close();

    const second = await open("admin", "/approvals");
    const row = second.page.locator("pg-console-approvals tbody tr", { hasText: "$2,000.00" });
    await row.getByRole("button", { name: say.approvals.approve }).click();
    await row.getByText(say.approvals.states.approved, { exact: true }).waitFor();
    await second.go("/console/log");
    await second.page.locator("pg-console-log tbody tr", { hasText: "approval" }).first().waitFor();
    await second.close();
  });

  test("a new operator enrols with the code of an admin", async () => {
    const admin = await open("admin", "/operators");
    await admin.page.locator("form [name=name]").fill("newcomer");
    await admin.page.getByRole("button", { name: say.operators.addGo }).click();
    const code = await admin.page.locator(".secret").innerText();
    await admin.close();

    const one = await stage.player();
    const { page } = one;
    await one.go("/console/enrol");
    await page.locator("[name=name]").fill("newcomer");
    await page.locator("[name=code]").fill(code);
    for (const name of ["password", "repeat"]) await page.locator(`[name=${name}]`).fill(operators.admin.password);
    await page.getByRole("button", { name: say.enrol.next }).click();
    const secret = (await page.locator(".secret").innerText()).replaceAll(" ", "");
    assert.match(await page.getByRole("link", { name: say.enrol.uri }).getAttribute("href") ?? "", /^otpauth:\/\/totp\//);
    await page.locator("[name=totp]").fill(authenticatorCode(secret));
    await page.getByRole("button", { name: say.enrol.finish }).click();
    await page.locator(".secrets li").first().waitFor();
    await page.getByRole("button", { name: say.enrol.toConsole }).click();
    await page.locator(".console-who", { hasText: "newcomer" }).waitFor();
    await page.getByRole("button", { name: say.signOut }).click();
    await page.locator("pg-operator-sign-in").waitFor();
    await one.close();
  });
});

/** Presses Tab until an element has the focus. @param {import("playwright-core").Page} page @param {string} selector */
async function tabTo(page, selector) {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${selector} is not reached with ${TABS_MAX} tabs`);
}
