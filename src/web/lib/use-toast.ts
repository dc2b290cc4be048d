import { createPageStore } from './store.ts';

type ToastTone = 'neutral' | 'destructive';

/** What a toast offers besides closing it. The same must be reachable elsewhere: a toast goes by itself. */
export interface ToastAction {
  /** Verb, such as "Undo". */
  readonly label: string;
  readonly run: () => void;
}

export interface ToastMessage {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly tone: ToastTone;
  readonly action: ToastAction | null;
  readonly open: boolean;
}

/** At most this many at a time; a newer one takes the place of the older. */
const LIMIT = 1;
/** A dismissed toast is forgotten after this many milliseconds. */
export const REMOVE_DELAY = 1_000_000;

const messages = createPageStore<readonly ToastMessage[]>([]);
const lastId = createPageStore(0);

/**
 * Shows a message for a moment. Errors that need work also stay on the page; field errors never come here.
 * @param tone neutral unless given
 * @param action none unless given; with one the toast stays twice as long
 */
export function toast(
  title: string,
  description: string,
  tone: ToastTone = 'neutral',
  action: ToastAction | null = null,
): void {
  lastId.set(lastId.get() + 1);
  const message = { id: lastId.get(), title, description, tone, action, open: true };
  messages.set([message, ...messages.get()].slice(0, LIMIT));
}

/** Closes a toast; it leaves memory after {@link REMOVE_DELAY}. */
export function dismissToast(id: number): void {
  messages.set(messages.get().map((message) => (message.id === id ? { ...message, open: false } : message)));
  setTimeout(() => messages.set(messages.get().filter((message) => message.id !== id)), REMOVE_DELAY);
}

/** Closes what is shown, as when the action it was about is tried again. */
export function dismissToasts(): void {
  for (const message of messages.get()) if (message.open) dismissToast(message.id);
}

/** The toasts to draw, newest first. */
export const useToasts: () => readonly ToastMessage[] = messages.use;
