import type { z } from 'zod';
import { ApiError, type call } from './api.ts';
import { callWithStepUp, StepUpDeclined } from './step-up.ts';
import { createPageStore } from './store.ts';

/** Whether to change a price although repricing is halted. */
interface Question {
  readonly answer: (isConfirmed: boolean) => void;
}

const question = createPageStore<Question | null>(null);
const asked = createPageStore<Promise<boolean> | null>(null);

/** The user declined to change a price while repricing is halted. Nothing was done, and there is nothing to report. */
class HaltDeclined extends StepUpDeclined {
  override readonly name = 'HaltDeclined';
  override readonly text = 'Nothing was changed: repricing is halted.';
}

type CallPastHalt = <Schema extends z.ZodType>(
  schema: Schema,
  method: Parameters<typeof call>[1],
  path: string,
  body: Readonly<Record<string, unknown>>,
) => Promise<z.output<Schema>>;

/**
 * Calls of one user action that change prices. If the server answers "repricing is halted", the user is asked once for
 * all of them, and again for another halt; confirmed calls are repeated. Otherwise they are like `callWithStepUp`.
 * Each throws HaltDeclined if declined, and whatever `callWithStepUp` throws.
 */
export function callsPastHalt(): CallPastHalt {
  /** The time of the halt, or true if the response named none. */
  let confirmed: string | true | null = null;
  let isDeclined = false;
  return async (schema, method, path, body) => {
    for (;;) {
      const sent = confirmed;
      try {
        return await callWithStepUp(
          schema,
          method,
          path,
          sent === null ? body : { ...body, whileHalted: sent },
        );
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'halted') throw error;
        const halt = error.fields.whileHalted ?? true;
        if (sent === halt) throw error;
        if (isDeclined || !(await confirmHalt())) {
          isDeclined = true;
          throw new HaltDeclined();
        }
        confirmed = halt;
      }
    }
  };
}

/** {@link callsPastHalt} for a single call. */
export const callPastHalt: CallPastHalt = (schema, method, path, body) =>
  callsPastHalt()(schema, method, path, body);

/** Calls rejected at the same time share one question. */
function confirmHalt(): Promise<boolean> {
  const open = asked.get();
  if (open !== null) return open;
  const next = new Promise<boolean>((resolve) => {
    question.set({
      answer: (isConfirmed) => {
        question.set(null);
        asked.set(null);
        resolve(isConfirmed);
      },
    });
  });
  asked.set(next);
  return next;
}

/** The open question; null if there is none. */
export const useHaltQuestion: () => Question | null = question.use;

/** Declines an open question, as when its page closes. */
export function declineHalt(): void {
  question.get()?.answer(false);
}
