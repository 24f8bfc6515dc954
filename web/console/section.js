// Base class of the console's sections: requests with their refusals and results, and the parts that all sections share.

import { h } from "../dom.js";
import { sentence } from "../account/faults.js";
import { announce } from "../announce.js";
import { errorText } from "../fault.js";
import { ApiError } from "../api.js";
import { words } from "../words.js";
import { faultNote, waiting } from "../study/notes.js";
import { QueryComponent } from "../study/query-component.js";
import { operator } from "./session.js";

/** @typedef {import("../dom.js").Child} Child */

export class ConsoleSection extends QueryComponent {
  /** @type {Record<string, string | undefined>} */
  params = {};
  /** Refusal of the last act. */
  refused = "";
  /** Result of the last act, and the approval that it waits for. */
  result = "";
  /** @type {import("./types.js").Approval | null} */
  approval = null;
  /** Whether an act is under way. */
  busy = false;
  /** Error of the last load. */
  fault = "";
  loaded = false;
  #loads = 0;

  begin() {
    this.reload();
  }

  /** Loads the data of the section. @returns {Promise<void>} */
  async load() {}

  /** Loads and renders. A load that started before another one is not shown. */
  async reload() {
    const load = ++this.#loads;
    try {
      await this.load();
      if (load === this.#loads) this.fault = "";
      this.loaded = true;
    } catch (error) {
      if (this.signal.aborted || load !== this.#loads) return;
      this.fault = errorText(error);
    }
    this.update();
  }

  /** Loads another page and renders. @param {() => Promise<void>} page */
  async loadMore(page) {
    try {
      await page();
      this.fault = "";
    } catch (error) {
      if (this.signal.aborted) return;
      this.fault = errorText(error);
    }
    this.update();
  }

  /** Reloads at an interval while the page is visible. One request is under way at a time. @param {number} ms */
  poll(ms) {
    let loading = false;
    this.every(ms, async () => {
      if (document.visibilityState !== "visible" || loading) return;
      loading = true;
      await this.reload();
      loading = false;
    });
  }

  /** Sends a request of the operator. It is aborted when the section is left. @param {string} path @param {{ method?: string, body?: unknown }} [options] */
  ask(path, options) {
    return operator.ask(path, options?.body === undefined && !options?.method ? { ...options, signal: this.signal } : options);
  }

  /**
   * Runs an act, shows and announces its result or refusal, and reloads. Only one act is under way at a time.
   * @template T @param {() => Promise<T>} act @param {(answer: T) => string} done returns the result as text
   * @returns {Promise<boolean>} whether it succeeded
   */
  async attempt(act, done) {
    if (this.busy) return false;
    this.busy = true;
    this.refused = this.result = "";
    this.approval = null;
    this.update();
    let succeeded = false;
    try {
      const answer = /** @type {any} */ (await act());
      this.approval = answer?.approval ?? null;
      this.result = this.approval ? words.console.approvals.made(time(this.approval.until)) : done(answer);
      announce(this.result);
      if (this.approval) operator.countWaiting().catch(() => {});
      succeeded = true;
    } catch (error) {
      this.refused = refusal(error);
    }
    this.busy = false;
    await this.reload();
    return succeeded;
  }

  /** The result or refusal of the last act. */
  outcome() {
    return [
      this.refused !== "" && h("p", { key: "refused", class: "fault panel", role: "alert" }, this.refused),
      this.result !== "" && h("p", { key: "result", class: "console-result panel" }, h("span", { class: "good" }, "✓ "), this.result,
        this.approval && [" ", h("a", { href: "/console/approvals" }, words.console.approvals.toList)]),
    ];
  }

  /** The error of the last load, or a note while the first load is under way. */
  loading() {
    return [this.fault !== "" && faultNote(this.fault, () => this.reload()), !this.loaded && this.fault === "" && h("div", { key: "loading" }, waiting(words.app.loading))];
  }
}

/** Returns the message of a refused act: the server's own sentence, which names amounts and limits. @param {unknown} error */
export function refusal(error) {
  if (!(error instanceof ApiError) || error.code === "offline" || !error.message) return errorText(error);
  if (error.code === "too_many_tries") return words.account.signIn.tooMany(error.retrySeconds);
  return error.faults.length > 0 ? error.faults.map(({ message }) => sentence(message)).join(" ") : sentence(error.message);
}

/** Formats a time in UTC: `2026-11-18 03:38:13`. @param {number} ms */
export const time = (ms) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

/** A time as an element. @param {number | null | undefined} ms */
export const timeTag = (ms) => (ms === null || ms === undefined ? words.console.none : h("time", { class: "amount", datetime: new Date(ms).toISOString() }, time(ms)));

/** A field with a label. @param {string} label @param {import("../dom.js").Props} props of the input @param {string} [why] */
export const field = (label, props, why) => h("label", { class: "field", key: props.name }, label, h("input", { autocomplete: "off", ...props }), why !== undefined && h("small", null, why));

/** A select with a label. @param {string} label @param {import("../dom.js").Props} props @param {[string, string][]} options */
export const choice = (label, props, options) => h("label", { class: "field", key: props.name }, label,
  h("select", props, options.map(([value, title]) => h("option", { value, key: value || "all" }, title))));

/** A wide table that scrolls on its own. @param {string} label @param {Child} content */
export const scrolling = (label, content) => h("div", { class: "console-scroll", tabindex: 0, role: "group", "aria-label": label, key: label }, content);

/** Calls an action instead of submitting a form. @param {() => unknown} action */
export const submits = (action) => (/** @type {Event} */ event) => { event.preventDefault(); action(); };

/** Returns a listener that passes on the value of a field. @param {(value: string) => void} change */
export const typed = (change) => (/** @type {any} */ event) => change(event.target.value);
