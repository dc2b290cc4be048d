import { createPageStore } from './store.ts';

/** A sign-in that calls wait for. */
interface Asking {
  readonly answer: Promise<boolean>;
  readonly settle: (isSignedIn: boolean) => void;
}

const asking = createPageStore<Asking | null>(null);
const askers = createPageStore(0);

/** Whether a call waits for the user to sign in again. */
export function useIsSignInRequested(): boolean {
  return asking.use() !== null;
}

/** Registers the page that can ask for the sign-in. @returns unregisters it */
export function offerSignIn(): () => void {
  askers.set(askers.get() + 1);
  return () => {
    askers.set(askers.get() - 1);
    if (askers.get() === 0) settleSignIn(false);
  };
}

/**
 * Asks the user to sign in again, once for all waiting calls.
 * @returns whether they did; false at once if no page can ask
 */
export async function requestSignIn(): Promise<boolean> {
  if (askers.get() === 0) return false;
  const current = asking.get() ?? newAsking();
  asking.set(current);
  return current.answer;
}

/** Lets the waiting calls continue: repeated, or with their error. */
export function settleSignIn(isSignedIn: boolean): void {
  const current = asking.get();
  asking.set(null);
  current?.settle(isSignedIn);
}

function newAsking(): Asking {
  let settle: Asking['settle'] = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { answer, settle };
}
