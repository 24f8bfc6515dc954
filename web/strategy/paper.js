// A strategy card on paper: its sizes, and the largest type in which a card fits on one side.

/**
 * @typedef {"a6" | "a4"} Paper
 * @typedef {{ points: number, dense: boolean }} Type the size of the type in points, and whether the card has narrow margins
 * @typedef {Record<Paper, Type | null>} Fit the type on each paper, or `null` if the card does not fit
 */

/** Papers, the smallest first, with the smallest legible and the largest sensible type size in points. `style/strategy-card.css` has their dimensions. @type {{ paper: Paper, name: string, min: number, max: number }[]} */
export const PAPERS = [{ paper: "a6", name: "A6", min: 6.5, max: 9 }, { paper: "a4", name: "A4", min: 9, max: 13.5 }];

const STEP = 0.25;

/** Returns the largest type size from `min` to `max` in which a card fits, or `null`. A larger size never fits if a smaller one does not. @param {{ min: number, max: number }} sizes @param {(points: number) => boolean} fits */
export function largest({ min, max }, fits) {
  for (let points = max; points >= min; points -= STEP) if (fits(points)) return points;
  return null;
}

/** Returns the paper to print on: the chosen one if the card fits, else the first on which it does, else A4. @param {Paper} chosen @param {Fit} fit @returns {Paper} */
export const paperFor = (chosen, fit) => (fit[chosen] ? chosen : PAPERS.find(({ paper }) => fit[paper])?.paper ?? "a4");

/**
 * Measures a card as it is printed, in a copy outside the window. Margins are narrow only if the card does not fit with wide ones.
 * @param {Element} card @returns {Fit}
 */
export function measure(card) {
  /** @type {Fit} */
  const fit = { a6: null, a4: null };
  for (const { paper, ...sizes } of PAPERS) {
    const copy = /** @type {HTMLElement} */ (card.cloneNode(true));
    copy.setAttribute("aria-hidden", "true");
    document.body.append(copy);
    const list = /** @type {HTMLElement} */ (copy.querySelector(".print-rules"));
    for (const dense of [false, true]) {
      copy.className = `print-card measured ${paper} ${dense ? "dense" : ""}`;
      const points = largest(sizes, (size) => {
        copy.style.setProperty("--text", String(size));
        return list.scrollHeight <= list.clientHeight;
      });
      if (points) fit[paper] ??= { points, dense };
    }
    copy.remove();
  }
  return fit;
}
