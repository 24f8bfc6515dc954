// Requests that sign a person in, and the form for them.

import { h } from "../dom.js";
import { ask } from "../api.js";
import { passkeysSupported, usePasskey } from "../webauthn.js";
import { words } from "../words.js";

/**
 * @typedef {import("../api.js").SessionPlayer} SessionPlayer
 * @typedef {typeof WAYS[number]} Way
 */

/** Ways to sign in. */
export const WAYS = /** @type {const} */ (["passkey", "password", "recovery"]);

/** The way that the form proposes: a passkey where the browser has them. @returns {Way} */
export const proposedWay = () => (passkeysSupported() ? "passkey" : "password");

/** Signs in and returns the player. @param {Way} way @param {string} name @param {string} secret password or recovery code @returns {Promise<SessionPlayer>} */
export async function signIn(way, name, secret) {
  if (way === "password") return ask("/api/sign-in", { body: { name, password: secret } });
  if (way === "recovery") return ask("/api/sign-in/recovery", { body: { name, code: secret.trim() } });
  const { ceremony, options } = await ask("/api/sign-in/passkey/options", { body: { name } });
  const credential = await usePasskey(options);
  return ask("/api/sign-in/passkey", { body: { ceremony, credential } });
}

/** The choice of a way to sign in. @param {string} group name of the group @param {Way} way @param {(way: Way) => void} choose */
export function wayChoice(group, way, choose) {
  const { signIn: say } = words.account;
  return h("fieldset", { class: "choices", key: "ways" }, h("legend", null, say.ways),
    WAYS.map((one) => h("label", { key: one },
      h("input", { type: "radio", name: group, value: one, disabled: one === "passkey" && !passkeysSupported(), ".checked": way === one, onchange: () => choose(one) }), say.way[one])));
}

/** The field of the secret of a way; none for passkeys. @param {Way} way @param {(name: string, label: string, props: Record<string, any>) => import("../dom.js").Child} field */
export function secretField(way, field) {
  const { signIn: say } = words.account;
  if (way === "password") return field("password", say.password, { type: "password", autocomplete: "current-password", required: true });
  if (way === "recovery") return field("code", say.code, { type: "text", autocomplete: "one-time-code", autocapitalize: "off", spellcheck: "false", required: true, why: say.codeWhy });
  return null;
}
