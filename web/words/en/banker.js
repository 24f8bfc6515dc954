// Texts about the banker in the term of each rule book. California says player/dealer and never bank.

/** Returns all texts about the banker in the book's term. @param {string} term `banker`, `player/dealer` */
export function banker(term) {
  const plain = term === "banker";
  const position = plain ? "the bank" : `the ${term} position`;
  const started = capital(position);
  const is = (/** @type {string} */ who) => (plain ? `${who} banks` : `${who} is the ${term}`);
  return {
    name: capital(term),
    seats: plain ? "players may bank" : `players take turns as ${term}`,
    rotates: plain ? "player banking" : `rotating ${term}`,
    short: plain ? "bank" : term,
    puck: plain ? "BANK" : term.toUpperCase(),
    puckBrief: plain ? "BANK" : term.split("/").map((word) => word[0].toUpperCase()).join("/"),
    offering: `${position} is offered`,
    isOffered: `is offered ${position}`,
    banks: plain ? "banks" : `is the ${term}`,
    passes: (/** @type {string} */ who) => `${who} passes ${position}.`,
    takes: (/** @type {string} */ who, /** @type {string} */ amount) => `${is(who)} and covers ${amount}.`,
    givesBack: (/** @type {string} */ who) => `${who} gives ${position} back.`,
    callYou: plain ? "Take the bank?" : `Be the ${term}?`,
    callOther: `Choosing the ${term}`,
    offeredTo: (/** @type {string} */ who) => `${started} is offered to ${who}.`,
    taken: (/** @type {string} */ who) => `${is(who)}.`,
    covers: (/** @type {string} */ covers) => `${capital(term)}: ${covers}.`,
    has: (/** @type {string} */ low, /** @type {string} */ high) => `The ${term} has ${low} in the low hand and ${high} in the high hand.`,
    yours: (/** @type {string} */ amount) => `${plain ? "You bank" : `You are the ${term}`} and cover ${amount}.`,
    why: `As ${term} you play against every other seat, and pay their winning wagers up to the amount you cover.`,
    waits: "The other players place their wagers against you. Hands are dealt when they are ready.",
    take: `Take ${position}`,
    change: "Change the amount covered",
    giveBack: `Give ${position} back`,
    offer: plain ? "Bank this round" : `Be the ${term} this round`,
    amount: "Amount you cover",
    amountAll: "Amount you cover (all wagers against you)",
    side: `As ${term} you may make these wagers too:`,
    clock: `Taking ${position} (seconds)`,
    dealerWager: `Dealer's wager when a player ${plain ? "banks" : `is the ${term}`}`,
    odds: `As the ${term}`,
    /** Replaces `banker` in a message of the server by the book's term. */
    inTerms: (/** @type {string} */ text) => (plain ? text : text.replace(/\bbanker\b/g, term).replace(/\bBanker\b/g, capital(term))),
    oddsWhy: `edge against the ${term}; negative favors the ${term}`,
  };
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);
