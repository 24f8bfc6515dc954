// A view whose address says what is looked at.

import { Piece } from "../piece.js";

export class Addressed extends Piece {
  #query = new URLSearchParams();

  /** What the address asks for. */
  get query() {
    return this.#query;
  }

  set query(query) {
    this.#query = query;
    this.asked();
  }

  /** What to do when the address asks for something else; it may be so before the view is in the page. */
  asked() {}
}
