// Operators of a test server: enrolment through the API, and codes of their authenticators.

import { createHmac } from "node:crypto";

/** @typedef {{ name: string, password: string, secret: string, cookie: string, recoveryCodes: string[] }} EnrolledOperator `secret` is that of the authenticator, `cookie` the pair of the session cookie */

const STEP_MS = 30_000;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Password of all operators of tests. */
export const PASSWORD = "seven drawn cards, two low";

/** Returns the code that an authenticator shows. A code is valid once, so a second sign-in within a step takes the code of the next step. @param {string} secret in base 32 @param {number} [steps] steps to add */
export function authenticatorCode(secret, steps = 0) {
  const bits = [...secret].map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const digest = createHmac("sha1", key).update(counter).digest();
  return String((digest.readUInt32BE(digest[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Enrols an operator with a password and an authenticator. @param {string} url of the server @param {string} name @param {string} code @returns {Promise<EnrolledOperator>} */
export async function enrolOperator(url, name, code) {
  const { ceremony, totp } = await (await post(url, "enrolment/options", { name, code, password: PASSWORD })).json();
  const response = await post(url, "enrolment", { ceremony, code: authenticatorCode(totp.secret) });
  const [cookie] = response.headers.getSetCookie();
  return { name, password: PASSWORD, secret: totp.secret, cookie: cookie.split(";")[0], recoveryCodes: (await response.json()).recovery_codes };
}

/** @param {string} url @param {string} path @param {unknown} body */
async function post(url, path, body) {
  const response = await fetch(`${url}/api/operator/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Signs a browser in as an operator. @param {import("playwright-core").BrowserContext} context @param {string} url of the server @param {EnrolledOperator} operator */
export async function signIn(context, url, { cookie }) {
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url }]);
}
