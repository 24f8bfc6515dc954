// What a table looks like to a viewer, as the server sends it.

/**
 * @typedef {{ cents: number, color: "red" | "black" | null }} WagerView
 * @typedef {{ cards: string | null, low: string | null, high: string | null, foul: boolean | null, set: boolean, by: "player" | "house_way" | "clock" | null }} HandView
 * @typedef {{ seat: number, player: string, out: boolean, leaving: boolean, ready: boolean, wagers: Record<string, WagerView>, hand: HandView | null }} SeatView
 * @typedef {{ who: string, wager: string, stake_cents: number, outcome: string, net_cents: number, fee_cents: number, against: string, because: string, cite: string }} Line
 * @typedef {{ seat: number, covers_cents: number }} BankView
 * @typedef {{ player: string, seat: number, rounds: number }} LastBank
 *
 * @typedef {object} RoundView
 * @property {number} round
 * @property {string} commitment
 * @property {string | null} secret
 * @property {number[]} passed
 * @property {BankView | null} bank
 * @property {number | null} pile
 * @property {Record<string, string>} bytes
 * @property {number | null} dice
 * @property {HandView | null} dealer
 * @property {Record<string, number> | null} net_cents
 * @property {Line[]} [lines]
 *
 * @typedef {{ wager: string, title: string, min_cents: number, max_cents: number, paytable: string | null, color: boolean, envy_from_cents: number | null }} WagerFacts
 * @typedef {{ seats: boolean, offered: boolean, covers_all: boolean, rounds_max: number | null, piles: number, dealer_wager_cents: number }} BankingFacts
 * @typedef {{ bank: number, wagers: number, settings: number, between: number }} Clocks
 * @typedef {{ seats: number, dealer_hand: boolean, clocks: Clocks, banking: BankingFacts, wagers: WagerFacts[] }} Facts
 * @typedef {"waiting" | "offering" | "wagers" | "settings" | "between"} Phase
 *
 * @typedef {object} View
 * @property {string} table
 * @property {string} book
 * @property {string} currency
 * @property {Facts} facts
 * @property {Phase} phase
 * @property {number | null} until
 * @property {number | null} offered
 * @property {boolean} paused
 * @property {boolean} closing
 * @property {boolean} closed
 * @property {string | null} player
 * @property {number | null} you
 * @property {LastBank | null} last_bank
 * @property {SeatView[]} seats
 * @property {RoundView | null} round
 *
 * @typedef {Record<string, any> & { event: string }} SeenEvent
 */

export {};
