// Dragging cards between the boxes with a pointer.

/** Distance in pixels after which a press becomes a drag. */
export const START_PX = 7;

/**
 * Lets the player drag cards of the own hand.
 * @param {import("../component.js").Component} root
 * @param {(card: string, box: "low" | "high", other?: string) => void} drop called with the box, and with the card that the card is dropped on
 */
export function dragCards(root, drop) {
  /** @type {{ element: HTMLElement, x: number, y: number, pointer: number, moved: boolean } | null} */
  let drag = null;

  /** @param {Element | null | undefined} element */
  const cardOf = (element) => /** @type {HTMLElement | null} */ (element?.closest("button.own-card:not(.down, [aria-disabled])") ?? null);

  const end = () => {
    if (!drag) return;
    drag.element.classList.remove("dragged");
    drag.element.style.removeProperty("translate");
    drag = null;
  };

  root.on(root, "pointerdown", (/** @type {PointerEvent} */ event) => {
    const element = cardOf(/** @type {Element} */ (event.target));
    if (element && event.button === 0 && event.isPrimary) drag = { element, x: event.clientX, y: event.clientY, pointer: event.pointerId, moved: false };
  });
  root.on(root, "pointermove", (/** @type {PointerEvent} */ event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) < START_PX) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.element.setPointerCapture(event.pointerId);
      drag.element.classList.add("dragged");
    }
    drag.element.style.setProperty("translate", `${x}px ${y}px`);
  });
  root.on(root, "pointerup", (/** @type {PointerEvent} */ event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { element, moved } = drag;
    if (moved) {
      const under = document.elementsFromPoint(event.clientX, event.clientY);
      const box = under.map((one) => one.closest("[data-box]")).find(Boolean)?.getAttribute("data-box");
      const other = under.map(cardOf).find((one) => one && one !== element)?.dataset.card;
      const card = element.dataset.card ?? "";
      // The click that follows a drag must not move the card again.
      swallowClick(root);
      if (box === "low" || box === "high") drop(card, box, other);
    }
    end();
  });
  root.on(root, "pointercancel", (/** @type {PointerEvent} */ event) => {
    if (event.pointerId === drag?.pointer) end();
  });
}

/** Ignores the click that follows the release of a pointer. @param {HTMLElement} root */
export function swallowClick(root) {
  root.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => root.removeEventListener("click", stop, { capture: true }), 0);
}

/** @param {Event} event */
function stop(event) {
  event.stopPropagation();
  event.preventDefault();
}
