// The player's answers to the puzzles, stored in the browser. Streak and rating follow from the answers, so they cannot contradict them.

import { addDays, isDay } from "./days.js";

/**
 * An answer to the puzzle of a day.
 * @typedef {object} Answer
 * @property {string} low the low hand, such as `Kd Tc`
 * @property {string} cost cost against the best setting as a fraction of the wager, a decimal; zero for a best setting
 * @property {number} difficulty of the puzzle, from 1 to 5
 * @property {boolean} own whether it was given on the day of the puzzle
 * @typedef {Record<string, Answer>} Answers by day
 */

const STORAGE_KEY = "paigow.puzzle";

/** Rating before the first answer. A puzzle of difficulty 2 has the same. */
const FIRST_RATING = 1200;
/** Largest change of the rating by one answer: the usual factor of Elo for players without titles. */
const FACTOR = 32;
/** Difference in rating at which the stronger side scores ten times as often as the weaker one, as in chess. */
const SPREAD = 400;
/** A setting that costs less than this fraction of the wager scores half a point. */
const SMALL_COST = 0.01;

/** Returns the rating of a puzzle: 1000 for difficulty 1, and 200 more for each step, to 1800. @param {number} difficulty from 1 to 5 */
const puzzleRating = (difficulty) => 800 + 200 * difficulty;

/** Whether the answer is a best setting. @param {Answer} answer */
export const isBest = ({ cost }) => Number(cost) === 0;

/** Returns the score of an answer: 1 for a best setting, 0.5 for one that costs little, 0 for any other. @param {Answer} answer */
export const scoreOf = (answer) => (isBest(answer) ? 1 : Number(answer.cost) < SMALL_COST ? 0.5 : 0);

/** Returns the answers with one more. The first answer to a puzzle counts. @param {Answers} answers @param {string} day @param {Answer} answer @returns {Answers} */
export const withAnswer = (answers, day, answer) => (answers[day] ? answers : { ...answers, [day]: answer });

/** Returns the days that were answered on the day, in order. @param {Answers} answers */
const ownDays = (answers) => Object.keys(answers).filter((day) => answers[day].own).sort();

/**
 * Returns the current and the longest streak: consecutive days answered on the day. Until today's puzzle is answered, the current streak ends yesterday.
 * @param {Answers} answers @param {string} today the server's day
 */
export function streaks(answers, today) {
  let longest = 0;
  let length = 0;
  let last = "";
  for (const day of ownDays(answers)) {
    length = last && addDays(last, 1) === day ? length + 1 : 1;
    longest = Math.max(longest, length);
    last = day;
  }
  return { current: last === today || last === addDays(today, -1) ? length : 0, longest };
}

/** Returns the rating: Elo against the ratings of the puzzles, over the answers that were given on the day. @param {Answers} answers */
export function rating(answers) {
  return ownDays(answers).reduce((before, day) => {
    const expected = 1 / (1 + 10 ** ((puzzleRating(answers[day].difficulty) - before) / SPREAD));
    return before + FACTOR * (scoreOf(answers[day]) - expected);
  }, FIRST_RATING);
}

/** Returns the number of answers and of best settings among them, on any day. @param {Answers} answers */
export function counts(answers) {
  const all = Object.values(answers);
  return { answered: all.length, best: all.filter(isBest).length };
}

/** Reads stored answers. Leaves out what is damaged. @param {string | null} text @returns {Answers} */
export function parseAnswers(text) {
  let stored;
  try {
    stored = JSON.parse(text ?? "");
  } catch {
    return {};
  }
  if (!stored || typeof stored !== "object" || Array.isArray(stored)) return {};
  return Object.fromEntries(Object.entries(stored).filter(([day, answer]) => isDay(day) && isAnswer(answer))
    .map(([day, { low, cost, difficulty, own }]) => [day, { low, cost, difficulty, own }]));
}

/** @param {any} value @returns {value is Answer} */
function isAnswer(value) {
  return Boolean(value) && typeof value === "object" && typeof value.low === "string" && /^\S{2} \S{2}$/.test(value.low)
    && typeof value.cost === "string" && /^\d+(\.\d+)?$/.test(value.cost)
    && Number.isInteger(value.difficulty) && value.difficulty >= 1 && value.difficulty <= 5 && typeof value.own === "boolean";
}

/** Returns the stored answers. @returns {Answers} */
export function loadAnswers() {
  try {
    return parseAnswers(localStorage.getItem(STORAGE_KEY));
  } catch {
    return {};
  }
}

/** Stores an answer, and returns all answers. Reads the stored answers first: another tab may have stored one. @param {string} day @param {Answer} answer @param {Answers} known answers of this tab, for a browser without storage */
export function saveAnswer(day, answer, known) {
  const answers = withAnswer({ ...known, ...loadAnswers() }, day, answer);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(answers));
  } catch {
    // Without storage, the answers last until the page is closed.
  }
  return answers;
}
