// Everything a browser has received: bodies of answers and frames of sockets, in the order they came.

/** @typedef {{ from: string, text: string, frame: boolean }} Piece */

export class Received {
  /** @type {Piece[]} */
  #pieces = [];
  /** @type {Promise<void>[]} */
  #coming = [];

  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => {
      this.#pieces.push({ from: socket.url(), text: String(payload), frame: true });
    }));
    page.on("response", (response) => {
      const piece = { from: response.url(), text: "", frame: false };
      this.#pieces.push(piece);
      this.#coming.push(response.text().then((text) => { piece.text = text; }, (error) => { this.lost.push(`${piece.from}: ${error}`); }));
    });
  }

  /** Bodies that could not be read. @type {string[]} */
  lost = [];

  /** All of it. */
  async all() {
    await Promise.all(this.#coming);
    return [...this.#pieces];
  }

  /** How much it is by now. */
  get count() {
    return this.#pieces.length;
  }

  /** The messages of the table's socket that have come. @returns {any[]} */
  get messages() {
    return this.#pieces.filter(({ frame }) => frame).map(({ text }) => JSON.parse(text));
  }

  /** The events of a kind. @param {string} name @returns {any[]} */
  events(name) {
    return this.messages.filter(({ type, event }) => type === "event" && event.event === name).map(({ event }) => event);
  }
}
