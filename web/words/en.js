// All texts of the page, in English. A translation is a module with the same structure.

import { money } from "../money.js";
import { counted } from "./en/counted.js";
import { study } from "./en/study.js";
import { lab } from "./en/lab.js";
import { odds } from "./en/odds.js";
import { trainer } from "./en/trainer.js";
import { course } from "./en/course.js";
import { phraseWords } from "./en/phrases.js";
import { strategy } from "./en/strategy.js";
import { puzzle } from "./en/puzzle.js";
import { history } from "./en/history.js";
import { report } from "./en/report.js";
import { rules } from "./en/rules.js";
import { designer } from "./en/designer.js";
import { figures } from "./en/figures.js";
import { consoleWords } from "./en/console.js";
import { banker } from "./en/banker.js";
import { fair } from "./en/fair.js";
import { board } from "./en/board.js";
import { front } from "./en/front.js";
import { guide } from "./en/guide.js";
import { account } from "./en/account.js";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** @typedef {import("../table/view-types.js").Phase} Phase */
/** @typedef {import("../protocol").VoidReason} VoidReason */

const VOID_REASONS = {
  exposed_card: "a card was exposed",
  wrong_count: "a hand did not have seven cards",
  machine_fault: "the shuffling machine failed",
  rules_changed: "the rules of the table have changed",
};

/** Returns the reason of a void round: the text for its code, or the operator's own text. @param {VoidReason} reason */
const voidReason = (reason) => (reason.code === "other" ? reason.text : VOID_REASONS[reason.code]);

export const words = {
  study,
  lab,
  odds,
  trainer,
  course,
  phraseWords,
  strategy,
  puzzle,
  history,
  rules,
  report,
  designer,
  figures,
  console: consoleWords,
  banker,
  fair,
  board,
  front,
  guide,
  account,

  app: {
    name: "Paigow",
    titled: (/** @type {string} */ view) => `${view} · Paigow`,
    skip: "Skip to content",
    nav: "Pages",
    practice: "Practice chips",
    practiceWhy: "All play here is for practice chips. They are free, have no value and cannot be exchanged.",
    guest: "Guest",
    settings: "Settings",
    loading: "Loading…",
    missing: "Page not found.",
    failed: "This page could not be loaded.",
    again: "Try again",
    home: "Go to the tables",
    offline: "The server is not responding. Check your connection and try again.",
    offlineNow: "You are offline. How to play can be read; everything else needs a connection.",
    close: "Close",
    newChips: "Get more chips",
    rename: "Your name at the table",
    save: "Save",
  },

  forget: {
    button: "Forget me",
    ask: "The server deletes this session. You cannot get its seats and chips back.",
    yes: (/** @type {string} */ amount) => `Forget me and lose ${amount}`,
    no: "Keep my chips",
    done: "The server has deleted your session.",
  },

  share: {
    link: "Share",
    invite: "Invite",
    copied: "Link copied",
    copiedSay: "The link is copied.",
    address: "Copy this link",
  },

  /** Names of tables: those of the house, the viewer's and other guests'. */
  tableName: {
    house: (/** @type {string} */ title, /** @type {string} */ table) => `${title}, table ${table}`,
    yours: (/** @type {string} */ title, /** @type {number} */ number) => `Your table ${number}, ${title}`,
    guests: (/** @type {string} */ title, /** @type {number} */ number) => `Guest table ${number}, ${title}`,
  },

  nav: { lobby: "Tables", lab: "Hand lab", odds: "Odds", trainer: "Trainer", puzzle: "Puzzle", history: "History", rules: "Rules", designer: "Designer", figures: "Figures", howToPlay: "How to play" },
  titles: {
    lobby: "Tables", table: "Table", replay: "Replay", lab: "Hand lab", odds: "Odds", trainer: "Trainer", strategyCards: "Strategy cards", strategyCard: "Strategy card", puzzle: "Puzzle of the day", puzzleArchive: "Puzzle archive", history: "History", rules: "Rules", houseWay: "House way", designer: "House-way designer", figures: "Figures", howToPlay: "How to play", account: "Account", join: "Invitation", console: "Operators’ console",
  },

  /** Messages for refusal codes. For other codes the page shows the server's message. */
  refused: {
    insufficient_funds: "You do not have enough chips.",
    seat_taken: "Another player has just taken this seat.",
    too_many_seats: "You already have the maximum number of seats. Stand up at another table first.",
    too_many_tables: "You already have the maximum number of tables open.",
    enough_chips: "You have enough chips to play.",
    rules_changed: "The rules of this table have changed. It is closed to play.",
    table_closed: "This table is closed.",
    already_closing: "This table is about to close.",
    no_such_table: "This table does not exist.",
    no_such_round: "This round does not exist or is not over yet.",
    archived: "This round is in an archive of the house and no longer on this server. Ask the house for it.",
    not_invited: "Only invited players may sit at this table. Ask for an invitation link.",
    name_taken: "Another player has this name, or a name that looks like it. Choose a different one.",
    last_credential: "This is your only way to sign in. Add another passkey or set a password first.",
    no_such_invitation: "This invitation does not exist, has expired or was withdrawn.",
    seated: "You have a seat at a table. Stand up from every table first.",
  },

  settings: {
    title: "Settings",
    theme: "Theme",
    themes: { auto: "System", light: "Light", dark: "Dark" },
    fourColour: "Four-color deck",
    fourColourWhy: "Diamonds are blue, clubs are green.",
    leftHanded: "Left-handed corners",
    leftHandedWhy: "Rank and suit are in the top right corner of each card.",
    squeeze: "Squeeze my cards",
    squeezeWhy: "Your cards are dealt face down. Slide a corner to squeeze a card, tap to turn it.",
    sound: "Sound",
    soundWhy: "For cards, chips, the clock and results.",
    soundOn: "Turn sound on",
    soundOff: "Turn sound off",
    motion: "Reduce motion",
    keys: "Keyboard shortcuts",
    keysWhy: "Single keys such as 1–7, H and C. Turn this off if they get in the way.",
    operators: "Operators’ console",
    text: "Tables as text",
    textWhy: "A text view instead of the felt, with the same commands.",
    coach: "Coach",
    coachWhy: "Compares your setting with the best settings of the hand.",
  },

  phase: (/** @type {Phase} */ phase, /** @type {string} */ term) =>
    ({ waiting: "waiting for players", offering: banker(term).offering, wagers: "wagers are open", revealing: "hands are being dealt", settings: "hands are being set", between: "settled" })[phase],

  lobby: {
    facts: {
      collection: "collection fee",
      noCommission: "commission-free",
      commission: (/** @type {number} */ percent) => `${percent}% commission`,
      sides: (/** @type {number} */ count) => (count === 0 ? "no side bets" : `${NUMBERS[count] ?? count} ${count === 1 ? "side bet" : "side bets"}`),
    },
    mine: "Your tables",
    open: "Open tables",
    guests: "Tables opened by other guests",
    more: "Show more tables",
    sit: "Sit down",
    sitAt: (/** @type {string} */ name) => `Sit down at ${name}`,
    watch: "Watch",
    watchAt: (/** @type {string} */ name) => `Watch ${name}`,
    alone: "Play alone, in your own time",
    aloneAt: (/** @type {string} */ name) => `Play alone, in your own time, with the rules of ${name}`,
    back: "Back to your seat",
    backTo: (/** @type {string} */ name) => `Back to your seat at ${name}`,
    full: "Full",
    limits: (/** @type {string} */ min, /** @type {string} */ max) => `${min} – ${max}`,
    ownWay: "Own house way",
    posted: (/** @type {string} */ title, /** @type {string} */ paytable) => `${words.wagerTitle(title)}${paytable === "posted" ? "" : ` ${paytable}`}`,
    bots: (/** @type {number} */ count) => `${counted(count, "bot", "bots")}`,
    seats: (/** @type {number} */ taken, /** @type {number} */ all) => `${taken} of ${all} seats taken`,
    round: (/** @type {number} */ round) => `Round ${round}`,
    waiting: "waiting for players",
    paused: "paused by the house",
    closing: "closing after this round",
    rulesChanged: "rules changed, closed to play",
  },

  open: {
    title: "Open your own table",
    lead: "Choose the rules, the side wagers and their paytables, the pace and the bots.",
    name: "Name of the table",
    noName: "Optional",
    listed: "Visibility and seats",
    private: "Private: not in the list of tables. Invite players with the link of the table.",
    invited: "Only invited players may sit. You make the invitation links.",
    book: "Rule book",
    sides: "Side wagers offered",
    paytable: (/** @type {string} */ wager) => `${wager}: paytable`,
    bots: "Bots",
    botCount: (/** @type {number} */ count) => (count === 0 ? "No bots" : counted(count, "bot", "bots")),
    pace: "Pace",
    paces: { own: "My own time", calm: "Slow", usual: "Casino pace", brisk: "Fast" },
    clocks: "Set each clock",
    parts: { wagers: "Placing wagers (seconds)", settings: "Setting hands (seconds)", between: "Showing the result (seconds)" },
    minimum: (/** @type {string} */ amount) => `table minimum: ${amount}`,
    values: "Other rules",
    value: "Value",
    none: "Choose a value",
    setTo: (/** @type {string} */ is) => `Set to (the book says ${is})`,
    unset: "Reset",
    cannot: "The document fixes this value. A table cannot change it.",
    fixed: "A table cannot change values that the document fixes:",
    open: "Open table",
    closes: "The table closes after a while without players.",
  },

  table: {
    seat: (/** @type {number} */ seat) => `Seat ${seat}`,
    you: "You",
    yourSeat: (/** @type {number} */ seat) => `You, seat ${seat}`,
    unknownPlayer: "Player",
    bot: "bot",
    red: "red",
    black: "black",
    missing: "This table does not exist or is closed.",
    rolledBack: "The server's records were restored to an earlier state. Your latest wagers and results may be lost.",
    joining: "Joining the table…",
    asText: "As text",
    keys: "Keys",
    sitOut: "Sit out",
    stand: "Stand up",
    leave: "Leave",
  },
  status: (/** @type {number} */ round, /** @type {Phase} */ phase, /** @type {string} */ term) =>
    `Round ${round} · ${{ waiting: "over", offering: banker(term).short, wagers: "wagers", revealing: "dealing", settings: "setting", between: "settled" }[phase]}`,

  link: {
    live: "live",
    lag: (/** @type {number} */ ms) => `lag ${ms} ms`,
    lagWhy: "Round-trip time to the server.",
    sending: "sending…",
    joining: "Connecting to the table…",
    lost: "Connection lost. Your seat, wagers and cards are kept. If time runs out, the house way sets your hand.",
    lostSay: "Connection lost. Reconnecting. Your seat and wagers are kept.",
    back: "Reconnected.",
    ended: "Your session has ended. Try again to start a new one.",
    now: (/** @type {number} */ seconds) => (seconds > 0 ? `Retry now (${seconds} s)` : "Reconnecting…"),
  },

  felt: {
    seats: "Seats",
    dealer: "Dealer",
    dealerBanks: "banks · sets the house way",
    dealerSets: "sets the house way",
    dealerNoHand: "deals, has no hand",
    diceWhy: (/** @type {number} */ number, /** @type {string} */ who) => `The dice show ${number}: the first hand goes to ${who.toLowerCase()}.`,
    action: "ACTION",
    actionWhy: "Action button: gets the first hand and is settled first.",
    envyWhy: (/** @type {string} */ button) => `${button}: earns an envy bonus when another player's hand qualifies. It stays until all wagers are reconciled.`,
    coversShort: (/** @type {string} */ amount) => `covers ${amount}`,
    coversOf: (/** @type {string} */ covered, /** @type {string} */ action, /** @type {string} */ left) => `covers ${covered} of ${action} action, ${left} left`,
    reserved: (/** @type {string} */ amount) => `${amount} reserved for side wagers`,
    sit: (/** @type {number} */ seat) => `Sit down at seat ${seat}`,
    free: "free",
    wagered: (/** @type {string} */ wager, /** @type {string} */ amount) => `${wager} ${amount}.`,
  },
  wagerTitle: (/** @type {string} */ title) => title.replace(/^EZ Pai Gow (?=\w)/, ""),

  state: {
    leaving: "leaves after this round", out: "sits out", ready: "ready", wagering: "wagering…",
    player: "the player", noHand: "not in this round", setting: "setting…", set: "set", clock: "out of time, house way", houseWay: "house way",
  },

  hands: {
    open: (/** @type {string} */ low, /** @type {string} */ lowCards, /** @type {string} */ high, /** @type {string} */ highCards, /** @type {boolean} */ foul) =>
      `Low hand ${low} (${lowCards}); high hand ${high} (${highCards}).${foul ? " Foul." : ""}`,
    cards: (/** @type {string} */ cards) => `Seven cards: ${cards}.`,
    set: "Low hand and high hand set, face down.",
    unset: "Seven cards face down, not set yet.",
  },

  clock: {
    second: "s",
    minute: "m",
    half: (/** @type {number} */ seconds) => `Half the time is gone: ${seconds} seconds left.`,
    lastMinute: "One minute left.",
    ten: "Ten seconds left.",
  },

  dock: {
    title: "Your actions",
    watching: "You are watching.",
    ownSeats: "Your seats: choose which one to play",
    phase: (/** @type {Phase} */ phase, /** @type {number} */ round, /** @type {string} */ term) =>
      `${round > 0 ? `Round ${round}: ` : ""}${{ waiting: "waiting for players", offering: banker(term).offering, wagers: "wagers are open", revealing: "hands are being dealt", settings: "hands are being set", between: "the round is settled" }[phase]}`,
    full: "Every seat is taken. You can watch.",
    closed: "This table is closed.",
    leaving: "You leave after this round.",
    out: "You are sitting out. Rounds go on without you.",
    comeBack: "Play again",
    paused: "The house has paused this table.",
    waiting: "The next round begins in a moment.",
    noHand: "You have no hand in this round. You can wager in the next one.",
  },

  wager: {
    again: "Same again",
    double: "Double",
    clear: "Clear",
    chips: "Chip",
    spot: (/** @type {string} */ state, /** @type {string} */ chip, /** @type {string} */ limits) => `: ${state || "no wager"}, ${limits}.${chip ? ` Add ${chip}.` : ""}`,
    color: (/** @type {string} */ wager, /** @type {string} */ color) => `${wager}: ${color}`,
    faults: {
      low: (/** @type {string} */ wager, /** @type {string} */ min) => `${wager}: at least ${min}.`,
      high: (/** @type {string} */ wager, /** @type {string} */ max) => `${wager}: at most ${max}.`,
      base: (/** @type {string} */ wager) => `Side wagers need a ${wager} wager.`,
      color: (/** @type {string} */ wager) => `${wager}: choose red or black.`,
    },
  },

  bank: {
    pass: "Pass",
    noAmount: "Enter an amount in dollars.",
    pile: "Pick the pile that goes first",
    pick: (/** @type {number} */ pile) => `Pick pile ${pile}`,
  },

  set: {
    legal: "Legal",
    foul: "Foul",
    foulSure: "This setting is a foul and loses. Press again to set it anyway.",
    foulAnyway: "Set foul anyway",
    asHouse: (/** @type {string} */ says, /** @type {string} */ cite) => `House way: “${says}” (${cite})`,
    houseSays: "House way:",
    houseWay: "House way",
    clear: "Start over",
    by: { player: "Your hand is set.", house_way: "The house way set your hand.", clock: "Time ran out. The house way set your hand." },
    waits: (/** @type {number} */ count) => `${counted(count, "seat is", "seats are")} still setting.`,
  },

  result: {
    voided: (/** @type {VoidReason} */ reason) => `The round is void: ${voidReason(reason)}. All wagers are returned.`,
  },

  coach: {
    title: "Coach",
    setting: "Low hand / high hand",
    odds: "Win · push · lose",
    worth: "Value",
    bestChoice: "No setting was better than yours.",
    yours: "yours",
    best: "best",
    house: "house way",
    shares: (/** @type {string} */ win, /** @type {string} */ push, /** @type {string} */ lose) => `wins ${win} %, pushes ${push} %, loses ${lose} %`,
  },

  side: { title: "About this table", allRules: "All rules of this book" },
  settlement: {
    none: "After the round, every wager is listed here with its result, its reason and its rule.",
    push: "push",
    back: "returned",
    step: (/** @type {string} */ part, /** @type {string} */ who) => `${part}: ${who}.`,
    reconciled: "All wagers are reconciled.",
    parts: { collection: "Collection", base: "Base wagers", bonus: "Bonus wagers", commission: "Commission", envy: "Envy bonuses" },
    fee: (/** @type {string} */ amount) => `The house keeps ${amount}.`,
  },
  party: (/** @type {string} */ who, /** @type {string} */ term) => /** @type {Record<string, string>} */ ({ dealer: "Dealer", banker: banker(term).name, house: "House" })[who] ?? who,
  /** Returns the title of a wager at a table. */
  wagerAt: (/** @type {string} */ wager, /** @type {{ facts: { wagers: { wager: string, title: string }[] } }} */ view) =>
    words.wagerTitle(view.facts.wagers.find((facts) => facts.wager === wager)?.title ?? wager),
  line: (/** @type {string} */ wager, /** @type {string} */ outcome, /** @type {{ facts: { wagers: { wager: string, title: string }[] } }} */ view) => {
    const title = words.wagerAt(wager, view);
    const others = /** @type {Record<string, string>} */ ({ envy: "envy bonus", collection: "collection fee", commission: "commission", foul: "foul", no_action: "no action" });
    return others[outcome] ? `${title}, ${others[outcome]}` : title;
  },
  changes: {
    title: "Changed rules",
    says: "This table uses these values instead of the book's:",
    houseWay: "House way",
    ownWay: "This table's own house way",
  },
  paytable: {
    limits: (/** @type {string} */ min, /** @type {string} */ max) => `From ${min} to ${max}.`,
    envyFrom: (/** @type {string} */ amount, /** @type {string} */ button) => `A wager of ${amount} or more earns an ${button}.`,
    most: (/** @type {string} */ amount) => `Maximum payout: ${amount}.`,
    hand: "Hand",
    pays: "Pays",
    envy: "Envy",
    push: "push",
    toOne: (/** @type {number} */ pays) => `${pays.toLocaleString("en")} to 1`,
  },
  rowName: (/** @type {string | undefined} */ hand, /** @type {number | undefined} */ cards) => {
    if (!hand) return `${cards} cards of the color`;
    const names = /** @type {Record<string, string>} */ ({
      natural_7_card_straight_flush: "7-card straight flush, natural", wild_7_card_straight_flush: "7-card straight flush with joker",
      royal_flush_royal_match: "Royal flush and royal match", royal_flush_ace_queen: "Royal flush with ace-queen",
      luhn_tao_wheel: "Luhn Tao wheel", luhn_tao_wheel_ace_queen: "Luhn Tao wheel with ace-queen",
    });
    const text = names[hand] ?? hand.replaceAll("_", " ").replace(/ high$/, "-high");
    return text[0].toUpperCase() + text.slice(1);
  },
  when: (/** @type {number} */ at) => new Date(at).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", second: "2-digit" }),

  rounds: {
    none: "No finished rounds yet.",
    replay: "Replay",
    check: "Check the deal",
    balance: (/** @type {string} */ before, /** @type {string} */ after) => `Your chips: ${before} before the round, ${after} after it.`,
    outcomes: { open: "in progress", settled: "settled", voided: "void", abandoned: "not played" },
  },
  results: {
    notSeated: "Sit down to see your results here.",
    none: "You have no finished rounds yet.",
    counting: "Your rounds are being counted…",
    open: "A round in progress is not counted.",
    tables: (/** @type {string[]} */ names) => `At ${new Intl.ListFormat("en-GB").format(names)}.`,
    title: (/** @type {number} */ rounds) => (rounds === 1 ? "Your last round" : `Your last ${rounds} rounds`),
    net: "Net result",
    staked: "Total wagered",
    against: "Compared with expectation",
    wager: "Wager",
    actual: "Actual",
    expected: "Expected",
    luck: "Luck",
    of: (/** @type {number} */ many, /** @type {string} */ staked) => `${many} for ${staked}`,
    total: "Total",
    given: "Given away",
    unjudged: "Not judged",
    why: "Actual = expected + given away + luck. Expected results are exact. For Pai Gow, they are the value of the best settings against all 53,524,680 hands the dealer may have. For every other wager, they are the return of its posted paytable with your envy bonuses. Wagers against another player's hand and wagers without action are not judged.",
    history: "All rounds",
    again: "Refresh",
  },
  text: {
    title: "Table as text",
    net: (/** @type {number} */ net, /** @type {string} */ amount) => (net > 0 ? `Wins ${amount}.` : net < 0 ? `Loses ${amount}.` : "Even."),
    wagers: (/** @type {string} */ wagers) => `Wagers: ${wagers}.`, noCards: "No cards yet.",
  },

  say: {
    youSat: (/** @type {number} */ seat) => `You sit at seat ${seat}.`,
    sat: (/** @type {number} */ seat) => `Seat ${seat} is taken.`,
    stood: (/** @type {number} */ seat) => `Seat ${seat} is free.`,
    satOut: (/** @type {number} */ seat) => `The house has made your seat ${seat} sit out. To return, press ${words.dock.comeBack}.`,
    missed: (/** @type {number} */ seat) => `Your seat ${seat} sits out because it placed no wagers. To return, press ${words.dock.comeBack}.`,
    wagersOpen: (/** @type {number} */ round) => `Round ${round}: place your wagers.`,
    dealt: (/** @type {string} */ cards) => `Your cards: ${cards}. Choose two for the low hand.`,
    dealtDown: "Your seven cards are dealt face down. Turn one card after the other, or press Turn all.",
    lastTurned: (/** @type {string} */ card) => `${card}. All cards are up. Choose two for the low hand.`,
    dealtOthers: "Hands are dealt.",
    clockSet: "Time ran out. The house way set your hand.",
    settled: (/** @type {number} */ round) => `Round ${round} is settled.`,
    net: (/** @type {number} */ net, /** @type {string} */ amount) => (net > 0 ? `You win ${amount}.` : net < 0 ? `You lose ${amount}.` : "You break even."),
    voided: (/** @type {VoidReason} */ reason) => `The round is void: ${voidReason(reason)}. All wagers are returned.`,
    abandoned: "No hands are dealt in this round.",
    paused: "The house has paused the table.",
    resumed: "Play resumes.",
    closing: "The table closes after this round.",
    notice: (/** @type {string} */ text) => `The house says: ${text}`,
  },

  replay: {
    title: (/** @type {number} */ round) => `Replay of round ${round}`,
    titleAt: (/** @type {number} */ round, /** @type {string} */ table) => `Replay of round ${round}, ${table}`,
    when: (/** @type {number} */ at) => new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" }),
    back: "Back to the table",
    controls: "Replay",
    play: "Play",
    pause: "Pause",
    back1: "One step back",
    next: "Next step",
    position: "Position in the replay",
    step: (/** @type {number} */ number, /** @type {number} */ all) => `Step ${number} of ${all}`,
    checkWhy: "Computed in your browser from the secret that the house showed after the round.",
    rules: "Rules digest",
    version: "Program version",
  },
  /** Returns the sentence for an event of a replay. */
  eventText: (/** @type {Record<string, any>} */ event, /** @type {(seat: number) => string} */ who, /** @type {(wager: string) => string} */ called, /** @type {string} */ term) => {
    const { seat } = event;
    const say = banker(term);
    switch (event.event) {
      case "sat": return `${who(seat)} sits down.`;
      case "leaving": return `${who(seat)} leaves after this round.`;
      case "stood": return `Seat ${seat} is free.`;
      case "sat_out": return `${who(seat)} sits out.`;
      case "returned": return `${who(seat)} returns to play.`;
      case "round_opened": return `Round ${event.round} begins. The house commits to its secret.`;
      case "bank_offered": return say.offeredTo(who(seat));
      case "bank_passed": return say.passes(who(seat));
      case "bank_taken": return say.takes(who(seat), money(event.cents));
      case "bank_given_back": return say.givesBack(who(seat));
      case "pile_picked": return `${who(seat)} picks pile ${event.pile} to go first.`;
      case "wagers_opened": return "Wagers are open.";
      case "wagered": return `${who(seat)} wagers ${money(event.cents)} on ${called(event.wager)}${event.color ? `, ${event.color}` : ""}.`;
      case "cleared": return `${who(seat)} takes back ${called(event.wager)}.`;
      case "bytes_added": return `${who(seat)} adds random bytes to the deal.`;
      case "committed": return `${who(seat)} commits to random bytes for the deal.`;
      case "wagers_closed": return "Wagers are closed. Seats reveal their bytes.";
      case "revealed": return `${who(seat)} reveals the bytes.`;
      case "ready": return `${who(seat)} is ready.`;
      case "dealt": return `The dice show ${event.dice}. Hands are dealt.`;
      case "hand_set": return `${who(seat)}: ${{ player: "set", house_way: "set the house way", clock: "out of time, set the house way" }[/** @type {"player"} */ (event.by)]}.`;
      case "settled": return "All hands are open. The house shows its secret.";
      case "round_voided": return `The round is void: ${voidReason(event.reason)}.`;
      case "round_abandoned": return "No hands are dealt in this round.";
      case "noticed": return `The house says: ${event.text}`;
      default: return event.event.replaceAll("_", " ");
    }
  },

  keys: {
    title: "Keyboard shortcuts",
    turnOff: "You can turn shortcuts off in the settings.",
    areOff: "Shortcuts are turned off in the settings.",
    groups: [
      { title: "Turning your cards", keys: [["1 – 7", "turn a card"], ["→", "turn the next card"], ["Space", "turn all cards"], ["Enter", "turn all cards"]] },
      { title: "Setting your hand", keys: [["1 – 7", "move a card to the low hand, or back"], ["H", "preview the house way"], ["C", "start over"], ["Enter", "set the hand"]] },
      { title: "Wagers", keys: [["1 – 9", "add the chip to a wager"], ["Q – T", "choose a chip"], ["+ −", "larger or smaller chip"], ["Z", "undo the last change of the wagers"], ["A", "same wagers again"], ["D", "double"], ["C", "clear"], ["Enter", "deal"], ["N", "pass"]] },
      { title: "The result", keys: [["F", "faster"], ["Space", "hold the result"], ["Enter", "next hand"]] },
      { title: "The table", keys: [["S", "settlement"], ["W", "coach"], ["P", "paytables"], ["R", "rules"], ["O", "rounds"], ["T", "table as text"], ["M", "sound"], ["Esc", "close the panel"], ["?", "this help"]] },
    ],
  },

  card: {
    ranks: ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"],
    plurals: ["twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings", "aces"],
    suits: { c: "clubs", d: "diamonds", h: "hearts", s: "spades" },
    of: (/** @type {string} */ rank, /** @type {string} */ suit) => `${rank} of ${suit}`,
    joker: "joker",
    jokerMark: "JK",
    jokerAs: (/** @type {string} */ rank, /** @type {string} */ suit) => `joker, standing for ${suit ? `the ${rank} of ${suit}` : `${/^[ae]/.test(rank) ? "an" : "a"} ${rank}`}`,
    plays: "plays",
    back: "card face down",
  },

  hand: {
    highCard: (/** @type {string} */ high) => `${high} high`,
    pair: (/** @type {string} */ of) => `pair of ${of}`,
    twoPair: (/** @type {string} */ one, /** @type {string} */ other) => `${one} and ${other}`,
    three: (/** @type {string} */ of) => `three ${of}`,
    straight: (/** @type {string} */ high) => `${high}-high straight`,
    flush: (/** @type {string} */ high) => `${high}-high flush`,
    fullHouse: (/** @type {string} */ three, /** @type {string} */ two) => `${three} full of ${two}`,
    four: (/** @type {string} */ of) => `four ${of}`,
    straightFlush: (/** @type {string} */ high) => `${high}-high straight flush`,
    royalFlush: "royal flush",
    five: (/** @type {string} */ of) => `five ${of}`,
  },
};
