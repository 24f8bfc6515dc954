// Passkeys: calls `navigator.credentials` with the server's options. The server writes bytes as base64url; the browser takes and returns buffers.

/**
 * @typedef {{ publicKey: Record<string, any> }} PasskeyOptions options of the server as JSON, with bytes as base64url
 * @typedef {{ id: string, rawId: string, type: string, authenticatorAttachment?: string, response: Record<string, any>, extensions: Record<string, any> }} PasskeyJson a credential as JSON
 */

/** Whether the browser supports passkeys at this address. Browsers offer them only on https and localhost. */
export const passkeysSupported = () => globalThis.isSecureContext === true && "PublicKeyCredential" in globalThis;

/**
 * Creates a passkey and returns it as JSON for the server.
 * @param {PasskeyOptions} options @returns {Promise<PasskeyJson>} @throws {DOMException} if the person cancels or the authenticator fails
 */
export async function createPasskey({ publicKey }) {
  const created = await navigator.credentials.create({
    publicKey: /** @type {any} */ ({
      ...publicKey,
      challenge: fromBase64url(publicKey.challenge),
      user: { ...publicKey.user, id: fromBase64url(publicKey.user.id) },
      excludeCredentials: descriptors(publicKey.excludeCredentials),
    }),
  });
  const credential = /** @type {PublicKeyCredential} */ (created);
  const response = /** @type {AuthenticatorAttestationResponse} */ (credential.response);
  return withResponse(credential, {
    attestationObject: toBase64url(response.attestationObject),
    clientDataJSON: toBase64url(response.clientDataJSON),
    transports: response.getTransports?.() ?? [],
  });
}

/**
 * Signs the server's challenge with a passkey and returns the result as JSON.
 * @param {PasskeyOptions} options @returns {Promise<PasskeyJson>} @throws {DOMException} if the person cancels or the authenticator fails
 */
export async function usePasskey({ publicKey }) {
  const used = await navigator.credentials.get({
    publicKey: /** @type {any} */ ({ ...publicKey, challenge: fromBase64url(publicKey.challenge), allowCredentials: descriptors(publicKey.allowCredentials) }),
  });
  const credential = /** @type {PublicKeyCredential} */ (used);
  const response = /** @type {AuthenticatorAssertionResponse} */ (credential.response);
  return withResponse(credential, {
    authenticatorData: toBase64url(response.authenticatorData),
    clientDataJSON: toBase64url(response.clientDataJSON),
    signature: toBase64url(response.signature),
    userHandle: response.userHandle ? toBase64url(response.userHandle) : null,
  });
}

/** Whether an error means that the person cancelled, or that the authenticator has no matching passkey. Browsers do not tell them apart. @param {unknown} error */
export const isPasskeyCancelled = (error) => error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");

/** @param {PublicKeyCredential} credential @param {Record<string, any>} response @returns {PasskeyJson} */
function withResponse(credential, response) {
  const attachment = credential.authenticatorAttachment;
  return {
    id: credential.id, rawId: toBase64url(credential.rawId), type: credential.type, ...(attachment ? { authenticatorAttachment: attachment } : {}),
    response, extensions: credential.getClientExtensionResults(),
  };
}

/** @param {{ id: string }[] | undefined} all */
const descriptors = (all) => all?.map((one) => ({ ...one, id: fromBase64url(one.id) }));

/** Decodes base64url, with or without padding. @param {string} text */
export function fromBase64url(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Encodes bytes as base64url without padding. @param {ArrayBuffer | Uint8Array<ArrayBuffer>} bytes */
export function toBase64url(bytes) {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
