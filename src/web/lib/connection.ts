import { createPageStore } from './store.ts';

/** Milliseconds until the server is asked again, while it does not answer. */
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;

/** False from a call that got no answer until one gets any. */
const isConnected = createPageStore(true);
/** Milliseconds before it is asked again. */
const wait = createPageStore(FIRST_WAIT);
const timer = createPageStore<ReturnType<typeof setTimeout> | undefined>(undefined);
/** What goes on with the next answer. */
const waiting = createPageStore<readonly (() => void)[]>([]);

/** Whether the server answers, as far as this page knows. */
export const useIsConnected: () => boolean = isConnected.use;

/** An answer came, whatever it says. */
export function noteAnswer(): void {
  clearTimeout(timer.get());
  wait.set(FIRST_WAIT);
  if (!isConnected.get()) isConnected.set(true);
  const goOn = waiting.get();
  waiting.set([]);
  for (const go of goOn) go();
}

/** No answer came. The server is asked now and then until it answers. */
export function noteNoAnswer(): void {
  isConnected.set(false);
  clearTimeout(timer.get());
  timer.set(setTimeout(() => void checkConnection(), wait.get()));
  wait.set(Math.min(wait.get() * 2, LONGEST_WAIT));
}

/** Asks the server whether it is there. Not the browser: a server on this machine answers without a network. */
export async function checkConnection(): Promise<void> {
  try {
    await fetch('/healthz', { method: 'GET', credentials: 'omit', cache: 'no-store' });
    noteAnswer();
  } catch {
    noteNoAnswer();
  }
}

/**
 * Loads a part of the page; without an answer from the server it waits for one and tries again, instead of giving up
 * on the page.
 * @throws what `load` threw, where the server answers: the part is gone, as after an upgrade
 */
export async function loadAnswered<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      await checkConnection();
      if (isConnected.get()) throw error;
      await new Promise<void>((go) => waiting.set([...waiting.get(), go]));
    }
  }
}
