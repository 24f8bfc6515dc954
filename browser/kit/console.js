// Operators in the console: enrolment, sign-in, chips, approvals and the log.

import { words } from "../../web/words/en.js";
import { addAuthenticator } from "./passkeys.js";
import { authenticatorCode, PASSWORD } from "./operators.js";

/**
 * @typedef {import("./player.js").Player} Player
 * @typedef {{ operator: string, what: string, outcome: string, detail: string }} LogRow
 */

const { console: say } = words;

/** Fills the first form of the enrolment. @param {Player} one @param {string} name @param {string} code */
async function beginEnrolment(one, name, code) {
  await one.go("/console/enrol");
  await one.page.locator("[name=name]").fill(name);
  await one.page.locator("[name=code]").fill(code);
}

/** Enrols an operator with a password and an authenticator. Returns the secret of the authenticator. @param {Player} one @param {string} name @param {string} code */
export async function enrolWithPassword(one, name, code) {
  const { page } = one;
  await beginEnrolment(one, name, code);
  for (const field of ["password", "repeat"]) await page.locator(`[name=${field}]`).fill(PASSWORD);
  await one.button(say.enrol.next).click();
  const secret = (await page.locator(".secret").innerText()).replaceAll(" ", "");
  await page.locator("[name=totp]").fill(authenticatorCode(secret));
  await one.button(say.enrol.finish).click();
  await page.locator(".secrets li").first().waitFor();
  await one.button(say.enrol.toConsole).click();
  await page.locator(".console-who", { hasText: name }).waitFor();
  return secret;
}

/** Enrols an operator with a passkey. @param {Player} one @param {string} name @param {string} code */
export async function enrolWithPasskey(one, name, code) {
  await addAuthenticator(one);
  await beginEnrolment(one, name, code);
  await one.page.getByRole("radio", { name: say.enrol.methods.passkey }).check();
  await one.button(say.enrol.next).click();
  await one.button(say.enrol.enter).click();
  await one.page.locator(".console-who", { hasText: name }).waitFor();
}

/** Adds an operator. Returns the enrolment code. @param {Player} admin @param {string} name @param {"viewer" | "floor" | "cashier" | "admin"} role */
export async function addOperator(admin, name, role) {
  const { page } = admin;
  await admin.go("/console/operators");
  await page.locator("form [name=name]").fill(name);
  await page.locator("form [name=role]").selectOption(role);
  await admin.button(say.operators.addGo).click();
  await page.locator(".console-result", { hasText: say.operators.codeMade(name) }).waitFor();
  return page.locator(".secret").innerText();
}

/** Issues chips. @param {Player} cashier @param {string} player @param {string} amount in dollars */
export async function issueChips(cashier, player, amount) {
  await cashier.go(`/console/chips?player=${player}`);
  await cashier.page.locator("[name=amount]").fill(amount);
  await cashier.button(say.chips.go.issue).click();
}

/** Returns the row of a request. @param {Player} one @param {string} text */
export async function approvalRow(one, text) {
  await one.go("/console/approvals");
  const row = one.page.locator("pg-console-approvals tbody tr", { hasText: text });
  await row.waitFor();
  return row;
}

/** Reads all entries of the operators' log from its page. @param {Player} one @returns {Promise<LogRow[]>} */
export async function logRows(one) {
  const { page } = one;
  await one.go("/console/log");
  await page.locator("pg-console-log tbody tr").first().waitFor();
  await page.getByRole("checkbox", { name: say.log.reads }).check();
  const more = one.button(say.log.showMore);
  while (await more.count() > 0) await more.click();
  const cells = await page.locator("pg-console-log tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => /** @type {HTMLElement} */ (cell).innerText.trim())));
  return cells.map(([, , operator, what, outcome, detail]) => ({ operator, what, outcome, detail }));
}
