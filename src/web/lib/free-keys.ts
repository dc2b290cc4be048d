/** Where a letter is typed. */
const FIELD =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"]';
/** Where a letter means something of its own: texts, menus, dialogs. */
const TAKEN = `${FIELD}, [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]`;

/** Whether a single key may act as a shortcut: no modifier is held and nothing else wants it. */
export function isFreeKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  return !isWithin(event, TAKEN) && !isModalOpen();
}

/** Whether the key was pressed in a field, where Ctrl+Z and the like are the field's own. */
export function isInField(event: KeyboardEvent): boolean {
  return isWithin(event, FIELD);
}

/** Whether a dialog that takes the page away is open: it owns the keyboard, wherever the focus is. */
export function isModalOpen(): boolean {
  // Every modal dialog lays this under itself; panels and popovers, which leave the page usable, do not.
  return document.querySelector('[data-scroll-lock]') !== null;
}

function isWithin({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
