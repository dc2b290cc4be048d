import type { Account } from '#connectors/connector.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { Promotions } from './walmart-responses.ts';

/** Whether a promotion of a SKU is active now. If Walmart knows none, none is. */
export async function runsPromotion(
  calls: WalmartCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `/v3/promo/sku/${encodeURIComponent(sku)}`;
  const call = { method: 'GET', path, operation: 'promotions', alsoAnswers: [404] } as const;
  const answer = await calls.ask(account, call, signal);
  if (answer.status === 404) return false;
  const { payload } = parseResponse(NAME, Promotions, answer, 'list of promotions');
  const now = calls.now();
  const rows = payload?.pricingList?.pricing ?? [];
  return rows.some(
    ({ effectiveDate: from, expirationDate: to }) => (from ?? now) <= now && now < (to ?? Infinity),
  );
}
