import { createStore } from './store.ts';

/** Milliseconds until the server is asked again, while it does not answer. */
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;

/** False from a call that got no answer until one gets any. */
const isConnected = createStore(true);
let wait = FIRST_WAIT;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the server answers, as far as this page knows. */
export const useIsConnected: () => boolean = isConnected.use;

/** An answer came, whatever it says. */
export function noteAnswer(): void {
  clearTimeout(timer);
  wait = FIRST_WAIT;
  if (!isConnected.get()) isConnected.set(true);
}

/** No answer came. The server is asked now and then until it answers. */
export function noteNoAnswer(): void {
  isConnected.set(false);
  clearTimeout(timer);
  timer = setTimeout(() => void checkConnection(), wait);
  wait = Math.min(wait * 2, LONGEST_WAIT);
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
