// A server process with its own store and port. It can be killed and restarted.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enrolOperator } from "./operators.js";
import { program } from "./program.js";

/** Limits whose defaults are too low for several browsers at one address. */
const LIMITS = ["requests-per-address", "requests-per-account", "health-checks-per-address", "guests-per-address", "sign-ins-per-address", "sign-ins-per-name"];

/** Returns the flags of high limits, except for those that a test sets. @param {string[]} settings */
const highLimits = (settings) => LIMITS.map((name) => `--${name}`).filter((flag) => !settings.includes(flag)).flatMap((flag) => [flag, "100000"]);

/** Serves the separate files of a page instead of the embedded page. */
const PAGE = process.env.PAIGOW_PAGE_FOLDER ? ["--page-folder", process.env.PAIGOW_PAGE_FOLDER] : [];

export class Server {
  /** Base URL of the server. */
  url = "";
  /** The enrolment of the admin `suite`. @type {Promise<import("./operators.js").EnrolledOperator> | null} */
  #admin = null;
  /** @type {import("node:child_process").ChildProcess | null} */
  #process = null;
  #folder = "";
  #log = "";
  #settings;

  /** @param {string[]} settings flags of `serve` */
  constructor(settings) {
    this.#settings = settings;
  }

  /** @param {...string} settings */
  static async start(...settings) {
    const server = new Server(settings);
    server.#folder = await mkdtemp(join(tmpdir(), "paigow-browser-"));
    process.once("exit", () => server.#process?.kill("SIGKILL"));
    await server.#run("127.0.0.1:0");
    return server;
  }

  get store() {
    return join(this.#folder, "paigow.db");
  }

  /** @param {string} listen */
  async #run(listen) {
    const child = spawn(program(), ["serve", "--listen", listen, "--store", this.store, ...highLimits(this.#settings), ...PAGE, ...this.#settings], { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    let output = "";
    child.stderr.on("data", (chunk) => { this.#log += chunk; });
    await new Promise((done, failed) => {
      child.once("error", failed);
      child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${output}${this.#log}`)));
      child.stdout.on("data", (chunk) => {
        output += chunk;
        const url = /http:\/\/[\d.]+:\d+/.exec(output);
        if (!url) return;
        this.url = url[0];
        done(undefined);
      });
    });
  }

  /** Kills the process without a graceful shutdown. */
  async kill() {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await exited;
  }

  /** Starts the server again at the same address with the same store. */
  async restart() {
    await this.#run(new URL(this.url).host);
  }

  async stop() {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Sends a request without an Origin header, as a program does. @param {string} path @param {{ body?: unknown, headers?: Record<string, string>, method?: string }} [options] */
  async ask(path, { body, headers = {}, method = body ? "POST" : "GET" } = {}) {
    const response = await fetch(this.url + path, {
      method, headers: { ...(body ? { "content-type": "application/json" } : {}), ...headers }, body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  /** Returns the operator secret, which the server has written to a file. It enrols the first admin. */
  async operatorSecret() {
    return (await readFile(join(this.#folder, "paigow.operator"), "utf8")).trim();
  }

  /** Returns the admin `suite`. The first call enrols it with the operator secret. */
  admin() {
    this.#admin ??= this.operatorSecret().then((secret) => enrolOperator(this.url, "suite", secret));
    return this.#admin;
  }

  /** Sends a request of the admin. @param {string} path @param {unknown} [body] */
  async operate(path, body) {
    const { cookie } = await this.admin();
    return this.ask(`/api/operator/${path}`, { body, headers: { cookie } });
  }

  /** Adds an operator and enrols it. @param {string} name @param {"viewer" | "floor" | "cashier" | "admin"} role */
  async addOperator(name, role) {
    const { code } = await this.operate("operators", { name, role });
    return enrolOperator(this.url, name, code);
  }

  /**
   * Opens a house table. By default it has long clocks for slow machines and no bots.
   * @param {string} table @param {{ book: string, clocks?: Partial<Record<"bank" | "wagers" | "settings" | "between", number>> } & Record<string, unknown>} rules clocks in seconds
   */
  async open(table, { clocks = {}, ...rules }) {
    const seconds = { bank: 120, wagers: 120, settings: 120, between: 20, ...clocks };
    const milliseconds = Object.fromEntries(Object.entries(seconds).map(([part, length]) => [part, length * 1000]));
    await this.operate("tables", { id: `open-${table}`, table, rules: { bots: 0, ...rules, clocks: milliseconds } });
    return table;
  }
}
