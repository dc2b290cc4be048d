/** Where a key means something of its own: texts, menus, dialogs. */
const TAKEN =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]';

/** Whether a single key may act as a shortcut: no modifier is held and nothing else wants it. */
export function isFreeKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  const { target } = event;
  if (target instanceof Element && target.closest(TAKEN) !== null) return false;
  // An open dialog owns the keyboard, wherever the focus is.
  return document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"]') === null;
}
