import type { z } from 'zod';
import { ApiError, type call } from './api.ts';
import { callWithStepUp, StepUpDeclined } from './step-up.ts';
import { createPageStore } from './store.ts';

/** Whether a price changes although repricing is halted. */
interface Question {
  readonly answer: (isConfirmed: boolean) => void;
}

const question = createPageStore<Question | null>(null);
const asked = createPageStore<Promise<boolean> | null>(null);

/** Somebody was asked whether a price changes under the halt, and said no. Nothing was done, and they know it. */
class HaltRespected extends StepUpDeclined {
  override readonly name = 'HaltRespected';
  override readonly text = 'Nothing was changed: repricing is halted.';
}

type CallPastHalt = <Schema extends z.ZodType>(
  schema: Schema,
  method: Parameters<typeof call>[1],
  path: string,
  body: Readonly<Record<string, unknown>>,
) => Promise<z.output<Schema>>;

/**
 * Calls that change prices of one act by a person. The server may answer with "repricing is halted": then they are asked,
 * once for all of them and again for another halt, and what they confirm is done all the same. Beside that they are `callProved`.
 * Each throws HaltRespected when they do not confirm, and whatever `callProved` throws.
 */
export function callsPastHalt(): CallPastHalt {
  /** The moment of the halt, or true where the answer named none. */
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
          throw new HaltRespected();
        }
        confirmed = halt;
      }
    }
  };
}

/** {@link callsPastHalt} for a single call. */
export const callPastHalt: CallPastHalt = (schema, method, path, body) =>
  callsPastHalt()(schema, method, path, body);

/** Calls that are refused at the same time share one question. */
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

/** The question that stands open; null when there is none. */
export const useHaltQuestion: () => Question | null = question.use;

/** Answers an open question with no, as when its page goes away. */
export function respectHalt(): void {
  question.get()?.answer(false);
}
