import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { type Instant, instant } from '#domain/units.ts';
import { type EbayCalls, NAME } from './ebay-calls.ts';

const Rates = z.object({
  rateLimits: z
    .array(
      z.object({
        apiContext: z.string().nullish(),
        apiName: z.string().nullish(),
        resources: z
          .array(
            z.object({
              rates: z
                .array(
                  z.object({
                    remaining: z.int().nullish(),
                    reset: z.iso.datetime({ offset: true }).nullish(),
                  }),
                )
                .nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
});

/** The APIs whose limits are requested, as that call names them. */
const QUERIES = {
  inventory: 'api_context=sell&api_name=inventory',
  trading: 'api_context=tradingapi',
} as const;

/**
 * When eBay takes calls to one of its APIs again
 * (https://developer.ebay.com/api-docs/developer/analytics/resources/rate_limit/methods/getRateLimits).
 * @returns `left` while there are calls for some resource of it; null where eBay reports no time, `unanswered` where it does
 * not answer
 */
export async function readCallReset(
  calls: EbayCalls,
  account: Account,
  api: keyof typeof QUERIES,
  signal: AbortSignal,
): Promise<Instant | 'left' | 'unanswered' | null> {
  const path = `/developer/analytics/v1_beta/rate_limit/?${QUERIES[api]}`;
  try {
    const answer = await calls.asBuyer(account, { method: 'GET', path, operation: 'limits' }, signal);
    const { rateLimits } = parseResponse(NAME, Rates, answer, 'list of rate limits');
    const rates = (rateLimits ?? []).flatMap(({ resources }) =>
      (resources ?? []).flatMap((resource) => resource.rates ?? []),
    );
    const usedUp = rates.filter(({ remaining }) => remaining === 0);
    if (rates.length > 0 && usedUp.length === 0) return 'left';
    const resets = usedUp.flatMap(({ reset }) => (reset == null ? [] : [Date.parse(reset)]));
    return resets.length === 0 ? null : instant(Math.max(...resets));
  } catch (error) {
    // The price was refused whatever this call answers.
    if (error instanceof ConnectorError) return 'unanswered';
    throw error;
  }
}
