// Accounts: a guest becomes an account and keeps chips and seat, signs in elsewhere, recovers with a code, sets limits, invites players and deletes the account.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { words } from "../../web/words/en.js";
import { makeAccount, PASSWORD, signIn, storeCodes, waitForAccount } from "../kit/accounts.js";
import { setColorScheme } from "../kit/browser.js";
import { addAuthenticator, atLocalhost, copyPasskeys } from "../kit/passkeys.js";
import { Player } from "../kit/player.js";
import { screenshot } from "../kit/screenshots.js";
import { Stage } from "../kit/stage.js";

const stage = new Stage();
const say = words.account;
const CLOCKS = { bank: 3_600_000, wagers: 3_600_000, settings: 3_600_000, between: 3_600_000 };
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Opens a player at an address with passkeys. @param {import("playwright-core").BrowserContextOptions} [options] */
const open = (options) => Player.open(stage.browser, atLocalhost(stage.server), options);

/** Opens a table of the player through the API. @param {Player} player @param {Record<string, unknown>} [rules] @returns {Promise<string>} its id */
async function openTable({ page, url }, rules = {}) {
  await page.goto(`${url}/how-to-play`);
  return page.evaluate(async (body) => {
    const post = async (/** @type {string} */ path, /** @type {unknown} */ data) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) })).json();
    if (!localStorage.getItem("paigow.session")) await post("/api/session", {});
    localStorage.setItem("paigow.session", "yes");
    return (await post("/api/tables", body)).table;
  }, { book: "ez", bots: 0, clocks: CLOCKS, ...rules });
}

/** Waits for the message of a form. Screen readers get it from a live region. @param {Player} player @param {string} text */
const done = ({ page }, text) => page.locator(".account-part > .good, .account-part form .good", { hasText: text }).waitFor();

test("a guest becomes an account with a passkey, keeps chips and seat, signs in elsewhere and recovers with a code", async () => {
  const player = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = player;
  const table = await openTable(player);
  await player.sit(table, 1);
  await player.wager(25);
  await player.setHouseWay();
  await player.waitForResult();
  const balance = await player.balance();
  assert.ok(balance > 0);

  const device = await addAuthenticator(player);
  await player.go("/");
  await page.locator(".bar").getByRole("link", { name: say.link.guest }).click();
  const form = page.locator("pg-create-account");
  await form.getByLabel(say.create.name).fill("Ann Passkey");
  await screenshot(page, "account-guest");
  await form.getByRole("button", { name: say.create.withPasskey }).click();
  await page.locator(".codes li").nth(9).waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  for (const part of await page.locator(".account-codes :is(p, code, button)").all()) {
    const box = await part.boundingBox();
    assert.ok(!box || box.x + box.width <= 390, `${await part.innerText()} is outside of a telephone`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await screenshot(page, "account-codes");
  await page.getByRole("button", { name: say.codes.copy, exact: true }).click();
  await page.getByRole("button", { name: say.codes.copied, exact: true }).waitFor();
  const codes = await storeCodes(player);
  assert.equal(new Set(codes).size, 10);
  assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(codes.join("\n")));
  await waitForAccount(player, "Ann Passkey");
  await page.locator(".bar").getByRole("link", { name: "Ann Passkey" }).waitFor();
  assert.equal(await player.balance(), balance, "the account keeps the chips");
  await player.go(`/table/${table}`);
  await page.locator(".own[data-seat=\"1\"]:not(.watching)").waitFor();

  const elsewhere = await open();
  await elsewhere.go("/account");
  await copyPasskeys(device, await addAuthenticator(elsewhere));
  await signIn(elsewhere, "passkey", "Ann Passkey");
  await waitForAccount(elsewhere, "Ann Passkey");
  assert.equal(await elsewhere.balance(), balance);
  await elsewhere.go(`/table/${table}`);
  await elsewhere.page.locator(".own[data-seat=\"1\"]:not(.watching)").waitFor();

  const recovered = await open();
  await signIn(recovered, "recovery", "Ann Passkey", codes[3]);
  await waitForAccount(recovered, "Ann Passkey");
  await recovered.page.getByText(say.recovery.left(9)).waitFor();
  await recovered.page.locator("pg-account-sessions li").nth(2).waitFor();
  const again = await open();
  await signIn(again, "recovery", "Ann Passkey", codes[3]);
  await again.page.getByRole("alert").getByText(say.signIn.wrong).waitFor();

  // The session of a lost device is ended from another one.
  const others = recovered.page.locator("pg-account-sessions li", { hasNotText: say.sessions.current });
  assert.equal(await others.count(), 2);
  for (const left of [1, 0]) {
    await others.first().getByRole("button").click();
    await done(recovered, say.sessions.ended);
    await recovered.page.waitForFunction((many) => document.querySelectorAll("pg-account-sessions li").length === many, left + 1);
  }
  await elsewhere.go("/account");
  await elsewhere.page.getByRole("heading", { level: 1, name: say.guest.titleNone }).waitFor();
  for (const one of [player, elsewhere, recovered, again]) await one.close();
});

test("refused passwords and names are explained at their fields", async () => {
  const [ann, other] = [await open(), await open()];
  await makeAccount(ann, "Paula Plum");
  await other.go("/account");
  const form = other.page.locator("pg-create-account");
  const name = form.getByLabel(say.create.name);
  await name.fill("P\u0430ula Plum"); // with a Cyrillic letter
  await form.getByRole("radio", { name: say.create.usePassword }).check();
  const password = form.getByRole("textbox", { name: say.create.password });
  await password.fill("password");
  await form.getByRole("button", { name: say.create.withPassword }).click();
  await other.page.locator("[aria-invalid]").first().waitFor();
  await password.fill(PASSWORD);
  await form.getByRole("button", { name: say.create.withPassword }).click();
  await other.page.getByRole("alert").getByText(words.refused.name_taken).waitFor();
  assert.equal(await name.getAttribute("aria-invalid"), "true");
  await name.fill("Peter Plum");
  await password.fill("password12");
  await form.getByRole("button", { name: say.create.withPassword }).click();
  await form.locator("input[name=password][aria-invalid=true]").waitFor();
  assert.equal(await other.page.evaluate(() => document.activeElement?.getAttribute("name")), "password", "the focus is at the refused field");

  await signIn(other, "password", "Paula Plum", "not the password");
  await other.page.getByRole("alert").getByText(say.signIn.wrong).waitFor();
  await signIn(other, "password", "paula plum", PASSWORD);
  await waitForAccount(other, "Paula Plum");
  for (const one of [ann, other]) await one.close();
});

test("a change that needs a recent sign-in asks for one and is repeated", async () => {
  const player = await open();
  const { page } = player;
  const before = await makeAccount(player, "Rita Recent");
  // The server asks for a sign-in after 15 minutes; here it asks at once.
  let asked = 0;
  await page.route("**/api/account/recovery-codes", (route) => {
    asked += 1;
    return asked > 1 ? route.fallback() : route.fulfill({ status: 403, contentType: "application/problem+json", body: JSON.stringify({ code: "sign_in_again", status: 403, title: "Forbidden", detail: "sign in again" }) });
  });
  const renew = async () => {
    await page.getByRole("button", { name: say.recovery.renew }).click();
    await page.getByRole("button", { name: say.recovery.renewYes }).click();
    const dialog = page.getByRole("dialog", { name: say.again.title });
    await dialog.waitFor();
    return dialog;
  };
  await (await renew()).getByRole("button", { name: say.again.cancel }).click();
  await done(player, say.again.cancelled);
  asked = 0;
  const dialog = await renew();
  await screenshot(page, "account-sign-in-again");
  await dialog.getByRole("textbox", { name: say.signIn.password }).fill("not the password");
  await dialog.getByRole("button", { name: say.signIn.go.password, exact: true }).click();
  await dialog.getByRole("alert").getByText(say.signIn.wrong).waitFor();
  await dialog.getByRole("textbox", { name: say.signIn.password }).fill(PASSWORD);
  await dialog.getByRole("button", { name: say.signIn.go.password, exact: true }).click();
  const codes = await storeCodes(player);
  assert.ok(codes.every((code) => !before.includes(code)));
  assert.equal(asked, 2);
  await player.close();
});

test("passkeys are added and removed, and the last way to sign in stays", async () => {
  const player = await open();
  const { page } = player;
  await player.go("/account");
  await addAuthenticator(player);
  const form = page.locator("pg-create-account");
  await form.getByLabel(say.create.name).fill("Kim Keys");
  await form.getByRole("button", { name: say.create.withPasskey }).click();
  await storeCodes(player);
  const part = page.locator("pg-account-passkeys");
  await part.locator("li").first().getByRole("button").click();
  await part.getByRole("button", { name: say.passkeys.removeYes }).click();
  await part.getByRole("alert").getByText(words.refused.last_credential).waitFor();
  await part.getByRole("button", { name: say.passkeys.removeNo }).click();
  await page.locator("pg-account-password").getByLabel(say.password.password).fill(PASSWORD);
  await page.getByRole("button", { name: say.password.create }).click();
  await done(player, say.password.changed);
  await part.locator("li").first().getByRole("button").click();
  await part.getByRole("button", { name: say.passkeys.removeYes }).click();
  await part.getByText(say.passkeys.none).waitFor();
  await part.getByLabel(say.passkeys.label).fill("Blue key");
  await part.getByRole("button", { name: say.passkeys.add }).click();
  await part.locator("li", { hasText: "Blue key" }).waitFor();
  await page.locator("pg-account-password").getByLabel(say.password.current).fill("wrong");
  await page.locator("pg-account-password").getByLabel(say.password.password).fill(`${PASSWORD} more`);
  await page.getByRole("button", { name: say.password.change }).click();
  await page.getByRole("alert").getByText(say.password.wrong).waitFor();
  await player.close();
});

test("a table for invited players: a link, a seat, and its end", async () => {
  const [owner, friend, other] = [await open(), await open(), await open()];
  await owner.go("/");
  const form = owner.page.locator("pg-open-table");
  await form.getByLabel(words.open.name).fill("Friday club");
  await form.getByLabel(words.open.private).check();
  await form.getByLabel(words.open.invited).check();
  await form.getByLabel(words.open.bots).selectOption("0");
  await form.getByRole("button", { name: words.open.open, exact: true }).click();
  await owner.page.locator(".own:not(.watching)").waitFor();
  const { pathname } = new URL(owner.page.url());

  await other.go(pathname);
  await other.page.getByRole("button", { name: new RegExp(words.board.sit) }).first().click();
  await other.page.getByRole("alert").getByText(words.refused.not_invited).waitFor();
  await screenshot(other.page, "table-not-invited");

  await owner.page.locator(".table-bar > .bar-act", { hasText: words.share.invite }).click();
  const dialog = owner.page.getByRole("dialog", { name: say.invite.title });
  await dialog.getByLabel(say.invite.hours).selectOption("1");
  await dialog.getByRole("button", { name: say.invite.make }).click();
  const link = await dialog.getByLabel(say.invite.link).inputValue();
  await screenshot(owner.page, "table-invite");

  await friend.page.goto(link);
  await friend.page.getByText(say.join.to("Friday club")).waitFor();
  await friend.page.getByText(say.join.asGuest).waitFor();
  await screenshot(friend.page, "join");
  await friend.page.getByRole("button", { name: say.join.go }).click();
  await friend.page.waitForURL(`**${pathname}`);
  await friend.page.getByRole("button", { name: new RegExp(words.board.sit) }).first().click();
  await friend.page.locator(".own:not(.watching)").waitFor();

  await dialog.getByRole("button", { name: words.app.close, exact: true }).first().click();
  await owner.page.locator(".table-bar > .bar-act", { hasText: words.share.invite }).click();
  await dialog.getByText(say.invite.accepted(1)).waitFor();
  await dialog.getByRole("button", { name: /^Withdraw/ }).click();
  await dialog.getByText(say.invite.noLinks).waitFor();
  await dialog.getByRole("button", { name: /^Remove/ }).click();
  await dialog.getByText(say.invite.noMembers).waitFor();
  await other.page.goto(link);
  await other.page.getByRole("heading", { name: say.join.gone }).waitFor();
  for (const one of [owner, friend, other]) await one.close();
});

test("the server honours a loss limit, and loosens it a day later", async () => {
  const player = await open();
  const { page } = player;
  await makeAccount(player, "Lou Limits");
  const part = page.locator("pg-account-limits");
  await part.getByLabel(say.limits.lossAmount).fill("a lot");
  await part.getByRole("button", { name: say.limits.save }).click();
  await part.getByRole("alert").getByText(say.limits.noAmount).waitFor();
  await part.getByLabel(say.limits.lossAmount).fill("20");
  await part.getByRole("button", { name: say.limits.save }).click();
  await done(player, say.limits.saved);
  await part.getByText(say.limits.lossIs({ cents: 2000, days: 1 })).waitFor();

  const table = await openTable(player);
  await player.sit(table, 1);
  await player.waitForPhase("wagers");
  await player.addChips(0, 25);
  const alert = page.locator(".notices").getByRole("alert");
  await alert.waitFor();
  await screenshot(page, "table-loss-limit");
  await alert.getByRole("link", { name: say.limits.link }).click();
  await part.getByLabel(say.limits.lossAmount).fill("500");
  await part.getByRole("button", { name: say.limits.save }).click();
  await part.getByText(/What is looser applies from/).waitFor();
  await part.getByText(say.limits.now(say.limits.lossIs({ cents: 2000, days: 1 }), say.limits.minutesAre(null))).waitFor();
  await player.close();
});

test("a person renames, downloads all data, signs out, and deletes the account", async () => {
  const player = await open();
  const { page } = player;
  await makeAccount(player, "Dora Data");
  const name = page.locator("pg-account-name");
  await name.getByLabel(say.name.label).fill("Dora Delta");
  await name.getByRole("button", { name: say.name.save }).click();
  await waitForAccount(player, "Dora Delta");
  await page.locator("pg-account-chips").getByRole("button", { name: /Practice/ }).click();
  await page.locator(".account-journal tbody tr", { hasText: say.chips.purposes.issue }).waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: say.data.download }).click();
  const data = await readFile(await (await downloading).path(), "utf8");
  assert.ok(JSON.stringify(JSON.parse(data)).includes("Dora Delta"));
  assert.ok(!data.includes("argon2"), "the file has no secrets");

  await page.getByRole("button", { name: say.own.signOut }).click();
  await page.getByRole("heading", { level: 1, name: say.guest.titleNone }).waitFor();
  await signIn(player, "password", "Dora Delta", PASSWORD);
  await waitForAccount(player, "Dora Delta");
  await page.getByRole("button", { name: say.deletion.begin }).click();
  const part = page.locator("pg-account-data");
  await part.getByLabel(say.deletion.confirm("Dora Delta")).fill("Dora");
  await part.getByRole("button", { name: say.deletion.go }).click();
  await part.getByRole("alert").getByText(say.deletion.differs).waitFor();
  await part.getByLabel(say.deletion.confirm("Dora Delta")).fill("Dora Delta");
  await part.getByRole("button", { name: say.deletion.go }).click();
  await page.getByRole("heading", { level: 1, name: say.guest.titleNone }).waitFor();
  await signIn(player, "password", "Dora Delta", PASSWORD);
  await page.getByRole("alert").getByText(say.signIn.wrong).waitFor();
  await player.close();
});

test("axe finds no violations in both color schemes, and nothing is wider than the window", async () => {
  const player = await open();
  const { page } = player;
  /** @type {string[]} */
  const found = [];
  const inspect = async (/** @type {string} */ name) => {
    for (const width of [390, 1024, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await setColorScheme(page, colorScheme);
        await screenshot(page, `${name}-${width}-${colorScheme}`);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run({ resultTypes: ["violations"] }));
        for (const { id, nodes } of violations) found.push(...nodes.map((/** @type {any} */ node) => `${name}, ${width}, ${colorScheme}: ${id}: ${node.target.join(" ")}`));
      }
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (over > 0) found.push(`${name}: ${over} px wider than ${width} px`);
    }
  };
  await player.go("/account");
  await page.locator("pg-create-account").waitFor();
  await inspect("account-none");
  const table = await openTable(player, { seats: "invited" });
  const invitation = await page.evaluate(async (path) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ hours: 24 }) })).json(), `/api/tables/${table}/invitations`);
  await player.go(invitation.path);
  await page.getByRole("button", { name: say.join.go }).waitFor();
  await inspect("account-join");
  await player.go("/account");
  await page.locator("pg-account-limits").waitFor();
  await page.locator("pg-create-account").getByRole("radio", { name: say.create.usePassword }).check();
  await inspect("account-as-guest");
  await makeAccount(player, "Axel Axe");
  await page.locator("pg-account-chips").getByRole("button", { name: /Practice/ }).click();
  await page.locator(".account-journal").waitFor();
  await page.getByRole("button", { name: say.deletion.begin }).click();
  await page.locator("pg-account-sessions li").first().waitFor();
  await inspect("account-own");
  assert.ok(found.length === 0, found.join("\n"));
  await player.close();
});
