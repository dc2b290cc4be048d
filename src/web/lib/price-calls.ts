import type { z } from 'zod';
import { ApiError, type call } from './api.ts';
import { type ChangeObstacle, confirmChange } from './change-anyway-store.ts';
import { callWithStepUp, StepUpDeclined } from './step-up.ts';

/** The user declined to change a price. Nothing was done, and there is nothing to report. */
class PriceDeclined extends StepUpDeclined {
  override readonly name = 'PriceDeclined';
  override readonly text: string;

  constructor({ kind }: ChangeObstacle) {
    super();
    this.text =
      kind === 'halt'
        ? 'Nothing was changed: repricing is halted.'
        : 'Nothing was changed: a marketplace sets these prices now.';
  }
}

type PriceCall = <Schema extends z.ZodType>(
  schema: Schema,
  method: Parameters<typeof call>[1],
  path: string,
  body: Readonly<Record<string, unknown>>,
) => Promise<z.output<Schema>>;

/**
 * Calls of one user action that change prices. If the server answers that repricing is halted, or that marketplaces set
 * these prices, the user is asked once for all of them, and again for another halt or reason; confirmed calls are repeated.
 * Otherwise they are like `callWithStepUp`.
 * Each throws PriceDeclined if declined, and whatever `callWithStepUp` throws.
 */
export function priceCalls({ isOfMany } = { isOfMany: true }): PriceCall {
  /** The time of the halt, or true if the response named none. */
  let halt: string | true | null = null;
  const despiteReasons = new Set<string>();
  let declined: PriceDeclined | null = null;

  const ask = async (about: ChangeObstacle): Promise<void> => {
    if (declined === null && (await confirmChange(about))) return;
    declined ??= new PriceDeclined(about);
    throw declined;
  };

  return async (schema, method, path, body) => {
    for (;;) {
      const sentHalt = halt;
      const confirmed = {
        ...(sentHalt === null ? {} : { whileHalted: sentHalt }),
        ...(despiteReasons.size === 0 ? {} : { despiteReasons: [...despiteReasons] }),
      };
      const wasSent = new Set(despiteReasons);
      try {
        return await callWithStepUp(schema, method, path, { ...body, ...confirmed });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'halted') {
          const current = error.fields.whileHalted ?? true;
          if (sentHalt === current) throw error;
          await ask({ kind: 'halt' });
          halt = current;
        } else if (error.code === 'not_repriceable') {
          const reasons = error.reasons.filter(({ reason }) => !wasSent.has(reason));
          if (reasons.length === 0) throw error;
          await ask({ kind: 'reasons', reasons, isOfMany });
          for (const { reason } of reasons) despiteReasons.add(reason);
        } else throw error;
      }
    }
  };
}

/** {@link priceCalls} for a single call. */
export const priceCall: PriceCall = (schema, method, path, body) =>
  priceCalls({ isOfMany: false })(schema, method, path, body);
