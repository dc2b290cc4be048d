import type { Db } from '#db/client.ts';
import { decide } from '#domain/decide.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput } from './load-pricing-inputs.ts';
import type { PricingContext } from './pricing-context.ts';
import type { DecidedCase } from './record-decisions.ts';

/**
 * Prices that were decided and are not recorded yet, of SKUs that we sell on several channels. Listings are decided one
 * after the other, by id: each sees what those before it will ask, so that two of one SKU cannot pass each other.
 */
export class DecidedPrices {
  readonly #prices = new Map<string, Cents>();

  /** The case with the prices of other channels as they will be. */
  seenBy(pricingCase: PricingInput): PricingInput {
    const { facts } = pricingCase;
    if (this.#prices.size === 0 || facts.elsewhere.length === 0) return pricingCase;
    const elsewhere = facts.elsewhere.map((own) => {
      const price = this.#prices.get(keyOf(own.marketplace, facts.sku));
      return price === undefined ? own : { ...own, price };
    });
    return { ...pricingCase, facts: { ...facts, elsewhere } };
  }

  add({ pricingCase: { facts }, decision }: DecidedCase): void {
    if (decision.kind !== 'change' || facts.elsewhere.length === 0) return;
    this.#prices.set(keyOf(facts.marketplace, facts.sku), decision.price);
  }
}

function keyOf(marketplace: Marketplace, sku: string): string {
  return `${marketplace} ${sku}`;
}

/**
 * Decides a batch of listings from the facts in force. Reads only; `recordDecisions` writes.
 * @param before what was decided of the same run and is not recorded yet; the answers are added
 */
export async function decideListings(
  db: Db,
  shop: PricingContext,
  ids: readonly number[],
  before: DecidedPrices = new DecidedPrices(),
): Promise<DecidedCase[]> {
  const cases = await loadPricingInputs(db, shop, ids);
  return cases.map((loaded) => {
    const pricingCase = before.seenBy(loaded);
    const decided = {
      pricingCase,
      decision: decide(pricingCase.facts, pricingCase.choice, pricingCase.policy),
    };
    before.add(decided);
    return decided;
  });
}
