// Values of the form of the limits, and how much of each limit is used up.

import { cents, money } from "../money.js";
import { words } from "../words.js";

/**
 * @typedef {import("../protocol").Limits} Limits
 * @typedef {import("../protocol").LossLimit} LossLimit
 * @typedef {{ loss: LossLimit | null, minutes: number | null }} NewLimits
 */

const MINUTES_MAX = 24 * 60;

/**
 * Reads the form. An empty field is no limit.
 * @param {{ amount: string, days: string, minutes: string }} form
 * @returns {{ limits: NewLimits, fault?: undefined } | { limits?: undefined, fault: { field: "amount" | "minutes", text: string } }}
 */
export function readLimits({ amount, days, minutes }) {
  const { limits: say } = words.account;
  const most = amount.trim() ? cents(amount) : undefined;
  if (most === null) return { fault: { field: "amount", text: say.noAmount } };
  const time = minutes.trim() ? Number(minutes) : undefined;
  if (time !== undefined && !(Number.isInteger(time) && time >= 1 && time <= MINUTES_MAX)) return { fault: { field: "minutes", text: say.noMinutes } };
  return { limits: { loss: most === undefined ? null : { cents: most, days: days === "7" ? 7 : 1 }, minutes: time ?? null } };
}

/** Returns the limits that the form shows: the pending ones, if there are any. @param {Limits} limits @returns {NewLimits} */
export const wantedLimits = ({ loss, minutes, pending }) => (pending ? { loss: pending.loss, minutes: pending.minutes } : { loss, minutes });

/** Returns how much of each limit is used up. @param {Limits} limits @returns {{ key: string, text: string, part: number }[]} */
export function usedUp({ loss, minutes, used }) {
  const { limits: say, chips } = words.account;
  // Without a loss, the practice chips stand for all currencies.
  const lost = Object.entries(used.loss_cents).map(([currency, lost_]) => /** @type {const} */ ([currency, Math.max(0, lost_)]));
  return [
    ...(loss ? (lost.length > 0 ? lost : [/** @type {const} */ (["PRACTICE", 0])]).map(([currency, amount]) => ({
      key: currency, text: say.usedLoss(money(amount), money(loss.cents), currency === "PRACTICE" ? chips.practice.toLowerCase() : currency), part: loss.cents === 0 ? 1 : Math.min(1, amount / loss.cents) })) : []),
    ...(minutes ? [{ key: "minutes", text: say.usedMinutes(used.minutes, minutes), part: Math.min(1, used.minutes / minutes) }] : []),
  ];
}
