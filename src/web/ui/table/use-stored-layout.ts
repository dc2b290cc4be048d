import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sessionQuery } from '#web/lib/session.ts';
import { readStored, removeStored, type StorageKey, tableKey, writeStored } from '#web/lib/storage.ts';
import { createPageStore } from '#web/lib/store.ts';
import { NO_LAYOUT, parseLayout, type TableLayout } from './table-layout.ts';

/** Layouts written by this window, shared by all components that show the same table. */
const written = createPageStore<ReadonlyMap<StorageKey, string | null>>(new Map());

interface StoredLayout {
  readonly layout: TableLayout;
  /** The user's layout differs from `base`. */
  readonly isChanged: boolean;
  readonly save: (next: TableLayout) => void;
  /** Resets to `base`. */
  readonly reset: () => void;
}

/**
 * The logged-in user's layout of a table; stored per user and name in this browser.
 * @param name of the table, or of the view of it
 * @param base the default layout
 */
export function useStoredLayout(name: string, base: TableLayout = NO_LAYOUT): StoredLayout {
  const userId = useQuery(sessionQuery).data?.id ?? '';
  const key = tableKey(userId, name);
  // Without storage a written layout lasts as long as the page.
  const text = useText(key);
  const layout = useMemo(() => (text === null ? base : parseLayout(text)), [text, base]);
  return {
    layout,
    isChanged: text !== null,
    save: (next) => write(key, JSON.stringify(next)),
    reset: () => write(key, null),
  };
}

function useText(key: StorageKey): string | null {
  const known = written.use();
  return useMemo(() => readStored(key) ?? known.get(key) ?? null, [key, known]);
}

function write(key: StorageKey, text: string | null): void {
  if (text === null) removeStored(key);
  else writeStored(key, text);
  // The storage event does not fire in the window that wrote.
  written.set(new Map([[key, readStored(key) === null ? text : null]]));
}
