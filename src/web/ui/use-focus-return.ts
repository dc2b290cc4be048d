import { useMemo, useRef } from 'react';

interface FocusReturn {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * Gives the focus back to what opened a dialog. The library does so only for a trigger of its own, and our dialogs
 * are opened by state. A link that was followed has moved the focus to the heading of its page: there it stays.
 */
export function useFocusReturn(): FocusReturn {
  const opener = useRef<Element>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus: () => {
        opener.current = openerOf(document.activeElement);
      },
      onCloseAutoFocus: (event) => {
        event.preventDefault();
        const isOnHeading = document.activeElement?.tagName === 'H1';
        if (!isOnHeading && opener.current instanceof HTMLElement) opener.current.focus();
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
