import type { z } from 'zod';
import { ApiError, call } from './api.ts';
import { createStore } from './store.ts';

/** The password is asked for. */
interface Question {
  /** @param isProved true once the server has taken the password; false when it was not given */
  readonly answer: (isProved: boolean) => void;
}

const question = createStore<Question | null>(null);
let asked: Promise<boolean> | null = null;

/** Somebody was asked for the password and did not give it. Nothing was done, so there is nothing to report. */
export class StepUpDeclined extends Error {
  override readonly name = 'StepUpDeclined';
}

/**
 * A call that the server may answer with "your password first". Then the password is asked for, and the call repeated.
 * @throws StepUpDeclined when it is not given, and whatever `call` throws
 */
export async function callProved<Schema extends z.ZodType>(
  ...request: [schema: Schema, method: Parameters<typeof call>[1], path: string, body?: unknown]
): Promise<z.output<Schema>> {
  try {
    return await call(...request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'step_up_required') throw error;
    if (!(await askForPassword())) throw new StepUpDeclined();
    return call(...request);
  }
}

/** Calls that are refused at the same time share one question. */
function askForPassword(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    question.set({
      answer: (isProved) => {
        question.set(null);
        asked = null;
        resolve(isProved);
      },
    });
  });
  return asked;
}

/** The question that stands open; null when there is none. */
export const useStepUpQuestion: () => Question | null = question.use;

/** Answers an open question with no, as when its page goes away. */
export function declineStepUp(): void {
  question.get()?.answer(false);
}
