// Error messages of the account forms, at the field they belong to.

import { ApiError } from "../api.js";
import { errorText } from "../fault.js";
import { isPasskeyCancelled } from "../webauthn.js";
import { words } from "../words.js";

/** @typedef {{ field: string, text: string }} FieldFault field: its name; empty if the message belongs to the whole form */

/** Fields of refusal codes. @type {Record<string, string>} */
const FIELDS = { bad_name: "name", name_taken: "name", wrong_name: "name", bad_password: "password", bad_label: "label" };

/** Returns the message of an error and its field. @param {unknown} error @returns {FieldFault} */
export function fieldFault(error) {
  if (!(error instanceof ApiError)) return { field: "", text: passkeyText(error) };
  if (error.code === "wrong_credentials") return { field: "", text: words.account.signIn.wrong };
  if (error.code === "too_many_tries") return { field: "", text: words.account.signIn.tooMany(error.retrySeconds) };
  const known = error.code in words.refused || error.faults.length === 0;
  return { field: FIELDS[error.code] ?? "", text: known ? sentence(errorText(error)) : error.faults.map(({ message }) => sentence(message)).join(" ") };
}

/** Writes a message of the server as a sentence. @param {string} text */
export const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}` : text);

/** @param {unknown} error */
function passkeyText(error) {
  if (!(globalThis.DOMException && error instanceof DOMException)) return errorText(error);
  if (isPasskeyCancelled(error)) return words.account.passkey.cancelled;
  return error.name === "InvalidStateError" ? words.account.passkey.exists : words.account.passkey.failed;
}
