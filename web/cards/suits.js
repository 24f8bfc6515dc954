// SVG outlines of the suits, a crown and a jester's cap.

const SHAPES = {
  h: "M16 29C7.5 22 2 16.6 2 10.6A7.2 7.2 0 0 1 16 7.9 7.2 7.2 0 0 1 30 10.6C30 16.6 24.5 22 16 29Z",
  d: "M16 1.5C18.6 7 22.6 12 27 16 22.6 20 18.6 25 16 30.5 13.4 25 9.4 20 5 16 9.4 12 13.4 7 16 1.5Z",
  s: "M16 1.5C12 8.2 2.6 12.9 2.6 19.6A6.4 6.4 0 0 0 14.3 23.3C14.1 26.6 12.9 29 10.4 30.5H21.6C19.1 29 17.9 26.6 17.7 23.3A6.4 6.4 0 0 0 29.4 19.6C29.4 12.9 20 8.2 16 1.5Z",
  c: "M16 1.5A6.4 6.4 0 0 0 11 11.9 6.5 6.5 0 1 0 14.3 21.7C14.2 25.9 13.1 28.8 10.4 30.5H21.6C18.9 28.8 17.8 25.9 17.7 21.7A6.5 6.5 0 1 0 21 11.9 6.4 6.4 0 0 0 16 1.5Z",
  // The crown marks kings, queens and jacks; the cap marks the joker.
  crown: "M3 25 1 9.5 9 16 16 4 23 16 31 9.5 29 25ZM3.4 27.5H28.6V30.5H3.4Z",
  cap: "M6 23.5C7.2 16 6.2 11.6 4.6 12.6A2.6 2.6 0 1 1 1.2 8.9C5 3.8 10.6 5.4 12.6 11.4 12.9 7.4 14 4.6 15 3.4A2.4 2.4 0 1 1 17 3.4C18 4.6 19.1 7.4 19.4 11.4 21.4 5.4 27 3.8 30.8 8.9A2.6 2.6 0 1 1 27.4 12.6C25.8 11.6 24.8 16 26 23.5ZM5.6 25.8H26.4V30H5.6Z",
};

/** @typedef {keyof typeof SHAPES} Mark */

/** Creates the SVG element of a mark. @param {Mark} mark @param {string} [classes] */
export function mark(mark, classes) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("aria-hidden", "true");
  if (classes) svg.setAttribute("class", classes);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[mark]);
  svg.append(path);
  return svg;
}

/** Returns the path data of a mark. @param {Mark} name */
export const outline = (name) => SHAPES[name];
