// Writer and reader of house-way files. The reader accepts the keys of such files only. It returns `null` for every other text, which then stays a text.

import { activeClauses, newClause, saysOf } from "./way.js";

/** @typedef {import("./way.js").Way} Way @typedef {import("./way.js").Clause} Clause */

/** Writes a string as TOML. The escapes of JSON are those of TOML, except for U+007F. @param {string} text */
const quoted = (text) => JSON.stringify(text).replaceAll("\x7f", "\\u007f");

/** @param {string[]} notes */
const comments = (notes) => notes.map((note) => (note ? `# ${note}` : "#"));

/** @param {{ cite: string, assumed: boolean }} source */
const citeLine = ({ cite, assumed }) => `${assumed ? "assumed" : "cite"} = ${quoted(cite)}`;

/** Writes a house way. Clauses that are switched off or incomplete are left out. @param {Way} way */
export function writeToml(way) {
  const { title, source, notes, ranking } = way;
  const head = [...comments(notes), ...(notes.length ? [""] : []), `title = ${quoted(title)}`, `source = ${quoted(source)}`, "",
    ...comments(ranking.notes), "[ranking]", `joker = ${quoted(ranking.joker)}`, `wheel = ${quoted(ranking.wheel)}`, citeLine(ranking)];
  const blocks = activeClauses(way).map((clause) => ["", ...comments(clause.notes), "[[clauses]]",
    `when = ${quoted(clause.when)}`,
    `set = ${clause.set.length === 1 ? quoted(clause.set[0]) : `[${clause.set.map(quoted).join(", ")}]`}`,
    `says = ${quoted(saysOf(clause))}`,
    citeLine(clause),
    ...(clause.ifPossible ? ["if_possible = true"] : [])]);
  return [...head, ...blocks.flat(), ""].join("\n");
}

/** Why a text is not a house-way file that the reader knows. */
class Unreadable extends Error {}

/** Reads tokens of a TOML text. */
class Cursor {
  /** Comments since the last call of `takeNotes`. @type {string[]} */
  #notes = [];
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  get isAtEnd() {
    return this.#at >= this.text.length;
  }

  takeNotes() {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }

  /** Skips blanks, and with `lines` also line ends. Collects comments. @param {boolean} lines */
  skip(lines) {
    for (;;) {
      const [blank] = this.#match(lines ? /[ \t\r\n]*/y : /[ \t]*/y) ?? [""];
      const comment = this.#match(/#([^\n]*)/y);
      if (comment) this.#notes.push(comment[1].trim());
      else if (!blank) return;
    }
  }

  /** Reads a pattern, or fails. @param {RegExp} pattern sticky */
  read(pattern) {
    const found = this.#match(pattern);
    if (!found) throw new Unreadable();
    return found[0];
  }

  /** Reads a pattern if it is next. @param {RegExp} pattern sticky */
  has(pattern) {
    return this.#match(pattern) !== null;
  }

  /** @param {RegExp} pattern */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  /** Reads a value: a string, a boolean, a list of strings, or an inline table. @returns {unknown} */
  value() {
    if (this.has(/true\b/y)) return true;
    if (this.has(/false\b/y)) return false;
    if (this.has(/\[/y)) return this.#list(/\]/y, true, () => this.string());
    if (this.has(/\{/y)) return Object.fromEntries(this.#list(/\}/y, false, () => this.pair()));
    return this.string();
  }

  /** @returns {string} */
  string() {
    if (this.has(/"""|'''/y)) throw new Unreadable();
    if (this.has(/'/y)) return this.read(/[^'\n]*'/y).slice(0, -1);
    const text = this.read(/"(?:[^"\\\n]|\\.)*"/y);
    try {
      return JSON.parse(text.replaceAll("\t", "\\t"));
    } catch {
      throw new Unreadable();
    }
  }

  /** Reads a key and its value. @returns {[string, unknown]} */
  pair() {
    const key = this.read(/[A-Za-z_]+/y);
    this.skip(false);
    this.read(/=/y);
    this.skip(false);
    return [key, this.value()];
  }

  /** @template T @param {RegExp} end @param {boolean} lines @param {() => T} read @returns {T[]} */
  #list(end, lines, read) {
    /** @type {T[]} */
    const all = [];
    for (;;) {
      this.skip(lines);
      if (this.has(end)) return all;
      all.push(read());
      this.skip(lines);
      if (!this.has(/,/y)) {
        this.read(end);
        return all;
      }
    }
  }

  /** Reads the end of a line, after blanks and a comment. */
  lineEnd() {
    this.skip(false);
    if (!this.isAtEnd) this.read(/\r?\n/y);
  }
}

/** Reads a house way, or returns `null`. @param {string} text @returns {Way | null} */
export function readToml(text) {
  try {
    return readWay(new Cursor(text));
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** @param {Cursor} cursor @returns {Way} */
function readWay(cursor) {
  /** @typedef {{ values: Record<string, unknown>, notes: string[] }} Table */
  /** @type {Table} */
  const root = { values: {}, notes: [] };
  /** @type {Table | null} */
  let ranking = null;
  /** @type {Table[]} */
  const clauses = [];
  let table = root;
  cursor.skip(true);
  while (!cursor.isAtEnd) {
    if (cursor.has(/\[\[[ \t]*clauses[ \t]*\]\]/y)) {
      table = { values: {}, notes: cursor.takeNotes() };
      clauses.push(table);
    } else if (cursor.has(/\[[ \t]*ranking[ \t]*\]/y)) {
      if (ranking) throw new Unreadable();
      table = ranking = { values: {}, notes: cursor.takeNotes() };
    } else {
      const [key, value] = cursor.pair();
      if (key in table.values) throw new Unreadable();
      table.values[key] = value;
      // Comments inside a table are written before it.
      table.notes.push(...cursor.takeNotes());
    }
    cursor.lineEnd();
    table.notes.push(...cursor.takeNotes());
    cursor.skip(true);
  }
  clauses.at(-1)?.notes.push(...cursor.takeNotes());
  const { title, source, ranking: inline, ...others } = root.values;
  if (Object.keys(others).length > 0 || (inline !== undefined && ranking)) throw new Unreadable();
  const rank = ranking ?? { values: /** @type {any} */ (inline ?? {}), notes: [] };
  const { joker, wheel, ...rankSource } = rank.values;
  return {
    title: text(title), source: text(source), notes: root.notes,
    ranking: { joker: text(joker), wheel: text(wheel), ...sourceOf(rankSource), notes: rank.notes },
    clauses: clauses.map(readClause),
  };
}

/** @param {{ values: Record<string, unknown>, notes: string[] }} table @returns {Clause} */
function readClause({ values, notes }) {
  const { when, set, says, if_possible: ifPossible = false, ...source } = values;
  if (typeof ifPossible !== "boolean") throw new Unreadable();
  return newClause({ when: text(when), set: Array.isArray(set) ? set.map(text) : [text(set)], says: text(says), ...sourceOf(source), ifPossible, notes });
}

/** Returns a string. A missing one is empty; the server reports it. @param {unknown} [value] */
function text(value = "") {
  if (typeof value !== "string") throw new Unreadable();
  return value;
}

/** Reads `cite` or `assumed`, and fails for every other key. @param {Record<string, unknown>} values */
function sourceOf(values) {
  const [[key, value], ...others] = Object.entries(values).length ? Object.entries(values) : [["cite", ""]];
  if (others.length > 0 || (key !== "cite" && key !== "assumed")) throw new Unreadable();
  return { cite: text(value), assumed: key === "assumed" };
}

/**
 * Returns the place of a line in a text: the index of its clause and the key whose value it belongs to.
 * @param {string} toml @param {number} line from 1 @returns {{ clause: number | null, field: string | null }}
 */
export function placeOf(toml, line) {
  let clause = -1;
  /** @type {string | null} */
  let field = null;
  for (const one of toml.split("\n").slice(0, line)) {
    if (/^\s*\[\[\s*clauses\s*\]\]/.test(one)) [clause, field] = [clause + 1, null];
    else field = /^\s*([a-z_]+)\s*=/.exec(one)?.[1] ?? field;
  }
  return { clause: clause < 0 ? null : clause, field };
}
