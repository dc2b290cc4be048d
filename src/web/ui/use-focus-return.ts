import { useMemo, useRef } from 'react';
import { createPageStore } from '#web/lib/store.ts';

interface FocusReturn {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** The elements that opened the current dialogs, the newest last. */
const openers = createPageStore<readonly React.RefObject<Element | null>[]>([]);

/** The button of a menu that has just closed and has not returned the focus to it yet. */
const closingMenu = createPageStore<HTMLElement | null>(null);

/**
 * Returns the focus to the button of a menu, also for a dialog opened by one of its entries: the dialog may open
 * after the menu has closed and before its button has the focus.
 * @returns the button's ref, and the props of the menu
 */
export function useMenuFocus(): {
  readonly button: React.RefObject<HTMLButtonElement | null>;
  readonly noteOpen: (isOpen: boolean) => void;
  readonly noteClosed: () => void;
} {
  const button = useRef<HTMLButtonElement>(null);
  return useMemo(
    () => ({
      button,
      noteOpen: (isOpen) => closingMenu.set(isOpen ? null : button.current),
      noteClosed: () => closingMenu.set(null),
    }),
    [],
  );
}

/**
 * Returns the focus to the element that opened a dialog. The library does so only for its own triggers, and our
 * dialogs are opened by state. An element that took the focus in between keeps it: the heading of a page that a link
 * led to, or a field restored with its text.
 * A dialog that replaces another one returns it to the opener of the first.
 */
export function useFocusReturn(): FocusReturn {
  const opener = useRef<Element>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus: () => {
        const active = document.activeElement;
        // The focused element belonged to the previous dialog, which has not returned the focus yet.
        const isLost = active === null || active === document.body;
        opener.current = isLost
          ? (closingMenu.get() ?? openers.get().at(-1)?.current ?? null)
          : openerOf(active);
        openers.set([...openers.get(), opener]);
      },
      onCloseAutoFocus: (event) => {
        event.preventDefault();
        openers.set(openers.get().filter((each) => each !== opener));
        const active = document.activeElement;
        const isTaken = active !== null && active !== document.body;
        if (!isTaken && opener.current instanceof HTMLElement) opener.current.focus();
      },
    }),
    [],
  );
}

// A menu's entry is unmounted when the dialog closes; the button of the menu is still there.
function openerOf(active: Element | null): Element | null {
  const buttonId = active?.closest('[role=menu]')?.getAttribute('aria-labelledby') ?? null;
  return buttonId === null ? active : document.getElementById(buttonId);
}
