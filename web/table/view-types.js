// Types of a table's view: the types of the protocol under the names that the page uses.

/**
 * @typedef {import("../protocol").View} View
 * @typedef {import("../protocol").SeatView} SeatView
 * @typedef {import("../protocol").HandView} HandView
 * @typedef {import("../protocol").RoundView} RoundView
 * @typedef {import("../protocol").LineView} Line
 * @typedef {import("../protocol").TableFacts} Facts
 * @typedef {import("../protocol").WagerFacts} WagerFacts
 * @typedef {import("../protocol").PhaseName} Phase
 * @typedef {import("../protocol").SeenEvent} SeenEvent
 */

export {};
