// Words about fair deals. Each step of a check has three sentences: it holds, it does not, it is not checked here.

/** @type {Record<import("../../fair/check.js").Step, [string, string, string]>} */
const steps = {
  receipt: ["The house signed this receipt.", "The signature of the receipt is wrong.", "The signature of the receipt is not checked here: this browser has no Ed25519."],
  keys: ["The house lists the keys of this receipt.", "The house does not list a key of this receipt.", "The house could not be asked for its keys."],
  opening: ["The house signed its commitment when the round opened.", "The house's signature of the opening is wrong.", "The signature of the opening is not checked here."],
  first: ["The commitment is the one this page saw first.", "The commitment is not the one this page saw first.", "This page did not see the round open: the commitment is not compared."],
  closing: ["The house signed the list of commitments.", "The house's signature of the list of commitments is wrong.", "The signature of the list of commitments is not checked here."],
  list: ["The list of commitments is the one this page saw first.", "The list of commitments is not the one this page saw first.", "This page did not see wagers close: the list of commitments is not compared."],
  secret: ["The house showed its secret.", "The house did not show its secret: the deal cannot be checked.", "The house has not shown its secret yet."],
  commitment: ["The secret matches the commitment.", "The secret does not match the commitment.", "The secret is not compared."],
  reveals: ["Every seat's bytes match its commitment.", "The bytes of a seat do not match its commitment.", "The bytes of the seats are not compared."],
  own: ["Your bytes are in the deal.", "Your bytes are not in the deal.", "This page has no bytes in the deal."],
  silent: ["Your seat is listed as silent.", "Your seat is listed as silent, but the table had its bytes.", "Your seat is listed as silent: its bytes did not arrive in time."],
  dice: ["The dice follow from the secret and the bytes.", "The dice do not follow from the secret and the bytes.", "The dice are not compared."],
  cards: ["The cards follow from the secret and the bytes.", "The cards do not follow from the secret and the bytes.", "The cards are not compared."],
  hands: ["Every hand is the packet that the rules give to its place.", "A hand is not the packet that the rules give to its place.", "Not all seats that played are known: the hands are not compared."],
};

export const fair = {
  title: "Fair deal",
  commitment: "Commitment of the house, before wagers",
  secret: "Secret of the house",
  later: "shown when the round is over",
  never: "not shown",
  seats: "Bytes of the seats",
  none: "No seat has committed: the deal follows from the secret alone.",
  old: "In this round seats added bytes without committing to them (version 1).",
  seat: { committed: "committed", revealed: "committed and revealed", silent: "committed, did not reveal", added: "added bytes" },
  elsewhere: "in another window",
  checked: "Checked here, in your browser",
  steps,
  alarms: {
    commitment: "The house has changed its commitment in this round.",
    list: "The house has changed the list of commitments in this round.",
    own: "Your seat has a commitment that this browser did not make.",
    lost: "The commitment of your seat is missing from the list.",
    check: "The check of this deal has failed. See Fair deal in the settlement.",
  },
  receipt: {
    save: "Download receipt",
    name: (/** @type {string} */ table, /** @type {number} */ round) => `receipt-${table.replace(/[^A-Za-z0-9._-]/g, "-")}-${round}.json`,
    check: "Check receipts (files)",
    of: (/** @type {string} */ table, /** @type {number} */ round) => `Table ${table}, round ${round}`,
    holds: "The receipt holds.",
    fails: "The receipt does not hold.",
    partly: "The receipt holds as far as it was checked here.",
    none: (/** @type {string} */ file) => `${file} is not a receipt.`,
    contradict: (/** @type {string} */ table, /** @type {number} */ round) => `Two receipts of table ${table}, round ${round} contradict each other. Both are signed: they prove a fault of the house.`,
  },
};
