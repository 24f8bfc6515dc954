// A TCP proxy in front of a server that behaves like a distant one: latency, bandwidth, and the handshake and slow start of each connection.

import { createServer, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** First congestion window of a connection: ten segments (RFC 6928). */
const FIRST_WINDOW = 10 * 1460;

export class SlowLink {
  /** Connections opened since the start. */
  connections = 0;
  /** Bytes that the server sent. */
  received = 0;
  /** Time at which the shared line has sent all accepted bytes. */
  #lineFree = 0;
  /** @type {Set<import("node:net").Socket>} */
  #sockets = new Set();

  /** @param {string} url of the server @param {{ roundTripMs: number, bytesPerMs: number }} options */
  constructor(url, { roundTripMs, bytesPerMs }) {
    this.target = new URL(url);
    this.roundTripMs = roundTripMs;
    this.bytesPerMs = bytesPerMs;
    this.proxy = createServer((client) => this.#join(client));
  }

  /** Starts a proxy and returns it. @param {string} url @param {{ roundTripMs: number, bytesPerMs: number }} options */
  static async start(url, options) {
    const link = new SlowLink(url, options);
    await new Promise((done) => link.proxy.listen(0, "127.0.0.1", () => done(undefined)));
    return link;
  }

  get url() {
    const address = /** @type {import("node:net").AddressInfo} */ (this.proxy.address());
    return `http://127.0.0.1:${address.port}`;
  }

  async stop() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.proxy.close(done));
  }

  /** @param {import("node:net").Socket} client */
  #join(client) {
    this.connections += 1;
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
      socket.on("error", () => socket.destroy());
    }
    // The proxy accepts at once; a distant server's answer to the handshake takes a round trip.
    const connected = Date.now() + this.roundTripMs;
    void this.#forward(client, server, (chunk) => ({ chunks: [chunk], at: () => Math.max(Date.now(), connected) + this.roundTripMs / 2 }));
    void this.#forward(server, client, this.#slowStart());
  }

  /**
   * Returns the schedule of a server's bytes: at most a congestion window for each round trip. The window doubles with every round trip that used it up.
   * @returns {(chunk: Buffer) => { chunks: Buffer[], at: (size: number) => number }}
   */
  #slowStart() {
    let window = FIRST_WINDOW;
    let sent = 0;
    let flightStart = 0;
    const at = (/** @type {number} */ size) => {
      const now = Date.now();
      if (now >= flightStart + this.roundTripMs) [flightStart, sent] = [now, 0];
      else if (sent + size > window) {
        [flightStart, sent] = [flightStart + this.roundTripMs, 0];
        window *= 2;
      }
      sent += size;
      this.received += size;
      this.#lineFree = Math.max(this.#lineFree, flightStart, now) + size / this.bytesPerMs;
      return this.#lineFree + this.roundTripMs / 2;
    };
    return (chunk) => ({ chunks: Array.from({ length: Math.ceil(chunk.length / 1460) }, (_, index) => chunk.subarray(index * 1460, (index + 1) * 1460)), at });
  }

  /**
   * Forwards bytes in order, each when its schedule says that it arrives.
   * @param {import("node:net").Socket} from @param {import("node:net").Socket} to
   * @param {(chunk: Buffer) => { chunks: Buffer[], at: (size: number) => number }} schedule
   */
  async #forward(from, to, schedule) {
    let last = Promise.resolve();
    from.on("data", (/** @type {Buffer} */ data) => {
      const { chunks, at } = schedule(data);
      for (const chunk of chunks) {
        const arrival = at(chunk.length);
        last = last.then(() => sleep(Math.max(0, arrival - Date.now()))).then(() => { to.write(chunk); });
      }
    });
    from.once("end", () => { last = last.then(() => { to.end(); }); });
  }
}
