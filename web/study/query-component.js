// Base class of views that keep their state in the query of the address.

import { Component } from "../component.js";

export class QueryComponent extends Component {
  #query = new URLSearchParams();

  /** Query of the address. */
  get query() {
    return this.#query;
  }

  set query(query) {
    this.#query = query;
    this.queryChanged();
  }

  /** Called when the query changes, possibly before the element is connected. */
  queryChanged() {}
}
