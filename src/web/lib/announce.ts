import { createPageStore } from './store.ts';

/** The texts of the page's two live regions. The regions exist from the start: readers miss the text of a new one. */
interface Announcements {
  readonly polite: string;
  readonly assertive: string;
}

const announcements = createPageStore<Announcements>({ polite: '', assertive: '' });

/**
 * Makes a screen reader announce a text outside the focus.
 * @param urgency `assertive` interrupts: only for what must not wait
 */
export function announce(text: string, urgency: keyof Announcements = 'polite'): void {
  const current = announcements.get();
  // A trailing no-break space makes a repeated text different; otherwise it would not be announced again.
  announcements.set({ ...current, [urgency]: current[urgency] === text ? `${text}\u00A0` : text });
}

/** The texts to render. */
export const useAnnouncements: () => Announcements = announcements.use;
