// Two live regions for screen readers: results politely, and at once what cannot wait.

/** @param {string} text @param {"polite" | "assertive"} [how] */
export function announce(text, how = "polite") {
  const region = document.getElementById(`say-${how}`);
  if (!region || !text) return;
  // A paragraph each, so that the same words twice are said twice; old ones go.
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > 3) region.firstElementChild?.remove();
}
