// Announcements for screen readers, through two live regions: polite for results, assertive for urgent messages.

/** Announces a text to screen readers. @param {string} text @param {"polite" | "assertive"} [how] */
export function announce(text, how = "polite") {
  const region = document.getElementById(`say-${how}`);
  if (!region || !text) return;
  // Each text is a new paragraph, so that a repeated text is announced again. Old paragraphs are removed.
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > 3) region.firstElementChild?.remove();
}
