import type { z } from 'zod';
import { ApiError, CallError, call } from './api.ts';
import { createPageStore } from './store.ts';

/** An open question for the password. */
interface Question {
  /** The action that needs it; null if it is obvious. */
  readonly because: string | null;
  /** @param isStepUpFresh true if the server accepted the password; false if declined */
  readonly answer: (isStepUpFresh: boolean) => void;
}

const question = createPageStore<Question | null>(null);
const requested = createPageStore<Promise<boolean> | null>(null);

/** The server's message that a second factor is required, which this account does not have; null if there is none. */
const missingFactor = createPageStore<string | null>(null);

/**
 * The user declined the step-up, or was shown that a second factor is missing. Nothing was done, and there is nothing
 * more to report.
 */
export class StepUpDeclined extends CallError {
  override readonly name: string = 'StepUpDeclined';
  readonly text: string = 'Nothing was changed: you did not enter your password.';
  readonly requestId = null;
}

/** Whether the user knows of this failure already. */
export function isDeclined(error: unknown): boolean {
  return error instanceof StepUpDeclined;
}

/**
 * A call that may need step-up authentication. If so, asks for the password and repeats the call.
 * If the server requires a second factor, a dialog of its own says so.
 * @throws StepUpDeclined if the password is not given or the second factor is missing, and whatever `call` throws
 */
export async function callWithStepUp<Schema extends z.ZodType>(
  ...request: [schema: Schema, method: Parameters<typeof call>[1], path: string, body?: unknown]
): Promise<z.output<Schema>> {
  try {
    return await call(...request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'two_factor_missing') missingFactor.set(error.text);
    else if (error.code !== 'step_up_required') throw error;
    else if (await requestPassword(error.fields.because ?? null)) return call(...request);
    throw new StepUpDeclined();
  }
}

/** Calls rejected at the same time share one question. */
function requestPassword(because: string | null): Promise<boolean> {
  const current = requested.get();
  if (current !== null) return current;
  const answer = new Promise<boolean>((resolve) => {
    question.set({
      because,
      answer: (isStepUpFresh) => {
        question.set(null);
        requested.set(null);
        resolve(isStepUpFresh);
      },
    });
  });
  requested.set(answer);
  return answer;
}

/** The open question; null if there is none. */
export const useStepUpQuestion: () => Question | null = question.use;

/** The server's message about a missing second factor; null if there is none. */
export const useMissingFactor: () => string | null = missingFactor.use;

/** Clears it after it was read. */
export function forgetMissingFactor(): void {
  missingFactor.set(null);
}

/** Declines an open question, as when its page closes. */
export function declineStepUp(): void {
  question.get()?.answer(false);
}
