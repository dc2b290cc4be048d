import { useMemo, useRef } from 'react';
import { createPageStore } from '#web/lib/store.ts';

interface FocusReturn {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** What opened the dialogs that are there, the newest last. */
const openers = createPageStore<readonly React.RefObject<Element | null>[]>([]);

/** The button of a menu that has just closed and has not given the focus back to it yet. */
const closingMenu = createPageStore<HTMLElement | null>(null);

/**
 * Gives the focus back to the button of a menu, also by way of a dialog that one of its entries opened: it may come
 * in the moment when the menu is gone and its button not in focus yet.
 * @returns the button's ref, and what to tell of the menu
 */
export function useMenuFocus(): {
  readonly button: React.RefObject<HTMLButtonElement | null>;
  readonly noteOpen: (isOpen: boolean) => void;
  readonly noteGone: () => void;
} {
  const button = useRef<HTMLButtonElement>(null);
  return useMemo(
    () => ({
      button,
      noteOpen: (isOpen) => closingMenu.set(isOpen ? null : button.current),
      noteGone: () => closingMenu.set(null),
    }),
    [],
  );
}

/**
 * Gives the focus back to what opened a dialog. The library does so only for a trigger of its own, and our dialogs
 * are opened by state. What has taken the focus meanwhile keeps it: the heading of a page that a link led to, or a
 * field that came back with what was typed.
 * A dialog that takes the place of another one gives it back to what opened the first.
 */
export function useFocusReturn(): FocusReturn {
  const opener = useRef<Element>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus: () => {
        const active = document.activeElement;
        // What had the focus went with the dialog before, which has not given it back yet.
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

// A menu's entry is gone by the time the dialog closes; the button of the menu is still there.
function openerOf(active: Element | null): Element | null {
  const buttonId = active?.closest('[role=menu]')?.getAttribute('aria-labelledby') ?? null;
  return buttonId === null ? active : document.getElementById(buttonId);
}
