import type { Account } from '#connectors/connector.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { type Instant, instant } from '#domain/units.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { Promotions } from './walmart-responses.ts';

/** A promotion that is active now. */
export interface RunningPromotion {
  /** When it ends; null where Walmart does not report. */
  readonly until: Instant | null;
}

/** The promotion of a SKU that is active now, the last to end of several; null for none. If Walmart knows none, none is. */
export async function runningPromotion(
  calls: WalmartCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<RunningPromotion | null> {
  const path = `/v3/promo/sku/${encodeURIComponent(sku)}`;
  const call = { method: 'GET', path, operation: 'promotions', alsoAnswers: [404] } as const;
  const answer = await calls.ask(account, call, signal);
  if (answer.status === 404) return null;
  const { payload } = parseResponse(NAME, Promotions, answer, 'list of promotions');
  const now = calls.now();
  const rows = payload?.pricingList?.pricing ?? [];
  const ends = rows
    .filter(({ effectiveDate: from, expirationDate: to }) => (from ?? now) <= now && now < (to ?? Infinity))
    .map(({ expirationDate: to }) => to);
  if (ends.length === 0) return null;
  const reported = ends.filter((end) => end != null);
  return { until: reported.length < ends.length ? null : instant(Math.max(...reported)) };
}
