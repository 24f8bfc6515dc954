// Shapes of the operators' API.

/**
 * @typedef {"viewer" | "floor" | "cashier" | "admin"} Role
 * @typedef {"read" | "tables" | "chips" | "administer"} Permission
 * @typedef {{ name: string, role: Role, since: number, may: Permission[], approval_above_cents: number }} OperatorSession
 * @typedef {{ name: string, role: Role, since: number, disabled: boolean, enrolled: boolean, passkeys: number, password: boolean }} OperatorEntry
 * @typedef {{ seat: number, player: string, name: string, bot: boolean, sitting_out: boolean, staked_cents: number }} ConsoleSeat
 * @typedef {object} ConsoleTable
 * @property {string} table
 * @property {string | null} name
 * @property {string} book
 * @property {string} currency
 * @property {import("../table/view-types.js").Phase} phase
 * @property {number} round
 * @property {ConsoleSeat[]} seats
 * @property {number} seats_max
 * @property {boolean} paused
 * @property {boolean} closing
 * @property {boolean} private
 * @property {boolean} invited whether operators invite the players
 * @property {{ seat: number | null, cover_cents: number } | null} bank
 * @property {number | null} deadline
 * @property {number} viewers
 * @typedef {{ now: number, tables: ConsoleTable[] }} ConsoleTables
 * @typedef {object} Approval
 * @property {string} id
 * @property {"chips" | "void"} what
 * @property {string} by
 * @property {number} at
 * @property {number} until
 * @property {any} detail
 * @property {"waiting" | "approved" | "declined" | "expired"} state
 * @property {string | null} decided_by
 * @property {number | null} decided_at
 * @property {string | null} outcome
 * @typedef {{ player: string, name: string, account: boolean, bot: boolean, since: number }} ConsolePerson
 * @typedef {ConsolePerson & { cents: Record<string, number>, sessions: number, seats: { table: string, seat: number }[], limits: any }} PersonDetail
 * @typedef {object} ReportRow
 * @property {string} day
 * @property {string} table
 * @property {string} currency
 * @property {string} wager
 * @property {string} title
 * @property {number} wagers
 * @property {number} voided void rounds in which the wager was placed
 * @property {number} handle_cents
 * @property {number} win_cents the house's win; negative: a loss
 * @property {string | null} hold exact fraction: win / handle
 * @property {number} judged_wagers wagers with an expectation
 * @property {number} judged_win_cents the house's win from them
 * @property {string | null} expected exact fraction, in cents
 * @property {string | null} deviation_cents standard deviation as a decimal
 * @property {string | null} deviations (judged win − expected) / standard deviation as a decimal
 * @typedef {{ from: string, to: string, rows: ReportRow[], unreadable: string[] }} Report
 * @typedef {{ code: string, at: string, message: string }} AuditFinding
 * @typedef {{ at: number, took_ms: number, tables: number, events: number, transfers: number, findings: AuditFinding[], heads: any[] }} AuditRun
 * @typedef {{ running: boolean, last: AuditRun | null }} Audits
 */

export {};
