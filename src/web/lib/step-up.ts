import type { z } from 'zod';
import { ApiError, CallError, call } from './api.ts';
import { createPageStore } from './store.ts';

/** The password is asked for. */
interface Question {
  /** What the call would do that needs it; null when that goes without saying. */
  readonly because: string | null;
  /** @param isProved true once the server has taken the password; false when it was not given */
  readonly answer: (isProved: boolean) => void;
}

const question = createPageStore<Question | null>(null);
const asked = createPageStore<Promise<boolean> | null>(null);

/** A call needs a second factor, which this account does not have. Holds what the server said; null when it is not said. */
const missingFactor = createPageStore<string | null>(null);

/**
 * Somebody was asked for the password and did not give it, or told that a second factor is missing. Nothing was done, and
 * they know it: there is nothing to report.
 */
export class StepUpDeclined extends CallError {
  override readonly name: string = 'StepUpDeclined';
  readonly text: string = 'Nothing was changed: you did not enter your password.';
  readonly requestId = null;
}

/** Whether a failure is one that the person knows of already. */
export function isDeclined(error: unknown): boolean {
  return error instanceof StepUpDeclined;
}

/**
 * A call that the server may answer with "your password first". Then the password is asked for, and the call repeated.
 * A server that demands a second factor says so in a dialog of its own.
 * @throws StepUpDeclined when the password is not given or the second factor missing, and whatever `call` throws
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
    else if (await askForPassword(error.fields.because ?? null)) return call(...request);
    throw new StepUpDeclined();
  }
}

/** Calls that are refused at the same time share one question. */
function askForPassword(because: string | null): Promise<boolean> {
  const current = asked.get();
  if (current !== null) return current;
  const answer = new Promise<boolean>((resolve) => {
    question.set({
      because,
      answer: (isProved) => {
        question.set(null);
        asked.set(null);
        resolve(isProved);
      },
    });
  });
  asked.set(answer);
  return answer;
}

/** The question that stands open; null when there is none. */
export const useStepUpQuestion: () => Question | null = question.use;

/** What the server said about a missing second factor; null when there is nothing to say. */
export const useMissingFactor: () => string | null = missingFactor.use;

/** It was read. */
export function forgetMissingFactor(): void {
  missingFactor.set(null);
}

/** Answers an open question with no, as when its page goes away. */
export function declineStepUp(): void {
  question.get()?.answer(false);
}
