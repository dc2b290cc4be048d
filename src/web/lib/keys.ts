/** The group of a key in the help. */
export const KEY_GROUPS = ['Everywhere', 'Go to', 'In lists', 'In forms and dialogs'] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

/** A key, or several with the same action, and its label. */
export interface KeyDefinition {
  /**
   * "x", "Shift+X", "Mod+K", "G D" for one after the other. `Mod` is Ctrl, or Cmd on a Mac. A letter or sign without
   * a modifier is a single key: it acts only where nothing is typed, and can be switched off.
   */
  readonly keys: readonly string[];
  readonly label: string;
  readonly group: KeyGroup;
  /** Also while the focus is in a text field. Never for single keys. */
  readonly inFields?: boolean;
  /** Also over an open dialog. */
  readonly inDialogs?: boolean;
  /** Repeats while held down. */
  readonly mayRepeat?: boolean;
}

/** Every key of the product except the "G then ..." keys, which come from the list of screens. */
export const KEYS = {
  palette: {
    keys: ['Mod+K'],
    label: 'Search and commands',
    group: 'Everywhere',
    inFields: true,
    inDialogs: true,
  },
  help: { keys: ['?'], label: 'Show the keyboard shortcuts', group: 'Everywhere' },
  sidebar: {
    keys: ['Mod+B'],
    label: 'Toggle sidebar',
    group: 'Everywhere',
    inFields: true,
    inDialogs: true,
  },
  undo: { keys: ['Mod+Z'], label: 'Undo the last action', group: 'Everywhere' },
  toast: { keys: ['F8'], label: 'Go to the notification', group: 'Everywhere' },
  close: {
    keys: ['Escape'],
    label: 'Close the top layer, then clear the search, then the selection',
    group: 'Everywhere',
  },
  search: { keys: ['/'], label: 'Go to the search', group: 'In lists' },
  nextRow: { keys: ['J', 'ArrowDown'], label: 'Next row', group: 'In lists', mayRepeat: true },
  previousRow: { keys: ['K', 'ArrowUp'], label: 'Previous row', group: 'In lists', mayRepeat: true },
  openRow: { keys: ['Enter', 'O'], label: 'Open the row', group: 'In lists' },
  toggleRow: { keys: ['X'], label: 'Select the row', group: 'In lists' },
  toggleRange: { keys: ['Shift+X'], label: 'Select all rows from the last one', group: 'In lists' },
  selectionActs: { keys: ['A'], label: 'Go to what can be done with the selected rows', group: 'In lists' },
  selectPage: { keys: ['Mod+A'], label: 'Select the page, on a row', group: 'In lists' },
  editRow: { keys: ['E', 'F2'], label: 'Edit the price of the row', group: 'In lists' },
  rowMenu: { keys: ['Shift+F10', 'ContextMenu'], label: 'Open the menu of the row', group: 'In lists' },
  create: { keys: ['C'], label: 'Create', group: 'In lists' },
  refresh: { keys: ['R'], label: 'Refresh', group: 'In lists' },
  previousPage: { keys: ['['], label: 'Previous page', group: 'In lists' },
  nextPage: { keys: [']'], label: 'Next page', group: 'In lists' },
  save: { keys: ['Mod+S'], label: 'Save', group: 'In forms and dialogs', inFields: true },
  submit: { keys: ['Mod+Enter'], label: 'Submit the dialog', group: 'In forms and dialogs' },
} as const satisfies Record<string, KeyDefinition>;

const NAMES: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowDown: 'Down',
  ArrowUp: 'Up',
  ContextMenu: 'Menu',
};

/** Whether it is a letter or sign on its own, or two of them: these can be switched off. */
export function isSingleKey(keys: string): boolean {
  return keys.split(' ').every((key) => key.replace('Shift+', '').length === 1);
}

/** For display: "Ctrl+K", "G then D". */
export function keyText(keys: string): string {
  return keys.split(' ').map(strokeText).join(' then ');
}

/** For `aria-keyshortcuts`; undefined for a sequence, which that attribute cannot express. */
export function ariaKeys({ keys }: KeyDefinition): string | undefined {
  if (keys.some((each) => each.includes(' '))) return undefined;
  return keys.map((each) => each.replace('Mod+', `${isMac() ? 'Meta' : 'Control'}+`)).join(' ');
}

/**
 * Whether a key event matches the stroke: "K", "Shift+X", "Mod+K".
 * Shift counts for letters and named keys; for signs it only depends on the keyboard layout.
 */
export function matchesStroke(event: KeyboardEvent, stroke: string): boolean {
  const parts = stroke.split('+');
  const key = parts.at(-1) ?? '';
  const isMod = parts.includes('Mod');
  if (event.altKey || isMod !== (event.ctrlKey || event.metaKey)) return false;
  if (event.key.toLowerCase() !== key.toLowerCase()) return false;
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  return isSign || event.shiftKey === parts.includes('Shift');
}

function strokeText(stroke: string): string {
  return stroke
    .split('+')
    .map((part) => (part === 'Mod' ? (isMac() ? 'Cmd' : 'Ctrl') : (NAMES[part] ?? part)))
    .join('+');
}

function isMac(): boolean {
  return /mac/i.test(navigator.userAgent);
}
