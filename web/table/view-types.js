// What a table looks like to a viewer: the server's own types under the names the page uses.

/**
 * @typedef {import("../protocol").View} View
 * @typedef {import("../protocol").SeatView} SeatView
 * @typedef {import("../protocol").HandView} HandView
 * @typedef {import("../protocol").RoundView} RoundView
 * @typedef {import("../protocol").LineView} Line
 * @typedef {import("../protocol").Facts} Facts
 * @typedef {import("../protocol").WagerFacts} WagerFacts
 * @typedef {import("../protocol").PhaseWord} Phase
 * @typedef {import("../protocol").SeenEvent} SeenEvent
 */

export {};
