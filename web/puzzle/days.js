// Days as text, `2026-11-17`, in UTC. The day of a puzzle comes from the server, never from the clock of the browser.

const DAY_MS = 86_400_000;

/** @param {string} day */
const timeOf = (day) => Date.parse(`${day}T00:00:00Z`);

/** @param {number} time */
const dayOf = (time) => new Date(time).toISOString().slice(0, 10);

/** Whether a value is a day of the calendar. @param {unknown} value @returns {value is string} */
export function isDay(value) {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const time = timeOf(value);
  return !Number.isNaN(time) && dayOf(time) === value;
}

/** Returns the day some days after another. @param {string} day @param {number} days */
export const addDays = (day, days) => dayOf(timeOf(day) + days * DAY_MS);

/** Returns the number of days from one day to another. @param {string} from @param {string} to */
export const daysBetween = (from, to) => Math.round((timeOf(to) - timeOf(from)) / DAY_MS);

/** Returns the days of every month, the latest month and day first. @param {string} first @param {string} last @returns {{ month: string, days: string[] }[]} */
export function monthsOf(first, last) {
  /** @type {Map<string, string[]>} */
  const months = new Map();
  for (let day = last; day >= first; day = addDays(day, -1)) {
    const month = day.slice(0, 7);
    const days = months.get(month);
    if (days) days.push(day);
    else months.set(month, [day]);
  }
  return [...months].map(([month, days]) => ({ month, days }));
}

/** Formats a day: `Tuesday, November 17, 2026`. @param {string} day */
export const longDay = (day) => new Date(timeOf(day)).toLocaleDateString("en", { dateStyle: "full", timeZone: "UTC" });

/** Formats a day within its month: `Tue 17`. @param {string} day */
export const shortDay = (day) => `${new Date(timeOf(day)).toLocaleDateString("en", { weekday: "short", timeZone: "UTC" })} ${Number(day.slice(8))}`;

/** Formats a month: `November 2026`. @param {string} month `2026-11` */
export const monthName = (month) => new Date(timeOf(`${month}-01`)).toLocaleDateString("en", { year: "numeric", month: "long", timeZone: "UTC" });
