import { createPageStore } from './store.ts';

/** What the two live regions of the page say. They are in the page from the start, or readers miss the first text. */
interface Announcements {
  readonly polite: string;
  readonly assertive: string;
}

const announcements = createPageStore<Announcements>({ polite: '', assertive: '' });

/**
 * Has a screen reader say a text that is not where the focus is.
 * @param urgency `assertive` interrupts: only for what must not wait
 */
export function announce(text: string, urgency: keyof Announcements = 'polite'): void {
  const current = announcements.get();
  // A trailing no-break space makes a repeated text a change, or it would not be read again.
  announcements.set({ ...current, [urgency]: current[urgency] === text ? `${text}\u00A0` : text });
}

/** The texts to draw. */
export const useAnnouncements: () => Announcements = announcements.use;
