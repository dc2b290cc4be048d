import { createPageStore } from './store.ts';

/** A login that calls wait for. */
interface Asking {
  readonly answer: Promise<boolean>;
  readonly settle: (isLoggedIn: boolean) => void;
}

const asking = createPageStore<Asking | null>(null);
const askers = createPageStore(0);

/** Whether a call waits for the user to log in again. */
export function useIsLogInRequested(): boolean {
  return asking.use() !== null;
}

/** Registers the page that can ask for the login page. @returns unregisters it */
export function offerLogIn(): () => void {
  askers.set(askers.get() + 1);
  return () => {
    askers.set(askers.get() - 1);
    if (askers.get() === 0) settleLogIn(false);
  };
}

/**
 * Asks the user to log in again, once for all waiting calls.
 * @returns whether they did; false at once if no page can ask
 */
export async function requestLogIn(): Promise<boolean> {
  if (askers.get() === 0) return false;
  const current = asking.get() ?? newAsking();
  asking.set(current);
  return current.answer;
}

/** Lets the waiting calls continue: repeated, or with their error. */
export function settleLogIn(isLoggedIn: boolean): void {
  const current = asking.get();
  asking.set(null);
  current?.settle(isLoggedIn);
}

function newAsking(): Asking {
  let settle: Asking['settle'] = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { answer, settle };
}
