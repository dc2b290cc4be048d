import type { Db } from '#db/client.ts';
import { decide } from '#domain/decision/decide.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput, withGroups } from './load-pricing-inputs.ts';
import type { PricingContext } from './pricing-context.ts';
import type { DecidedCase } from './record-decisions.ts';

/**
 * Decided prices that are not recorded yet, of SKUs sold on several channels. Listings are decided one after the other by
 * ID, and each sees the new prices of those before it, so that two listings of one SKU cannot cross.
 */
export class DecidedPrices {
  readonly #prices = new Map<string, Cents>();

  /** The input with the future prices of other channels. */
  seenBy(pricingInput: PricingInput): PricingInput {
    const { facts } = pricingInput;
    if (this.#prices.size === 0 || facts.elsewhere.length === 0) return pricingInput;
    const elsewhere = facts.elsewhere.map((own) => {
      const price = this.#prices.get(keyOf(own.marketplace, facts.sku));
      return price === undefined ? own : { ...own, price };
    });
    return { ...pricingInput, facts: { ...facts, elsewhere } };
  }

  add({ pricingInput: { facts }, decision }: DecidedCase): void {
    if (decision.kind !== 'change' || facts.elsewhere.length === 0) return;
    this.#prices.set(keyOf(facts.marketplace, facts.sku), decision.price);
  }
}

function keyOf(marketplace: Marketplace, sku: string): string {
  return `${marketplace} ${sku}`;
}

/** @param known receives the members of a price group with the first of them */
function seenTogether(
  input: PricingInput,
  before: DecidedPrices,
  known: Map<number, PricingInput>,
): PricingInput {
  if (input.mates.length === 0) return before.seenBy(input);
  const members = [input, ...input.mates];
  const seen = members.map((member) => before.seenBy(member));
  if (seen.every((member, index) => member === members[index])) return input;
  const grouped = withGroups(seen, []);
  for (const member of grouped) known.set(member.listing.id, member);
  return grouped[0] ?? input;
}

/**
 * Decides a batch of listings from current facts. Reads only; `recordDecisions` writes.
 * @param before decisions of the same run that are not recorded yet; the new ones are added
 */
export async function decideListings(
  db: Db,
  context: PricingContext,
  ids: readonly number[],
  before: DecidedPrices = new DecidedPrices(),
): Promise<DecidedCase[]> {
  const loaded = await loadPricingInputs(db, context, ids);
  const known = new Map<number, PricingInput>();
  return loaded.map((input) => {
    // All members of a price group see the same prices of other channels: those before the first of them.
    const pricingInput = known.get(input.listing.id) ?? seenTogether(input, before, known);
    const decided = {
      pricingInput,
      decision: decide(pricingInput.facts, pricingInput.choice, pricingInput.policy),
    };
    before.add(decided);
    return decided;
  });
}
