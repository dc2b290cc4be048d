import type { PriceMove } from '#db/queries/repricing/decision-rows.ts';
import { groupCases } from '#domain/decision/decide-group.ts';
import { type Explanation, explain } from '#domain/decision/explain.ts';
import { asManualDecision } from '#domain/decision/manual-decision.ts';
import type { PriceGroup } from '#domain/decision/price-group.ts';
import { type DecisionCase, storeCase } from '#domain/decision/stored-case.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { type Bps, type Cents, isPrice } from '#domain/units.ts';
import type { DecidedPrice } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { marginImpact } from '#usecases/repricing/pricing/margin-impact.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';

/** The price that Apply would set on a listing now, or why there is none. */
export type Applicable =
  | {
      readonly kind: 'price';
      readonly price: Cents;
      readonly before: Bps | null;
      readonly after: Bps | null;
      readonly explanation: Explanation;
      /** Its place among the listings that share the price, decided without those limits too. */
      readonly group: PriceGroup | null;
    }
  | { readonly kind: 'none'; readonly isBlocked: boolean; readonly message: string };

/** Decides again without the limits that apply to automatic changes only, together with the listings that share the price. */
export function applicablePrice(pricingInput: PricingInput): Applicable {
  const [{ facts, choice, policy }] = manualCases(pricingInput);
  const explanation = explain(facts, choice, policy);
  const { decision, sentence, fix } = explanation;
  if (decision.kind === 'change' || decision.kind === 'recommend') {
    // With an unverified current price the shown change could differ from the one that buyers see.
    if (facts.isPriceUnverified) return { kind: 'none', isBlocked: false, message: unreadMessage(facts) };
    const before = marginAt(facts.currentPrice, facts);
    return {
      kind: 'price',
      price: decision.price,
      before,
      after: marginAt(decision.price, facts),
      explanation,
      group: facts.group,
    };
  }
  const message = fix === null ? sentence : `${sentence} ${fix}`;
  return { kind: 'none', isBlocked: decision.kind === 'blocked', message };
}

function manualCases({ mates, ...listing }: PricingInput): readonly [DecisionCase, ...DecisionCase[]] {
  const alone = [listing, ...mates].map(({ facts, ...one }) => ({
    ...one,
    facts: { ...facts, group: null },
  }));
  const [first = asManualDecision(listing), ...others] = groupCases(alone.map(asManualDecision));
  return [first, ...others];
}

function unreadMessage({ marketplace, sku }: PricingInput['facts']): string {
  return `The price of ${sku} on ${MARKETPLACE_NAMES[marketplace]} is not confirmed yet. Wait for the next sync, or set a price.`;
}

/** The ledger rows of a recommendation that a user applies: of the listing, and of those that share its price. */
export function appliedMoves(
  pricingInput: PricingInput,
  applicable: Extract<Applicable, { kind: 'price' }>,
): DecidedPrice[] {
  return [pricingInput, ...pricingInput.mates].flatMap((member) => {
    const own = member === pricingInput ? applicable : applicablePrice(withMatesOf(member, pricingInput));
    if (own.kind === 'none') return [];
    return [{ isConnected: member.isConnected, move: appliedMove(member, own) }];
  });
}

/** Loaded with another member of its price group. */
function withMatesOf(member: PricingInput, { mates, ...loaded }: PricingInput): PricingInput {
  const others = [{ ...loaded, mates: [] }, ...mates].filter(
    ({ listing }) => listing.id !== member.listing.id,
  );
  return { ...member, mates: others };
}

function appliedMove(
  pricingInput: PricingInput,
  { price, before, after, explanation, group }: Extract<Applicable, { kind: 'price' }>,
): PriceMove {
  const { listing, facts, choice } = pricingInput;
  const { decision, sentence, against } = explanation;
  return {
    listingId: listing.id,
    oldPrice: listing.currentPrice,
    newPrice: price,
    reason: sentence,
    marginImpact: marginImpact(before, after),
    marginAfter: after,
    ruleId: choice.rule === null ? null : Number(choice.rule.id),
    competitorPrice: isPrice(decision.reference) ? decision.reference : null,
    marginFloor: decision.marginFloor,
    feeVersion: facts.fees?.version ?? null,
    facts: JSON.stringify(storeCase({ ...pricingInput, facts: { ...facts, group } }, against)),
  };
}
