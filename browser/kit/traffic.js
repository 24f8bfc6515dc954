// Log of all data that a page receives: response bodies and WebSocket frames, in order.

/** @typedef {{ from: string, text: string, frame: boolean }} Message a response body or a WebSocket frame */

export class Traffic {
  /** @type {Message[]} */
  #log = [];
  /** Response bodies that are still being read. @type {Promise<void>[]} */
  #pending = [];

  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => {
      this.#log.push({ from: socket.url(), text: String(payload), frame: true });
    }));
    page.on("response", (response) => {
      // Fonts are not text, and the browser does not keep their bodies.
      if (response.request().resourceType() === "font") return;
      const message = { from: response.url(), text: "", frame: false };
      this.#log.push(message);
      this.#pending.push(response.text().then((text) => { message.text = text; }, (error) => { this.unread.push(`${message.from}: ${error}`); }));
    });
  }

  /** Response bodies that could not be read, with the error. @type {string[]} */
  unread = [];

  /** Returns the complete log, after all bodies are read. */
  async all() {
    await Promise.all(this.#pending);
    return [...this.#log];
  }

  /** Messages of the table's WebSocket so far. @returns {any[]} */
  get messages() {
    return this.#log.filter(({ frame }) => frame).map(({ text }) => JSON.parse(text));
  }

  /** Returns the table events of one kind. @param {string} name @returns {any[]} */
  events(name) {
    return this.messages.filter(({ type, event }) => type === "event" && event.event === name).map(({ event }) => event);
  }
}
