// <pg-puzzle-share>: shares a result as text or as a picture, without cards or settings. The name is in the picture only if the player adds it.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { session } from "../api.js";
import { COPIED_MS, share } from "../share.js";
import { words } from "../words.js";
import { finePercent } from "../study/numbers.js";
import { section } from "../study/table.js";
import { longDay } from "./days.js";
import { isBest } from "./record.js";
import { SIZE, drawPicture } from "./picture.js";

/** @typedef {{ number: number, day: string, answer: import("./record.js").Answer, streak: number }} Result streak: zero if the answer is not part of one */

/** Number of characters of a name in the picture. */
const NAME_MAX = 32;

/** Returns the text to share, without the link. @param {Result} result */
export function shareText({ number, answer, streak }) {
  const { shareText: say } = words.puzzle;
  return isBest(answer) ? say.best(number, streak) : say.cost(number, finePercent(answer.cost), streak);
}

class PuzzleShare extends Component {
  /** @type {Result | null} */
  #result = null;
  named = false;
  name = "";
  copied = false;
  fault = "";
  #drawn = "";

  get result() {
    return this.#result;
  }

  set result(result) {
    this.#result = result;
    this.update();
  }

  /** The text with the link. @param {Result} result */
  #text(result) {
    return `${shareText(result)} ${this.#link(result)}`;
  }

  /** @param {Result} result */
  #link({ day }) {
    return `${location.origin}/puzzle/${day}`;
  }

  /** @param {Result} result */
  async #shareText(result) {
    const outcome = await share({ text: shareText(result), url: this.#link(result), copied: words.puzzle.copiedSay });
    this.fault = outcome === "failed" ? words.puzzle.notCopied : "";
    this.copied = outcome === "copied";
    if (this.copied) setTimeout(() => { this.copied = false; this.update(); }, COPIED_MS);
    this.update();
  }

  /** Returns the picture as a file. @param {Result} result @returns {Promise<File | null>} */
  async #file(result) {
    const canvas = this.querySelector("canvas");
    if (!canvas) return null;
    await this.#draw(result);
    /** @type {Blob | null} */
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    return blob && new File([blob], `paigow-puzzle-${result.number}.png`, { type: "image/png" });
  }

  /** @param {Result} result */
  async #save(result) {
    const file = await this.#file(result);
    if (!file) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /** @param {Result} result */
  async #sharePicture(result) {
    this.fault = "";
    try {
      const file = await this.#file(result);
      if (file) await navigator.share({ files: [file], text: shareText(result), url: this.#link(result) });
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") this.fault = words.puzzle.picture.failed;
    }
    this.update();
  }

  updated() {
    if (this.#result) void this.#draw(this.#result);
  }

  /** Draws the picture, if its texts have changed. @param {Result} result */
  async #draw({ number, day, answer, streak }) {
    const canvas = this.querySelector("canvas");
    if (!canvas) return;
    const verdict = isBest(answer) ? words.puzzle.right : words.puzzle.picture.cost(finePercent(answer.cost));
    const text = { number, day: longDay(day), verdict, streak, name: this.named ? this.name.trim() : "" };
    const wanted = JSON.stringify(text);
    if (wanted === this.#drawn) return;
    this.#drawn = wanted;
    await drawPicture(canvas, text);
  }

  view() {
    const { puzzle: say } = words;
    const { result } = this;
    if (!result) return null;
    const canShare = typeof navigator.share === "function";
    return section("puzzle-share", say.share, null,
      h("p", { class: "small" }, say.shareWhy),
      h("p", { class: "share-text" }, this.#text(result)),
      h("div", { class: "row" }, h("button", { type: "button", class: "button primary", onclick: () => this.#shareText(result) }, this.copied ? say.copied : canShare ? say.shareButton : say.copy)),
      this.fault && h("p", { class: "fault", role: "alert" }, this.fault),
      h("canvas", { own: true, ...SIZE, role: "img", "aria-label": say.picture.says(shareText(result)) }),
      h("div", { class: "share-name" },
        h("label", { class: "share-named" }, h("input", { type: "checkbox", name: "named", ".checked": this.named, onchange: (/** @type {any} */ event) => { this.named = event.target.checked; this.name ||= session.me?.name ?? ""; this.update(); } }), say.picture.named),
        this.named && h("label", { class: "field" }, say.picture.name,
          h("input", { name: "name", maxlength: NAME_MAX, autocomplete: "nickname", ".value": this.name, oninput: (/** @type {any} */ event) => { this.name = event.target.value; this.update(); } }))),
      h("div", { class: "row" },
        canShare && navigator.canShare?.({ files: [new File([], "x.png", { type: "image/png" })] }) && h("button", { type: "button", class: "button", onclick: () => this.#sharePicture(result) }, say.picture.share),
        h("button", { type: "button", class: "button", onclick: () => this.#save(result) }, say.picture.save)));
  }
}

define("pg-puzzle-share", PuzzleShare);
