import { createPageStore } from './store.ts';

/** Milliseconds until the next poll while the server does not answer. */
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;

/** False from the first call without an answer until the next answer. */
const isConnected = createPageStore(true);
/** Milliseconds before the next poll. */
const wait = createPageStore(FIRST_WAIT);
const timer = createPageStore<ReturnType<typeof setTimeout> | undefined>(undefined);
/** Callbacks that run with the next answer. */
const waiting = createPageStore<readonly (() => void)[]>([]);

/** Whether the server answered the latest call. */
export const useIsConnected: () => boolean = isConnected.use;

/** Records any answer, errors included. */
export function noteAnswer(): void {
  clearTimeout(timer.get());
  wait.set(FIRST_WAIT);
  if (!isConnected.get()) isConnected.set(true);
  const goOn = waiting.get();
  waiting.set([]);
  for (const go of goOn) go();
}

/** Records a missing answer. The server is polled until it answers. */
export function noteNoAnswer(): void {
  isConnected.set(false);
  clearTimeout(timer.get());
  timer.set(setTimeout(() => void checkConnection(), wait.get()));
  wait.set(Math.min(wait.get() * 2, LONGEST_WAIT));
}

/** Polls the server. Not `navigator.onLine`: a server on this machine answers without a network. */
export async function checkConnection(): Promise<void> {
  try {
    await fetch('/healthz', { method: 'GET', credentials: 'omit', cache: 'no-store' });
    noteAnswer();
  } catch {
    noteNoAnswer();
  }
}

/**
 * Loads a chunk of the page; without an answer from the server, waits for one and tries again instead of failing
 * the page.
 * @throws what `load` threw, if the server answers: the chunk is missing, as after an upgrade
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
