import type { NotRepriceableReason } from '#contract/errors.ts';
import { createPageStore } from './store.ts';

/** What a user has to confirm before prices change. */
export type ChangeObstacle =
  /** Repricing is halted. */
  | { readonly kind: 'halt' }
  /** Marketplaces run a sale or set these prices themselves. */
  | {
      readonly kind: 'reasons';
      readonly reasons: readonly NotRepriceableReason[];
      /** Further calls of the same action may have listings with these reasons. */
      readonly isOfMany: boolean;
    };

interface ChangeAnywayQuestion {
  readonly about: ChangeObstacle;
  readonly answer: (isConfirmed: boolean) => void;
}

const question = createPageStore<ChangeAnywayQuestion | null>(null);
const requested = createPageStore<Promise<boolean> | null>(null);

/**
 * Asks the user, and waits for the answer. Calls rejected for the same matter at the same time share one question; another
 * matter waits for its answer.
 */
export async function confirmChange(about: ChangeObstacle): Promise<boolean> {
  for (let open = requested.get(); open !== null; open = requested.get()) {
    const isSame = JSON.stringify(question.get()?.about) === JSON.stringify(about);
    const answer = await open;
    if (isSame) return answer;
  }
  const next = new Promise<boolean>((resolve) => {
    question.set({
      about,
      answer: (isConfirmed) => {
        question.set(null);
        requested.set(null);
        resolve(isConfirmed);
      },
    });
  });
  requested.set(next);
  return next;
}

/** The open question; null if there is none. */
export const useChangeAnyway: () => ChangeAnywayQuestion | null = question.use;

/** Declines an open question, as when its page closes. */
export function declineChange(): void {
  question.get()?.answer(false);
}
