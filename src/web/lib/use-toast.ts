import { createPageStore } from './store.ts';

type ToastTone = 'neutral' | 'destructive';

/** A toast's action. It must also be available elsewhere: a toast closes automatically. */
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

/** At most this many at a time; a newer one replaces the oldest. */
const LIMIT = 1;
/** Milliseconds after which a dismissed toast is removed. */
export const REMOVE_DELAY = 1_000_000;

const messages = createPageStore<readonly ToastMessage[]>([]);
const lastId = createPageStore(0);

/**
 * Shows a short message. Errors that need work also stay on the page; field errors never appear here.
 * @param tone default: neutral
 * @param action default: none; with one the toast stays twice as long
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

/** Closes a toast; it is removed after {@link REMOVE_DELAY}. */
export function dismissToast(id: number): void {
  messages.set(messages.get().map((message) => (message.id === id ? { ...message, open: false } : message)));
  setTimeout(() => messages.set(messages.get().filter((message) => message.id !== id)), REMOVE_DELAY);
}

/** Closes all toasts, as when their action is tried again. */
export function dismissToasts(): void {
  for (const message of messages.get()) if (message.open) dismissToast(message.id);
}

/** The toasts to render, newest first. */
export const useToasts: () => readonly ToastMessage[] = messages.use;
