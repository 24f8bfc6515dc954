// <pg-designer>: an editor of house ways, with proof, exact edge and cost after each edit.

import "../shell/confirm.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { ApiError, ask, bankerTerm, books, houseWayText, houseWays, rules, strategyCards } from "../api.js";
import { announce } from "../announce.js";
import { share } from "../share.js";
import { words } from "../words.js";
import { playWithHouseWay } from "../lobby/own-table.js";
import { Budget, budgetPart } from "../designer/budget.js";
import { chooser } from "../designer/choose.js";
import { deleteDraft, drafts, newDraftId, storeDraft } from "../designer/drafts.js";
import { clauseEditor, textEditor } from "../designer/editor.js";
import { LatestQuestion, PRESS_DELAY_MS } from "../designer/latest.js";
import { TEXT_MAX, decodeText, encodeText } from "../designer/link.js";
import { playPart } from "../designer/play.js";
import { changedHands, costliest, failingHands, preparation, sideBySide, summaryText, tiles } from "../designer/results.js";
import { placeOf, readToml, writeToml } from "../designer/toml.js";
import { activeClauses, changeClause, copyOf, emptyWay, insertAfter, mergeRead, moveClause, newClause, removeClause, switchOff, toggleClause } from "../designer/way.js";
import { addressOf, replaceQuery } from "../study/address.js";
import { save } from "../study/csv.js";
import { OpenSections, fold } from "../study/fold.js";
import { faultNote, waiting } from "../study/notes.js";
import { QueryComponent } from "../study/query-component.js";
import { exactButton } from "../study/table.js";

/**
 * @typedef {import("../designer/way.js").Way} Way
 * @typedef {import("../designer/drafts.js").Version} Version
 * @typedef {import("../designer/editor.js").TextFault} TextFault
 * @typedef {import("../protocol").DesignAnswer} DesignAnswer
 * @typedef {import("../protocol").DesignQuestion} DesignQuestion
 */

/** Width from which the lists of hands are open at first. */
const WIDE = "(min-width: 1100px)";
const BUDGET_SECTION = "design-budget";

class Designer extends QueryComponent {
  /** @type {import("../protocol").BookSummary[]} */
  books = [];
  /** @type {import("../protocol").HouseWayEntry[]} */
  ways = [];
  /** The strategy cards. @type {import("../protocol").CardEntry[]} */
  cards = [];
  book = "";
  side = "dealer";
  /** The book's term for the banker. */
  term = "banker";
  /** House way of the other side; empty for that of the book. */
  against = "";
  /** `null` if the text is not a list of clauses. @type {Way | null} */
  way = null;
  text = "";
  /** Whether a house way is in the editor. */
  loaded = false;
  /** Id of the draft; empty before the first edit. */
  draft = "";
  stored = true;
  /** The version to compare with; `null` if it was not correct, until a version is. @type {Version | null} */
  baseline = null;
  /** The version at the start, and the pinned one. @type {Version[]} */
  versions = [];
  mode = /** @type {"clauses" | "text"} */ ("clauses");
  /** @type {DesignAnswer | null} */
  answer = null;
  /** The clauses of the answer. @type {import("../designer/way.js").Clause[]} */
  answered = [];
  /** Faults of the current text. @type {TextFault[]} */
  faults = [];
  summary = "";
  fault = "";
  /** Link that could not be copied. */
  link = "";
  busy = false;
  seconds = 0;
  /** Progress of the table of worths that the server prepares. @type {import("../protocol").PreparationProgress | null} */
  preparing = null;
  /** Whether a practice table is being opened. */
  opening = false;
  exact = false;
  budget = new Budget(() => this.update());
  sections = new OpenSections(...(matchMedia(WIDE).matches ? ["design-changed", "design-costliest"] : []));
  /** @type {{ way: Way | null, text: string, tag: string }[]} */
  #undo = [];
  /** @type {{ way: Way | null, text: string, tag: string }[]} */
  #redo = [];
  /** Selector of the element that gets the focus after the next render. */
  #focus = "";
  /** Number of the last opened house way. */
  #opened = 0;
  /** @type {LatestQuestion<DesignQuestion, DesignAnswer>} */
  #latest = new LatestQuestion((question, signal) => ask("/api/design", { body: question, signal }), {
    answered: (answer, question) => this.#answered(answer, question), failed: (error, question) => this.#failed(error, question),
    preparing: (progress) => { this.preparing = progress; this.update(); } });

  queryChanged() {
    if (this.isConnected && this.books.length) this.#openAddress();
  }

  begin() {
    this.every(1000, () => { if (this.busy) { this.seconds += 1; this.update(); } });
    this.on(window, "hashchange", () => this.#openAddress());
    this.signal.addEventListener("abort", () => { this.#latest.end(); this.budget.end(); });
    this.#load();
  }

  async #load() {
    this.fault = "";
    try {
      [this.books, this.ways, this.cards] = await Promise.all([books(), houseWays(), strategyCards()]);
    } catch (error) {
      this.fault = errorText(error);
      this.update();
      return;
    }
    await this.#openAddress();
  }

  /** Opens the house way of the address, or shows why it could not be loaded. */
  async #openAddress() {
    try {
      await this.#open();
    } catch (error) {
      this.fault = errorText(error);
      this.update();
    }
  }

  /** Loads the book's term for the banker. */
  async #loadTerm() {
    const { book } = this;
    const term = bankerTerm(await rules(book));
    if (book === this.book) this.term = term;
  }

  /** Opens the house way of the address: a link, a draft, a house way of the program, or that of the book. */
  async #open() {
    const visit = ++this.#opened;
    const query = new URLSearchParams(location.search);
    const draft = drafts().find(({ id }) => id === query.get("draft"));
    const known = (/** @type {{ id: string }[]} */ all, /** @type {string | null | undefined} */ id) => (all.some((one) => one.id === id) ? String(id) : "");
    this.book = known(this.books, query.get("book") ?? draft?.book) || this.books[0].id;
    this.side = this.#sideOf(query.get("side") ?? draft?.side);
    this.against = known(this.ways, query.get("against") ?? draft?.against);
    this.fault = "";
    await this.#loadTerm();
    if (visit !== this.#opened) return;
    const code = /^#way=(.+)$/.exec(location.hash)?.[1];
    if (code) {
      const text = await decodeText(code);
      if (visit !== this.#opened) return;
      if (text !== null) return this.#show({ text });
      this.fault = words.designer.badLink;
    }
    if (draft) return this.#show(draft);
    if (query.get("way") === "empty") return this.#show({ way: emptyWay(this.#book.ranking) });
    const ofTable = /^table:.+$/.test(query.get("way") ?? "") && query.get("way");
    const way = await houseWayText(ofTable || known([...this.ways, ...this.cards], query.get("way")) || this.#book.house_way);
    if (visit === this.#opened) this.#show(ofTable ? { text: way.toml } : { way: copyOf(way) });
  }

  /** Returns a side if the book has it, else the side that the house is on. @param {string | null | undefined} side */
  #sideOf(side) {
    const { sides } = this.#book;
    return sides.find((one) => one === side) ?? sides.find((one) => one === "dealer") ?? "banker";
  }

  /** Shows a house way in the editor. @param {{ way?: Way | null, text?: string, id?: string, before?: Version | null, versions?: Version[], budget?: string }} some */
  #show({ way, text, id = "", before = null, versions = [], budget = this.budget.text }) {
    this.text = text ?? (way ? writeToml(way) : "");
    // Stored clauses get new keys: those of an earlier visit may be in use.
    this.way = Array.isArray(way?.clauses) ? { ...way, clauses: way.clauses.map((clause) => newClause(clause)) } : readToml(this.text);
    if (!this.way) this.mode = "text";
    this.#lastWay = null;
    this.loaded = true;
    this.draft = id;
    this.versions = versions.length ? versions : [{ text: this.text, label: words.designer.compareStart }];
    this.baseline = before ?? this.versions[0];
    this.busy = false;
    this.preparing = null;
    this.answer = null;
    this.answered = [];
    this.budget.end();
    this.faults = [];
    this.summary = this.link = "";
    this.budget.text = budget;
    if (this.budget.fraction) this.sections.set(BUDGET_SECTION, true);
    this.#undo = [];
    this.#redo = [];
    this.#ask(0);
  }

  /** The chosen book. Only valid after the books are loaded. */
  get #book() {
    return /** @type {import("../protocol").BookSummary} */ (this.books.find(({ id }) => id === this.book));
  }

  get #query() {
    return { book: this.book, side: this.side === this.#sideOf("") ? "" : this.side, against: this.against };
  }

  /** The question about the current text. @returns {DesignQuestion} */
  get #question() {
    const before = this.baseline && this.baseline.text !== this.text ? this.baseline.text : undefined;
    return { book: this.book, side: this.side, against: this.against || undefined, toml: this.text, before };
  }

  /** @param {number} [delay] in milliseconds */
  #ask(delay) {
    this.fault = "";
    // An edit while the server prepares the table does not start the wait again.
    if (!this.busy) this.seconds = 0;
    this.busy = true;
    this.#latest.ask(this.#question, delay);
    this.update();
  }

  /** Asks which clauses can be removed within the budget, if its section is open. @param {number} [delay] in milliseconds */
  #askBudget(delay) {
    if (!this.sections.isOpen(BUDGET_SECTION) || this.busy || !this.answer?.price || this.faults.length > 0) return;
    this.budget.ask(this.#question, this.answered.map(({ key }) => key), delay);
  }

  /** @param {DesignAnswer} answer @param {DesignQuestion} question */
  #answered(answer, question) {
    this.busy = false;
    this.preparing = null;
    this.answer = answer;
    this.answered = this.way ? activeClauses(this.way) : [];
    this.faults = [];
    // If the version at the start was not correct, edits are compared with the first correct one.
    if (!this.versions.length) this.versions = [{ text: question.toml, label: words.designer.compareStart }];
    this.baseline ??= this.versions[0];
    this.#summarize();
    this.#askBudget(0);
    this.update();
  }

  /** Writes the summary of the answer. */
  #summarize() {
    const shown = this.#shown;
    if (!shown || this.faults.length > 0) return;
    const over = shown.compared && this.budget.isExceededBy(shown.compared.edge_change) ? this.budget.shown : undefined;
    this.summary = summaryText(shown, { version: this.baseline?.label ?? words.designer.compareStart, term: this.term, over });
  }

  /** @param {unknown} error @param {DesignQuestion} question */
  #failed(error, question) {
    this.busy = false;
    this.preparing = null;
    const faults = error instanceof ApiError ? error.faults : [];
    const placed = faults.flatMap(({ at, message }) => {
      const [, line] = /^toml(?::(\d+))?/.exec(at ?? "") ?? [];
      return at?.startsWith("toml") ? [{ line: Number(line ?? 0), message, ...placeOf(question.toml, Number(line ?? 0)) }] : [];
    });
    this.faults = placed;
    // Its answer is that of an earlier text.
    this.budget.end();
    if (!placed.length && faults.some(({ at }) => at?.startsWith("before"))) {
      this.versions = [];
      this.baseline = null;
      return this.#ask(0);
    }
    if (placed.length) this.summary = words.designer.summary.errors(placed.length);
    else this.fault = errorText(error);
    this.update();
  }

  /** Applies an edit. Edits with the same tag are undone together. @param {{ way: Way | null, text?: string }} edit @param {string} tag */
  #edit({ way, text }, tag) {
    const last = this.#undo.at(-1);
    if (!tag || last?.tag !== tag) this.#undo.push({ way: this.way, text: this.text, tag });
    this.#redo = [];
    this.#set(way, text ?? (way ? writeToml(way) : this.text), tag ? undefined : PRESS_DELAY_MS);
  }

  /** @param {Way | null} way @param {string} text @param {number} [delay] */
  #set(way, text, delay) {
    const changed = text !== this.text;
    this.way = way;
    this.text = text;
    this.link = "";
    this.#store();
    if (changed) this.#ask(delay);
    else this.update();
  }

  /** @param {"undo" | "redo"} kind */
  #restore(kind) {
    const [from, to] = kind === "undo" ? [this.#undo, this.#redo] : [this.#redo, this.#undo];
    const state = from.pop();
    if (!state) return;
    to.push({ way: this.way, text: this.text, tag: "" });
    this.#set(state.way, state.text, PRESS_DELAY_MS);
  }

  /** Stores the draft, and puts it into the address. */
  #store() {
    this.draft ||= newDraftId();
    const { text, way, book, side, against, baseline: before, versions } = this;
    this.stored = storeDraft({ id: this.draft, changed: Date.now(), text, way, book, side, against, before, versions, budget: this.budget.text });
    replaceQuery("/designer", { draft: this.draft, ...this.#query });
  }

  /** Chooses the book, the side or the opponent. @param {Partial<{ book: string, side: string, against: string }>} some */
  #choose(some) {
    Object.assign(this, some);
    this.side = this.#sideOf(this.side);
    this.#loadTerm().then(() => this.update(), () => {});
    this.answer = null;
    this.summary = "";
    this.busy = false;
    this.preparing = null;
    this.budget.end();
    if (this.draft) this.#store();
    else history.replaceState(history.state, "", addressOf("/designer", { way: new URLSearchParams(location.search).get("way"), ...this.#query }) + location.hash);
    this.#ask(0);
  }

  /** Starts from a house way or a card of the program, or from an empty one. A card is for its own book and side. @param {string} id */
  async #start(id) {
    const card = this.cards.find((one) => one.id === id);
    history.pushState(null, "", addressOf("/designer", { way: id, ...this.#query, ...(card ? { book: card.book, side: card.side, against: "" } : {}) }));
    try {
      await this.#open();
    } catch (error) {
      this.fault = errorText(error);
      this.update();
    }
  }

  /** @param {string} id */
  #openDraft(id) {
    history.pushState(null, "", addressOf("/designer", { draft: id }));
    this.#openAddress();
  }

  /** @param {string} id */
  #deleteDraft(id) {
    deleteDraft(id);
    if (id === this.draft) {
      this.draft = "";
      replaceQuery("/designer", this.#query);
    }
    this.update();
  }

  /** @param {File} file */
  async #openFile(file) {
    if (file.size > TEXT_MAX) {
      this.fault = words.designer.tooLong;
      this.update();
      return;
    }
    const text = await file.text();
    this.#opened += 1;
    this.#show({ text });
    this.#store();
  }

  #download() {
    const name = (this.way?.title ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "house-way";
    save(`${name}.toml`, this.text, "application/toml");
  }

  async #share() {
    const url = `${location.origin}${addressOf("/designer", this.#query)}#way=${await encodeText(this.text)}`;
    this.link = await share({ url }) === "failed" ? url : "";
    this.update();
  }

  /** Plays at a practice table whose dealer sets by the house way in the editor. */
  async #play() {
    this.opening = true;
    this.fault = "";
    this.update();
    try {
      await playWithHouseWay(this.#book, this.text);
    } catch (error) {
      this.fault = errorText(error);
    }
    this.opening = false;
    this.update();
  }

  /** Changes the budget. @param {string} text */
  #changeBudget(text) {
    this.budget.text = text;
    if (this.draft) this.#store();
    this.#summarize();
    if (this.budget.fraction === null) this.budget.end();
    else this.#askBudget();
    this.update();
  }

  /** Switches off the clauses of a budget's steps. @param {string[]} keys */
  #apply(keys) {
    if (!this.way) return;
    this.#edit({ way: switchOff(this.way, keys) }, "");
    announce(words.designer.budget.applied(keys.length));
  }

  /** Compares with another version. @param {string} choice `pin`, the label of a version, or the id of a house way */
  async #compare(choice) {
    const { designer: say } = words;
    try {
      if (choice === "pin") {
        const pinned = { text: this.text, label: say.comparePinned };
        this.versions = [...this.versions.slice(0, 1), pinned];
        this.baseline = pinned;
        announce(say.pinned);
      } else {
        this.baseline = this.versions.find(({ label }) => label === choice)
          ?? { text: writeToml(copyOf(await houseWayText(choice))), label: this.ways.find(({ id }) => id === choice)?.title ?? choice };
      }
    } catch (error) {
      this.fault = errorText(error);
      return this.update();
    }
    if (this.draft) this.#store();
    this.#ask(0);
  }

  /** @type {import("../designer/editor.js").Actions} */
  #actions = {
    change: (key, field, some) => { if (this.way) this.#edit({ way: changeClause(this.way, key, some) }, `${key} ${field}`); },
    move: (key, by) => {
      const moved = this.way && moveClause(this.way, key, by);
      if (!moved || moved === this.way) return;
      // A moved row loses the focus.
      const active = document.activeElement?.closest("[data-act], [data-field]");
      const place = moved.clauses.findIndex((clause) => clause.key === key);
      const act = active?.getAttribute("data-act");
      const end = act === "up" && place === 0 ? "down" : act === "down" && place === moved.clauses.length - 1 ? "up" : act;
      this.#focus = `[data-clause="${key}"] ${end ? `[data-act="${end}"]` : `[data-field="${active?.getAttribute("data-field") ?? "when"}"]`}`;
      this.#edit({ way: moved }, "");
      announce(words.designer.moved(place + 1));
    },
    toggle: (key) => { if (this.way) this.#edit({ way: toggleClause(this.way, key) }, ""); },
    insert: (key) => {
      if (!this.way) return;
      const clause = newClause();
      this.#focus = `[data-clause="${clause.key}"] [data-field="when"]`;
      this.#edit({ way: insertAfter(this.way, key, clause) }, "");
    },
    remove: (key) => {
      if (!this.way) return;
      const place = this.way.clauses.findIndex((clause) => clause.key === key);
      const next = this.way.clauses[place + 1] ?? this.way.clauses[place - 1];
      this.#focus = `[data-clause="${next?.key}"] [data-act="remove"]`;
      this.#edit({ way: removeClause(this.way, key) }, "");
    },
    head: (some, field) => { if (this.way) this.#edit({ way: { ...this.way, ...some } }, field); },
    text: (text) => {
      const read = readToml(text);
      // An unreadable text keeps the last clauses, so that those that are switched off are not lost.
      if (this.way) this.#lastWay = this.way;
      this.#edit({ way: read && mergeRead(read, this.#lastWay), text }, "text");
    },
  };

  /** The last way that could be read. @type {Way | null} */
  #lastWay = null;

  updated() {
    if (!this.#focus) return;
    /** @type {HTMLElement | null} */ (this.querySelector(this.#focus))?.focus();
    this.#focus = "";
  }

  view() {
    const { designer: say } = words;
    const head = h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead));
    if (!this.loaded) return h("div", { class: "page designer" }, head, faultNote(this.fault, () => this.#load()), !this.fault && waiting(say.loading));
    return h("div", { class: "page designer" }, head,
      chooser(this, { book: this.#book, drafts: drafts() }, {
        choose: (some) => this.#choose(some), start: (id) => this.#start(id), openFile: (file) => this.#openFile(file), download: () => this.#download(), share: () => this.#share(),
        openDraft: (id) => this.#openDraft(id), deleteDraft: (id) => this.#deleteDraft(id) }),
      faultNote(this.fault, () => this.#ask(0)),
      h("div", { class: "design-bar", key: "bar" },
        h("p", { class: ["design-summary", this.busy && "stale"], role: "status" }, this.summary),
        h("div", { class: "row" },
          h("button", { type: "button", class: "button slim", disabled: this.#undo.length === 0, onclick: () => this.#restore("undo") }, say.undo),
          h("button", { type: "button", class: "button slim", disabled: this.#redo.length === 0, onclick: () => this.#restore("redo") }, say.redo))),
      this.#two(),
      h("div", { class: "design-columns", key: "columns" }, this.#results(), this.#editor()));
  }

  /** The answer without the comparison if the text is the version to compare with. */
  get #shown() {
    return this.answer && this.baseline?.text === this.text ? { ...this.answer, compared: undefined } : this.answer;
  }

  /** A section that can be collapsed. @param {import("../study/fold.js").Part | null} part */
  #fold(part) {
    return part && h("div", { key: part.id, class: { stale: this.busy && part.id !== BUDGET_SECTION } },
      fold(part, this.sections.isOpen(part.id), (open) => {
        if (!this.sections.set(part.id, open)) return;
        if (part.id === BUDGET_SECTION && open) this.#askBudget(0);
        this.update();
      }));
  }

  /** The two versions side by side. */
  #two() {
    const shown = this.#shown;
    return shown && this.baseline && this.#fold(sideBySide(shown, { version: this.baseline.label, term: this.term, before: readToml(this.baseline.text), now: this.answered }));
  }

  #results() {
    const { designer: say } = words;
    const { answer, baseline: before } = this;
    const { ranking } = this.#book;
    const version = before?.label ?? say.compareStart;
    const compared = this.versions.some(({ label }) => label === version) ? version : this.ways.find(({ title }) => title === version)?.id ?? "";
    const isSame = before?.text === this.text;
    const shown = this.#shown;
    const budget = this.budget.fraction !== null && shown?.compared ? { text: this.budget.shown, isExceeded: this.budget.isExceededBy(shown.compared.edge_change) } : null;
    return h("section", { class: "design-results stack", key: "results", "aria-labelledby": "design-results-title" },
      h("div", { class: "panel study" },
        h("div", { class: "study-head" }, h("h2", { id: "design-results-title" }, say.results), shown && exactButton(this.exact, () => { this.exact = !this.exact; this.update(); })),
        this.busy && this.preparing ? preparation(this.preparing) : this.busy && (!answer || this.seconds > 0) && waiting(`${say.computing} ${this.seconds > 0 ? say.waited(this.seconds) : ""}`),
        !answer && !this.busy && !this.fault && h("p", null, say.notAnswered),
        shown && !shown.price && h("p", { class: "small", key: "counted" }, say.counted),
        shown && h("div", { class: { stack: true, stale: this.busy } }, tiles(shown, { version, term: this.term, exact: this.exact, budget }), failingHands(shown)),
        answer && playPart({ isFaulty: this.faults.length > 0 || answer.faults.length > 0, isBusy: this.busy, isOpening: this.opening, dealerBanks: this.#book.sides.includes("dealer") }, () => this.#play()),
        h("div", { class: "row design-compare" },
          h("label", { class: "field" }, say.compare, h("select", { name: "compare", ".value": compared, onchange: (/** @type {any} */ event) => this.#compare(event.target.value) },
            this.versions.map(({ label }) => h("option", { value: label, key: label }, label)), this.ways.map(({ id, title }) => h("option", { value: id, key: id }, title)))),
          h("button", { type: "button", class: "button slim", disabled: isSame || this.faults.length > 0 || this.busy, onclick: () => this.#compare("pin") }, say.pin))),
      shown?.price && this.#fold(budgetPart(this.budget, { version, readable: this.way !== null, stale: this.busy || this.faults.length > 0 },
        { change: (text) => this.#changeBudget(text), apply: (keys) => this.#apply(keys) })),
      shown && [this.#fold(changedHands(shown, ranking)), this.#fold(costliest(shown, ranking))]);
  }

  #editor() {
    const { designer: say } = words;
    const { way, mode, answer } = this;
    const active = way ? activeClauses(way) : [];
    const factsOf = (/** @type {import("../designer/way.js").Clause} */ clause) => {
      const number = active.indexOf(clause) + 1;
      const place = number === 0 ? -1 : this.answered.findIndex(({ key }) => key === clause.key);
      return {
        number, cost: answer?.price?.clauses[place] ?? null,
        faults: number ? this.faults.filter((fault) => fault.clause === number - 1) : [],
        proof: place < 0 ? [] : (answer?.faults ?? []).filter((fault) => fault.clause === place + 1),
      };
    };
    const tab = (/** @type {"clauses" | "text"} */ name, /** @type {string} */ label) =>
      h("button", { type: "button", class: "button slim", "aria-pressed": String(mode === name), disabled: name === "clauses" && !way, onclick: () => { this.mode = name; this.update(); } }, label);
    return h("section", { class: "panel study design-editor", key: "editor", "aria-labelledby": "design-editor-title" },
      h("div", { class: "study-head" }, h("h2", { id: "design-editor-title" }, say.editor), h("div", { class: "row" }, tab("clauses", say.asClauses), tab("text", say.asText))),
      mode === "clauses" && way
        ? clauseEditor(way, factsOf, this.faults.filter(({ clause }) => clause === null), this.busy, this.#actions)
        : textEditor(this.text, this.faults, { readable: way !== null, off: way ? way.clauses.length - active.length : 0 }, this.#actions, (line) => this.#showLine(line)));
  }

  /** Moves the caret to a line of the text. @param {number} line */
  #showLine(line) {
    /** @type {HTMLTextAreaElement | null} */
    const area = this.querySelector("textarea[name=toml]");
    const before = this.text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area?.focus();
    area?.setSelectionRange(before, before + (this.text.split("\n")[line - 1]?.length ?? 0));
    area?.closest(".design-text")?.querySelectorAll(".design-lines span")[line - 1]?.scrollIntoView({ block: "center" });
  }
}

define("pg-designer", Designer);
