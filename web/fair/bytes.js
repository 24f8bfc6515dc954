// Byte encodings for the derivation of deals: digests, integers and length-prefixed texts.

/** WebCrypto is missing: browsers offer it only on https and localhost. */
export class NoWebCrypto extends Error {}

export const hasWebCrypto = () => globalThis.crypto.subtle !== undefined;

/** @returns {SubtleCrypto} @throws {NoWebCrypto} */
function webCrypto() {
  if (!hasWebCrypto()) throw new NoWebCrypto();
  return globalThis.crypto.subtle;
}

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** @param {string} text @returns {Bytes} */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Parses lower-case hexadecimal digits of a fixed number of bytes. @param {unknown} text @param {number} [length] in bytes @returns {Bytes} @throws {RangeError} for any other text */
export function fixed(text, length = 32) {
  if (typeof text !== "string" || text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) throw new RangeError(`not ${length} bytes`);
  return fromHex(text);
}

/** Encodes ASCII text. @param {string} text @returns {Bytes} */
const ascii = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Prefixes bytes with their length in one byte. @param {Bytes} bytes */
export const lengthPrefixed = (bytes) => join(Uint8Array.of(bytes.length), bytes);

/** Encodes ASCII text with its length first: `text(x)` of the specification. @param {string} text */
export const text = (text) => lengthPrefixed(ascii(text));

/** Concatenates byte arrays. @param {...Uint8Array} parts @returns {Bytes} */
export function join(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** @param {number} value */
export const be8 = (value) => Uint8Array.of(value);

/** @param {number} value */
export function be32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** @param {number | bigint} value */
export function be64(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** @param {Bytes} message @returns {Promise<Bytes>} */
export async function sha256(message) {
  return new Uint8Array(await webCrypto().digest("SHA-256", message));
}

/** @param {Bytes} key @param {Bytes} message @returns {Promise<Bytes>} */
export async function hmac(key, message) {
  const subtle = webCrypto();
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, message));
}
