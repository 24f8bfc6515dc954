// The picture of a result: seven card backs, the number of the puzzle, the verdict and the streak. It shows neither a card nor a setting.

import { render } from "../dom.js";
import { back } from "../cards/back.js";
import { words } from "../words.js";

/** @typedef {{ number: number, day: string, verdict: string, streak: number, name: string }} PictureText texts of the picture: the day and the verdict in words, and an optional name */

/** Size of the picture in pixels: that of link previews. */
export const SIZE = { width: 1200, height: 630 };

const CARD = { width: 130, height: 182, gap: 14, top: 208, split: 40 };
const MARGIN = 76;
const SVG = "http://www.w3.org/2000/svg";

/** @type {Promise<HTMLImageElement> | null} */
let cardBack = null;

/** Returns the back of a card as an image. */
function backImage() {
  cardBack ??= (async () => {
    const svg = document.createElementNS(SVG, "svg");
    for (const [name, value] of Object.entries({ viewBox: "0 0 100 140", width: CARD.width * 2, height: CARD.height * 2 })) svg.setAttribute(name, String(value));
    render(svg, back());
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
    await image.decode();
    return image;
  })();
  return cardBack;
}

/** Draws the picture. @param {HTMLCanvasElement} canvas @param {PictureText} text */
export async function drawPicture(canvas, { number, day, verdict, streak, name }) {
  // The fonts of the page may still be loading.
  const [image] = await Promise.all([backImage(), document.fonts.load('600 64px "Libertinus Serif"'), document.fonts.load('400 30px "Noto Sans"'), document.fonts.load('600 30px "Noto Sans"')]);
  const context = canvas.getContext("2d");
  if (!context) return;
  const style = getComputedStyle(document.documentElement);
  const token = (/** @type {string} */ property) => style.getPropertyValue(property).trim();
  const write = (/** @type {string} */ what, /** @type {number} */ y, /** @type {string} */ font, /** @type {string} */ color) => {
    context.font = font;
    context.fillStyle = token(color);
    context.fillText(what, MARGIN, y, SIZE.width - 2 * MARGIN);
  };
  const felt = context.createRadialGradient(SIZE.width / 2, 0, 0, SIZE.width / 2, 0, SIZE.width * 0.75);
  felt.addColorStop(0, token("--felt-1"));
  felt.addColorStop(0.55, token("--felt-2"));
  felt.addColorStop(1, token("--felt-3"));
  context.fillStyle = felt;
  context.fillRect(0, 0, SIZE.width, SIZE.height);
  context.strokeStyle = token("--gold");
  context.lineWidth = 3;
  context.strokeRect(28, 28, SIZE.width - 56, SIZE.height - 56);

  const [serif, sans] = [token("--serif"), token("--sans")];
  write(words.puzzle.picture.title(number), 130, `600 64px ${serif}`, "--gold");
  write(day, 178, `400 30px ${sans}`, "--on-felt-2");
  for (let index = 0; index < 7; index += 1) {
    // Two cards for the low hand, then five for the high hand, as in every setting.
    const x = MARGIN + index * (CARD.width + CARD.gap) + (index < 2 ? 0 : CARD.split);
    context.fillStyle = token("--card");
    context.beginPath();
    context.roundRect(x, CARD.top, CARD.width, CARD.height, 9);
    context.fill();
    context.drawImage(image, x, CARD.top, CARD.width, CARD.height);
  }
  write(verdict, 470, `600 54px ${serif}`, "--on-felt");
  write([streak > 0 && words.puzzle.picture.streak(streak), name].filter(Boolean).join(" · "), 532, `500 36px ${sans}`, "--on-felt-2");
}
