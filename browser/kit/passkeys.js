// Passkeys in a browser: Chromium's virtual authenticator, which confirms every request as the person.

/**
 * @typedef {import("./player.js").Player} Player
 * @typedef {{ client: import("playwright-core").CDPSession, authenticatorId: string }} Authenticator
 */

/** Returns the address of a server at which browsers offer passkeys without TLS: a name, not a number. @param {{ url: string }} server */
export const atLocalhost = ({ url }) => ({ url: url.replace("127.0.0.1", "localhost") });

/** Adds a device with a screen lock to the page of a player. @param {Player} player @returns {Promise<Authenticator>} */
export async function addAuthenticator({ page }) {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
  return { client, authenticatorId };
}

/** Copies all passkeys, as a synchronized keychain does. @param {Authenticator} from @param {Authenticator} to */
export async function copyPasskeys(from, to) {
  const { credentials } = await from.client.send("WebAuthn.getCredentials", { authenticatorId: from.authenticatorId });
  for (const credential of credentials) await to.client.send("WebAuthn.addCredential", { authenticatorId: to.authenticatorId, credential });
}
