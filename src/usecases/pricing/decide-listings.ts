import type { Db } from '#db/client.ts';
import { decide } from '#domain/decide.ts';
import { loadCases } from './load-cases.ts';
import type { DecidedCase } from './record-decisions.ts';
import type { Shop } from './shop.ts';

/** Decides a batch of listings from the facts in force. Reads only; `recordDecisions` writes. */
export async function decideListings(db: Db, shop: Shop, ids: readonly number[]): Promise<DecidedCase[]> {
  const cases = await loadCases(db, shop, ids);
  return cases.map((pricingCase) => ({
    pricingCase,
    decision: decide(pricingCase.facts, pricingCase.choice, pricingCase.policy),
  }));
}
