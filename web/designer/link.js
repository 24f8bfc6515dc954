// House ways in links: the text is in the fragment, which browsers do not send to the server.

const COMPRESSED = "z.";
const PLAIN = "p.";
/** Maximum length of a house way in bytes. The server accepts no longer one. */
export const TEXT_MAX = 28_000;
/** Maximum length of an encoded text. It bounds the work of decoding a link. */
const CODE_MAX = 100_000;

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} stream */
async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Encodes a text for the fragment of a link. Without `CompressionStream`, the text is not compressed. @param {string} text @param {{ compress?: boolean }} [options] */
export async function encodeText(text, { compress = "CompressionStream" in globalThis } = {}) {
  const bytes = new TextEncoder().encode(text);
  if (!compress) return PLAIN + base64url(bytes);
  return COMPRESSED + base64url(await through(bytes, new CompressionStream("deflate-raw")));
}

/** Decodes a text of a fragment. Returns `null` if it is damaged or too long. @param {string} code @returns {Promise<string | null>} */
export async function decodeText(code) {
  if (code.length > CODE_MAX) return null;
  try {
    const bytes = bytesOf(code.slice(2));
    const plain = code.startsWith(PLAIN) ? bytes : code.startsWith(COMPRESSED) ? await through(bytes, new DecompressionStream("deflate-raw")) : null;
    if (!plain || plain.length > TEXT_MAX) return null;
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch {
    return null;
  }
}
