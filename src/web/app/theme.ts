import { readStored, STORAGE_KEYS, writeStored } from '#web/lib/storage.ts';
import { createPageStore } from '#web/lib/store.ts';

export type Theme = 'light' | 'dark';

const DARK_SYSTEM = '(prefers-color-scheme: dark)';

const theme = createPageStore<Theme>('light');

/** The theme in use. */
export const useTheme: () => Theme = theme.use;

/**
 * Follows the stored choice, else the system setting, in every tab.
 * The inline script of index.html decides the same before the first paint.
 * @returns stops following
 */
export function followTheme(): () => void {
  const system = window.matchMedia(DARK_SYSTEM);
  system.addEventListener('change', applyTheme);
  window.addEventListener('storage', applyTheme);
  applyTheme();
  return () => {
    system.removeEventListener('change', applyTheme);
    window.removeEventListener('storage', applyTheme);
  };
}

/** Switches between light and dark and stores the choice. */
export function toggleTheme(): void {
  const next = theme.get() === 'dark' ? 'light' : 'dark';
  writeStored(STORAGE_KEYS.theme, next);
  show(next);
}

function applyTheme(): void {
  const stored = readStored(STORAGE_KEYS.theme);
  if (stored === 'dark' || stored === 'light') show(stored);
  else show(window.matchMedia(DARK_SYSTEM).matches ? 'dark' : 'light');
}

function show(next: Theme): void {
  document.documentElement.classList.toggle('dark', next === 'dark');
  theme.set(next);
}
