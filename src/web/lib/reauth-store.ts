import { createPageStore } from './store.ts';

/** A sign-in that calls wait for. */
interface Asking {
  readonly answer: Promise<boolean>;
  readonly settle: (isSignedIn: boolean) => void;
}

const asking = createPageStore<Asking | null>(null);
const askers = createPageStore(0);

/** Whether a call waits for the person to sign in again. */
export function useIsAskedToSignIn(): boolean {
  return asking.use() !== null;
}

/** From now on somebody is there to sign in again. @returns nobody is any more */
export function offerSignIn(): () => void {
  askers.set(askers.get() + 1);
  return () => {
    askers.set(askers.get() - 1);
    if (askers.get() === 0) settleSignIn(false);
  };
}

/**
 * Asks the person to sign in again, once for all calls that wait.
 * @returns whether they did; false at once where nobody can
 */
export async function askToSignIn(): Promise<boolean> {
  if (askers.get() === 0) return false;
  const current = asking.get() ?? newAsking();
  asking.set(current);
  return current.answer;
}

/** Lets the waiting calls go on: again, or with the refusal they got. */
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
