// Accounts of players: the forms of the account page.

import { words } from "../../web/words/en.js";

/** @typedef {import("./player.js").Player} Player */

const say = words.account;
/** Password of all accounts of tests. */
export const PASSWORD = "fourteen violet tugboats";

/** Makes an account with a password. Returns the recovery codes. @param {Player} player @param {string} name */
export async function makeAccount(player, name) {
  const { page } = player;
  await player.go("/account");
  const form = page.locator("pg-create-account");
  await form.getByLabel(say.create.name).fill(name);
  await form.getByRole("radio", { name: say.create.usePassword }).check();
  await form.getByRole("textbox", { name: say.create.password }).fill(PASSWORD);
  await form.getByRole("button", { name: say.create.withPassword }).click();
  return storeCodes(player);
}

/** Reads the recovery codes and confirms that they are stored. @param {Player} player */
export async function storeCodes({ page }) {
  await page.locator(".codes li").nth(9).waitFor();
  const codes = await page.locator(".codes code").allInnerTexts();
  await page.getByRole("button", { name: say.codes.done }).click();
  await page.locator(".codes").waitFor({ state: "detached" });
  return codes;
}

/** Signs in with the form. @param {Player} player @param {"passkey" | "password" | "recovery"} way @param {string} name @param {string} [secret] */
export async function signIn(player, way, name, secret = "") {
  const { page } = player;
  await player.go("/account");
  const form = page.locator("pg-sign-in");
  await form.getByRole("radio", { name: say.signIn.way[way] }).check();
  await form.getByLabel(say.signIn.name).fill(name);
  if (way === "password") await form.getByRole("textbox", { name: say.signIn.password }).fill(secret);
  if (way === "recovery") await form.getByRole("textbox", { name: say.signIn.code }).fill(secret);
  await form.getByRole("button", { name: say.signIn.go[way], exact: true }).click();
}

/** Waits for the page of an account. @param {Player} player @param {string} name */
export const waitForAccount = ({ page }, name) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
