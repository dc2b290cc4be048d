/** Elements in which a letter is typed. */
const FIELD =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"]';
/** Elements with their own use for letters: text fields, menus, dialogs. */
const TAKEN = `${FIELD}, [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]`;

/** Whether a single key may act as a shortcut: no modifier is held and the focused element does not use it. */
export function isFreeKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  return !isWithin(event, TAKEN) && !isModalOpen();
}

/** Whether the key was pressed in a field, which handles Ctrl+Z and the like itself. */
export function isInField(event: KeyboardEvent): boolean {
  return isWithin(event, FIELD);
}

/** Whether a modal dialog is open: it gets every key, wherever the focus is. */
export function isModalOpen(): boolean {
  // Every modal dialog has this backdrop; panels and popovers, which leave the page usable, have none.
  return document.querySelector('[data-scroll-lock]') !== null;
}

function isWithin({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
