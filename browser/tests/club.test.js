// The walk of a club: a guest becomes an account, operators enrol and work in the console, refusals are refused, and the log and the audit show all of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { makeAccount, PASSWORD, signIn, storeCodes, waitForAccount } from "../kit/accounts.js";
import { addOperator, approvalRow, enrolWithPasskey, enrolWithPassword, issueChips, logRows } from "../kit/console.js";
import { PASSWORD as OPERATOR_PASSWORD, authenticatorCode } from "../kit/operators.js";
import { addAuthenticator, atLocalhost, copyPasskeys } from "../kit/passkeys.js";
import { Player } from "../kit/player.js";
import { screenshotWidths } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

/** Tries with a password per minute and name. */
const TRIES = 10;
const stage = new Stage("--sign-ins-per-name", String(TRIES));
const { account, console: say } = words;
const HOUSE_TABLE = "club-1";
/** Time for the exact expectation of a base game, which the server counts once. */
const COUNT_MS = 180_000;

/** Opens a browser at an address with passkeys. */
const open = () => Player.open(stage.browser, atLocalhost(stage.server));

/** Sends a request with the cookies of a browser. @param {Player} one @param {string} path @param {unknown} [data] */
async function api({ context, url }, path, data) {
  const response = data === undefined ? await context.request.get(url + path) : await context.request.post(url + path, { data });
  const text = await response.text();
  return { status: response.status(), body: text ? JSON.parse(text) : null };
}

/** Asserts a refusal. @param {{ status: number, body: any }} answer @param {number} status @param {string} code */
const assertRefused = (answer, status, code) => assert.deepEqual([answer.status, answer.body.code], [status, code]);

/** Tries wrong passwords a hundred times, and then the right one, which the server refuses too. @param {Player} one @param {string} path @param {(password: string) => unknown} body @param {string} right */
async function tryHundredTimes(one, path, body, right) {
  /** @type {Record<number, number>} */
  const answers = {};
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { status } = await api(one, path, body(`a wrong guess ${attempt}`));
    answers[status] = (answers[status] ?? 0) + 1;
  }
  assertRefused(await api(one, path, body(right)), 429, "too_many_tries");
  assert.deepEqual(Object.keys(answers), ["401", "429"]);
  assert.ok(answers[401] >= TRIES && answers[401] < 2 * TRIES, JSON.stringify(answers));
}

/** Plays a round at the table of the page. @param {Player} player @param {number[]} [chips] of the base wager */
async function playRound(player, chips = [25]) {
  await player.wager(...chips);
  await player.setHouseWay();
  await player.waitForResult();
}

/** Opens a table with the form of the lobby, in the player's own time and without bots. Returns its path. @param {Player} player @param {string} name @param {boolean} invited */
async function openOwnTable(player, name, invited) {
  const { page } = player;
  await player.go("/");
  const form = page.locator("pg-open-table");
  await form.getByLabel(words.open.name).fill(name);
  await form.getByLabel(words.open.private).check();
  if (invited) await form.getByLabel(words.open.invited).check();
  await form.getByLabel(words.open.book).selectOption("ez");
  await form.getByLabel(words.open.bots).selectOption("0");
  await form.getByRole("radio", { name: words.open.paces.own }).check();
  await form.getByRole("button", { name: words.open.open, exact: true }).click();
  await page.locator(".own:not(.watching)").waitFor();
  return new URL(page.url()).pathname;
}

test("a club: accounts, operators, approvals, invitations, limits, reports, refusals and the log", { timeout: 600_000 }, async (t) => {
  /** Runs a step. A failed step ends the walk. @param {string} name @param {() => Promise<void>} run */
  const step = async (name, run) => {
    let passed = false;
    await t.test(name, async () => { await run(); passed = true; });
    if (!passed) throw new Error(`the walk ended at: ${name}`);
  };
  const [ann, admin, cashier, second, floor, viewer] = [await open(), await open(), await open(), await open(), await open(), await open()];
  /** @type {Player[]} */
  const others = [];
  const another = async () => {
    const one = await open();
    others.push(one);
    return one;
  };
  let player = "";
  let secret = "";

  await step("a guest plays, and becomes an account with a passkey that keeps chips, seat and history", async () => {
    const { page } = ann;
    const path = await openOwnTable(ann, "Ann alone", false);
    await playRound(ann);
    const balance = await ann.balance();
    const device = await addAuthenticator(ann);
    await ann.go("/account");
    await page.locator("pg-create-account").getByLabel(account.create.name).fill("Ann Passkey");
    await ann.button(account.create.withPasskey).click();
    await page.locator(".codes li").nth(9).waitFor();
    await screenshotWidths(page, "club-codes");
    const codes = await storeCodes(ann);
    await waitForAccount(ann, "Ann Passkey");
    assert.equal(await ann.balance(), balance, "the account keeps the chips");
    ({ body: { player } } = await api(ann, "/api/session"));
    await screenshotWidths(page, "club-account");
    await ann.go(path);
    await page.locator(".own:not(.watching)").waitFor();
    await ann.go("/history");
    await page.locator(".history-list tbody tr").first().waitFor();

    const elsewhere = await another();
    await elsewhere.go("/account");
    await copyPasskeys(device, await addAuthenticator(elsewhere));
    await signIn(elsewhere, "passkey", "Ann Passkey");
    await waitForAccount(elsewhere, "Ann Passkey");
    assert.equal(await elsewhere.balance(), balance);

    const recovered = await another();
    await signIn(recovered, "recovery", "Ann Passkey", codes[0]);
    await waitForAccount(recovered, "Ann Passkey");
    await recovered.page.getByText(account.recovery.left(9)).waitFor();
  });

  await step("the first admin enrols with the secret from the file, and makes operators who enrol", async () => {
    await enrolWithPassword(admin, "rosa", await stage.server.operatorSecret());
    await admin.page.locator(".console-home li").first().waitFor();
    await screenshotWidths(admin.page, "club-console");
    await enrolWithPasskey(second, "dina", await addOperator(admin, "dina", "cashier"));
    await enrolWithPassword(floor, "finn", await addOperator(admin, "finn", "floor"));
    await enrolWithPassword(viewer, "vera", await addOperator(admin, "vera", "viewer"));
    const code = await addOperator(admin, "carl", "cashier");
    await screenshotWidths(admin.page, "club-operators");
    secret = await enrolWithPassword(cashier, "carl", code);
    const used = await another();
    assertRefused(await api(used, "/api/operator/enrolment/options", { name: "carl", code, password: OPERATOR_PASSWORD }), 401, "wrong_credentials");
    assertRefused(await api(used, "/api/operator/enrolment/options", { name: "eve", code: await stage.server.operatorSecret(), password: OPERATOR_PASSWORD }), 409, "admin_exists");
  });

  await step("chips above the limit wait for a second cashier and are then issued", async () => {
    const before = await ann.balance();
    await issueChips(cashier, player, "2,000");
    await cashier.page.locator(".console-result a", { hasText: say.approvals.toList }).waitFor();
    await screenshotWidths(cashier.page, "club-chips");
    await (await approvalRow(cashier, "$2,000.00")).getByText(say.approvals.own).waitFor();
    assert.equal(await ann.balance(), before, "nothing is issued before the approval");
    const row = await approvalRow(second, "$2,000.00");
    await screenshotWidths(second.page, "club-approvals");
    await row.getByRole("button", { name: say.approvals.approve }).click();
    await row.getByText(say.approvals.states.approved, { exact: true }).waitFor();
    assert.equal(await ann.balance(), before + 200_000);
  });

  await step("a settled round is voided with approval", async () => {
    const { page } = floor;
    await floor.go("/console/tables");
    const form = page.locator("pg-open-house-table");
    await form.getByLabel(say.tables.openId).fill(HOUSE_TABLE);
    await form.getByLabel(words.open.name).fill("Club table");
    await form.getByLabel(words.open.book).selectOption("ez");
    await form.getByRole("radio", { name: words.open.paces.own }).check();
    await form.getByRole("button", { name: words.open.open, exact: true }).click();
    await form.getByText(say.tables.opened(HOUSE_TABLE)).waitFor();
    const before = await ann.balance();
    await ann.sit(HOUSE_TABLE, 1);
    await playRound(ann);
    const panel = page.locator(`[data-table="${HOUSE_TABLE}"]`);
    await panel.getByText(words.dock.phase("between", 1, "banker")).waitFor();
    await panel.locator("summary").click();
    await panel.locator("[data-opens=void]").click();
    await panel.getByLabel(say.tables.reason).selectOption("wrong_count");
    await screenshotWidths(page, "club-void");
    await panel.getByRole("button", { name: say.tables.voidYes }).click();
    await page.locator(".console-result a", { hasText: say.approvals.toList }).waitFor();
    const row = await approvalRow(admin, say.approvals.void(HOUSE_TABLE, "1"));
    await row.getByRole("button", { name: say.approvals.approve }).click();
    await row.getByText(say.approvals.states.approved, { exact: true }).waitFor();
    assert.equal(await ann.balance(), before, "the void returns the wager and takes the win back");
    await screenshotWidths(ann.page, "club-voided");
  });

  await step("a private table is opened by an invitation link, and only the invited player sits", async () => {
    const [friend, stranger] = [await another(), await another()];
    const path = await openOwnTable(ann, "Friday club", true);
    await stranger.go(path);
    await stranger.page.getByRole("button", { name: new RegExp(words.board.sit) }).first().click();
    await stranger.page.getByRole("alert").getByText(words.refused.not_invited).waitFor();
    await ann.page.locator(".table-bar > .bar-act", { hasText: words.share.invite }).click();
    const dialog = ann.page.getByRole("dialog", { name: account.invite.title });
    await dialog.getByLabel(account.invite.hours).selectOption("1");
    await dialog.getByRole("button", { name: account.invite.make }).click();
    const link = await dialog.getByLabel(account.invite.link).inputValue();
    await screenshotWidths(ann.page, "club-invite");
    const { body: invitation } = await api(friend, `/api/invitations/${link.split("/").at(-1)}`);
    assert.ok(invitation.until > Date.now() && invitation.until <= Date.now() + 3_600_000, "the invitation expires within the hour");
    await friend.page.goto(link);
    await friend.page.getByText(account.join.to("Friday club")).waitFor();
    await screenshotWidths(friend.page, "club-join");
    await friend.button(account.join.go).click();
    await friend.page.waitForURL(`**${path}`);
    await friend.page.getByRole("button", { name: new RegExp(words.board.sit) }).first().click();
    await friend.page.locator(".own:not(.watching)").waitFor();
  });

  await step("the server honours a loss limit", async () => {
    const bob = await another();
    const { page } = bob;
    await makeAccount(bob, "Bob Brick");
    const part = page.locator("pg-account-limits");
    await part.getByLabel(account.limits.lossAmount).fill("20");
    await part.getByRole("button", { name: account.limits.save }).click();
    await part.getByText(account.limits.lossIs({ cents: 2000, days: 1 })).waitFor();
    await ann.go(`/table/${HOUSE_TABLE}`);
    await ann.press(words.board.go.next);
    await ann.waitForPhase("wagers");
    await bob.sit(HOUSE_TABLE, 2);
    await bob.waitForPhase("wagers");
    await bob.addChips(0, 25);
    await page.locator(".notices").getByRole("alert").waitFor();
    await screenshotWidths(page, "club-loss-limit");
    const { body: { limits } } = await api(bob, "/api/account");
    assert.deepEqual(limits.loss, { cents: 2000, days: 1 });
    assertRefused(await api(bob, `/api/tables/${HOUSE_TABLE}/commands`, { id: "over", command: { do: "wager", seat: 2, wager: "pai-gow", cents: 2500 } }), 409, "loss_limit");
    await api(bob, `/api/tables/${HOUSE_TABLE}/commands`, { id: "stand", command: { do: "stand", seat: 2 } });
  });

  await step("the report of the day shows the result of the table beside its exact expectation", async () => {
    // The button of the next hand has placed the same wager again.
    await playRound(ann, []);
    const { page } = admin;
    await admin.go("/console/reports");
    const group = page.locator("section", { has: page.getByRole("heading", { name: new RegExp(`, ${HOUSE_TABLE}, `) }) });
    await group.waitFor({ timeout: COUNT_MS });
    const [row] = await group.locator("tbody tr").evaluateAll((rows) => rows.map((cells) => [...cells.children].map((cell) => /** @type {HTMLElement} */ (cell).innerText.trim())));
    const [, wagers, handle, , , expected, deviation] = row;
    assert.match(wagers, /^1\b/);
    assert.ok(wagers.includes(say.reports.voided(1)), wagers);
    assert.equal(handle, "$25.00");
    assert.match(expected, /^[+−-]?\$\d/, "an exact expectation");
    assert.match(deviation, /^\$\d/);
    await screenshotWidths(page, "club-report");
  });

  await step("a viewer cannot issue chips, and a cashier cannot void", async () => {
    const before = await ann.balance();
    assertRefused(await api(viewer, "/api/operator/chips", { id: "viewer-1", player, cents: 100 }), 403, "not_allowed");
    await viewer.go("/console/chips");
    await viewer.page.getByText(say.mayNot(say.roles.viewer, say.sections.chips)).waitFor();
    await screenshotWidths(viewer.page, "club-viewer");
    assertRefused(await api(cashier, `/api/operator/tables/${HOUSE_TABLE}/commands`, { id: "cashier-1", command: { do: "void", reason: { code: "exposed_card" } } }), 403, "not_allowed");
    await cashier.go("/console/tables");
    await cashier.page.locator(`[data-table="${HOUSE_TABLE}"]`).waitFor();
    assert.equal(await cashier.page.locator("[data-opens=void]").count(), 0);
    assert.equal(await ann.balance(), before);
  });

  await step("a stolen cookie is worthless after the sign-out", async () => {
    const thief = await another();
    await thief.context.addCookies(await cashier.context.cookies());
    assert.equal((await api(thief, "/api/operator/session")).status, 200, "before the sign-out");
    await cashier.button(say.signOut).click();
    await cashier.page.locator("pg-operator-sign-in").waitFor();
    assert.equal((await api(thief, "/api/operator/session")).status, 401);
    assert.equal((await api(thief, "/api/operator/chips", { id: "thief-1", player, cents: 100 })).status, 401);
  });

  await step("a password that is tried a hundred times is limited", async () => {
    const guesser = await another();
    await tryHundredTimes(guesser, "/api/sign-in", (password) => ({ name: "Bob Brick", password }), PASSWORD);
    await tryHundredTimes(guesser, "/api/operator/session", (password) => ({ name: "carl", password, code: authenticatorCode(secret, 1) }), OPERATOR_PASSWORD);
    await guesser.go("/console");
    for (const [field, value] of [["name", "carl"], ["password", OPERATOR_PASSWORD], ["code", "000000"]]) await guesser.page.locator(`[name=${field}]`).fill(value);
    await guesser.button(say.signIn.go).click();
    await guesser.page.getByRole("alert").waitFor();
    await screenshotWidths(guesser.page, "club-too-many-tries");
  });

  await step("a name that looks like another is refused", async () => {
    const fake = await another();
    const { page } = fake;
    await fake.go("/account");
    const form = page.locator("pg-create-account");
    await form.getByLabel(account.create.name).fill("\u0410nn Passkey"); // with a Cyrillic letter
    await form.getByRole("radio", { name: account.create.usePassword }).check();
    await form.getByRole("textbox", { name: account.create.password }).fill(PASSWORD);
    const refused = page.waitForResponse((response) => response.url().endsWith("/api/account") && response.request().method() === "POST");
    await form.getByRole("button", { name: account.create.withPassword }).click();
    const response = await refused;
    assertRefused({ status: response.status(), body: await response.json() }, 409, "name_taken");
    await page.getByRole("alert").getByText(words.refused.name_taken).waitFor();
    await screenshotWidths(page, "club-name-taken");
  });

  await step("an audit has no findings, and the log shows every act with its outcome", async () => {
    const { page } = admin;
    await admin.go("/console/audits");
    await admin.button(say.audits.run).click();
    await page.locator(".console-result", { hasText: say.audits.finished(0) }).waitFor();
    await page.getByText(say.audits.clean).waitFor();
    await screenshotWidths(page, "club-audit");

    const rows = await logRows(admin);
    await screenshotWidths(page, "club-log");
    const done = `✓ ${say.log.done}`;
    const assertLogged = (/** @type {string} */ operator, /** @type {string} */ what, /** @type {string} */ outcome, /** @type {string[]} */ ...parts) => assert.ok(
      rows.some((row) => row.operator === operator && row.what === what && row.outcome === outcome && parts.every((part) => row.detail.includes(part))),
      `no entry ${operator} ${what} ${outcome} ${parts.join(" ")} in\n${rows.map((row) => Object.values(row).join(" | ").replaceAll("\n", " ")).join("\n")}`);
    for (const name of ["rosa", "dina", "finn", "vera", "carl"]) assertLogged(name, "session.begin", done, "127.0.0.1");
    for (const name of ["dina", "finn", "vera", "carl"]) assertLogged("rosa", "operator.add", done, name);
    assertLogged("carl", "session.begin", "✗ wrong_credentials", "enrolment", "127.0.0.1");
    assertLogged("eve", "session.begin", "✗ admin_exists", "127.0.0.1");
    assertLogged("carl", "chips", say.log.waiting, player, "200000");
    assertLogged("dina", "approval.approve", done, player, "200000");
    assertLogged("finn", "table.open", done, HOUSE_TABLE);
    assertLogged("finn", "table.command", say.log.waiting, HOUSE_TABLE, "wrong_count");
    assertLogged("rosa", "approval.approve", done, HOUSE_TABLE);
    assertLogged("rosa", "report", done);
    assertLogged("vera", "chips", "✗ not_allowed", player);
    assertLogged("carl", "table.command", "✗ not_allowed", HOUSE_TABLE);
    assertLogged("carl", "session.end", done);
    assertLogged("carl", "session.begin", "✗ wrong_credentials", "password", "127.0.0.1");
    assertLogged("carl", "session.begin", "✗ too_many_tries", "127.0.0.1");
    assertLogged("rosa", "audit", done);
  });

  for (const one of [ann, admin, cashier, second, floor, viewer, ...others]) await one.close();
});
