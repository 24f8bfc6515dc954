// Series of clicks: the second click of a double click must not act on a control whose action the first click has changed.

/** Action of the control at the first click of the series. */
let first = "";

/** Whether a click has the action of the first click of its series. Prevents the default of a click that has not. @param {MouseEvent} event @param {string} action current action of the control */
export function isSameAction(event, action) {
  // The detail counts the clicks of a series. It is zero if a key or a screen reader caused the click.
  if (event.detail <= 1) first = action;
  if (action === first) return true;
  event.preventDefault();
  return false;
}
