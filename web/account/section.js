// Base class of the parts of the account page: they send requests, show refusals at their fields, and ask for a new sign-in where the server requires one.

import { h } from "../dom.js";
import { Component } from "../component.js";
import { announce } from "../announce.js";
import { ApiError } from "../api.js";
import { fieldFault } from "./faults.js";
import { signInAgain } from "./sign-in-again.js";
import { words } from "../words.js";

/**
 * @typedef {import("../protocol").Account} Account
 * @typedef {import("./faults.js").FieldFault} FieldFault
 */

/** Thrown if the person does not sign in again. */
const CANCELLED = new Error("cancelled");

const NO_FAULT = /** @type {FieldFault} */ ({ field: "", text: "" });

export class AccountSection extends Component {
  /** @type {Account | null} */
  #account = null;
  /** Called with a newer state of the account. @type {(account: Account) => void} */
  changed = () => {};
  busy = false;
  /** @type {FieldFault} */
  fault = NO_FAULT;
  /** Message about the last request that succeeded. */
  done = "";

  get account() {
    return this.#account;
  }

  set account(account) {
    this.#account = account;
    this.update();
  }

  /**
   * Runs a request and returns whether it succeeded. After `sign_in_again`, asks the person to sign in and repeats the request. Has no effect while another one is pending.
   * @param {() => Promise<string | void>} request returns the message to show and announce
   * @param {(error: ApiError) => FieldFault | null} [explain] fault of a refusal that the form explains itself
   */
  async attempt(request, explain = () => null) {
    if (this.busy) return false;
    this.busy = true;
    this.fault = NO_FAULT;
    this.done = "";
    this.update();
    let succeeded = false;
    try {
      this.done = await this.#repeated(request) ?? "";
      succeeded = true;
    } catch (error) {
      if (error === CANCELLED) this.done = words.account.again.cancelled;
      else this.fault = (error instanceof ApiError && explain(error)) || fieldFault(error);
      if (this.fault.field) this.#focus = `[name="${this.fault.field}"]`;
    }
    announce(this.done);
    this.busy = false;
    this.update();
    return succeeded;
  }

  /** Selector of the field that gets the focus after the next render. */
  #focus = "";

  /** @param {() => Promise<string | void>} request */
  async #repeated(request) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "sign_in_again" && this.#account)) throw error;
      if (!await signInAgain(this.#account)) throw CANCELLED;
      return request();
    }
  }

  /** Refuses a form before a request. @param {FieldFault} fault */
  refuse(fault) {
    this.fault = fault;
    this.done = "";
    this.#focus = fault.field ? `[name="${fault.field}"]` : "";
    this.update();
  }

  updated() {
    if (!this.#focus) return;
    /** @type {HTMLElement | null} */ (this.querySelector(this.#focus))?.focus();
    this.#focus = "";
  }

  /**
   * A text field with its explanation and its fault.
   * @param {string} name @param {string} label @param {{ why?: string, [attribute: string]: any }} props attributes of the input
   */
  field(name, label, { why, ...props }) {
    const fault = this.fault.field === name ? this.fault.text : "";
    const id = `${this.localName}-${name}`;
    const described = [why && `${id}-why`, fault && `${id}-fault`].filter(Boolean).join(" ");
    return h("div", { class: "account-field", key: name },
      h("label", { class: "field", for: id }, label),
      h("input", { name, id, ...props, "aria-invalid": fault ? "true" : null, "aria-describedby": described || null }),
      fault && h("p", { class: "fault", id: `${id}-fault`, role: "alert" }, fault),
      why && h("p", { class: "small", id: `${id}-why` }, why));
  }

  /** The fault that belongs to no field, and the message about the last request. */
  outcome() {
    return [
      !this.fault.field && this.fault.text && h("p", { class: "fault", role: "alert", key: "fault" }, this.fault.text),
      this.done && h("p", { class: "good", key: "done" }, this.done),
    ];
  }

  /** A panel with a title. @param {string} id @param {string} title @param {...import("../dom.js").Child} children */
  panel(id, title, ...children) {
    return h("section", { class: "panel stack account-part", id: `account-${id}`, "aria-labelledby": `account-${id}-title` }, h("h2", { id: `account-${id}-title` }, title), children);
  }
}

/** Returns a listener for `submit` that runs an action. @param {(form: HTMLFormElement) => void} act */
export const onSubmit = (act) => (/** @type {any} */ event) => {
  event.preventDefault();
  act(event.currentTarget);
};

/** Returns the text of a field of a form. @param {HTMLFormElement} form @param {string} name */
export const valueOf = (form, name) => String(new FormData(form).get(name) ?? "");
