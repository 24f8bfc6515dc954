// Ids of commands. A retry of the same request has the same id, so that the server executes it at most once.

import { newId } from "../api.js";

export class CommandIds {
  /** @type {Map<string, string>} */
  #ids = new Map();
  #create;

  /** @param {() => string} [create] */
  constructor(create = newId) {
    this.#create = create;
  }

  /** Returns the id of a request: a new one, or that of an equal request that has not succeeded. @param {unknown} request */
  idFor(request) {
    const key = JSON.stringify(request);
    const id = this.#ids.get(key) ?? this.#create();
    this.#ids.set(key, id);
    return id;
  }

  /** Forgets the id of a request that has succeeded. An equal request is then a new command. @param {unknown} request */
  done(request) {
    this.#ids.delete(JSON.stringify(request));
  }
}
