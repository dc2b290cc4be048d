import type { Decision } from '#domain/decision/decision.ts';
import { explain } from '#domain/decision/explain.ts';
import type { DecideCase } from './decide-cases.ts';

/** One offer as plain data. */
export interface PeerOffer {
  readonly seller: string;
  readonly price: number;
  readonly shipping: number;
  readonly seenAt: number;
  readonly rating: number;
  readonly ratingCount: number;
  readonly handlingDays: number;
}

/**
 * What a general rules engine is given: everything `decide` needs for filter, floor, step and ceiling.
 * Floor and ceiling come ready worked out, so the peers are spared the fee bands. Amounts in cents.
 */
export interface PeerListing {
  readonly currentPrice: number;
  readonly shippingCharge: number;
  readonly floor: number;
  readonly ceiling: number;
  /** Added to the competitor's price; Beat's is negative. */
  readonly offset: number;
  /** Share of the current price that one step may move it, in basis points. */
  readonly maxStep: number;
  readonly seenFrom: number;
  readonly seenTo: number;
  readonly minRating: number;
  readonly minRatingCount: number;
  readonly maxHandlingDays: number;
  /** Our own sellers and the ones the rule ignores. */
  readonly passedOver: readonly string[];
  readonly offers: readonly PeerOffer[];
}

/** A question that all engines can answer, in both of its forms. */
export interface Comparable {
  readonly question: DecideCase;
  readonly listing: PeerListing;
}

/**
 * The cases that filter, floor, step and ceiling alone decide. Left out are those where something else had a
 * say: a gap between fee bands, an edge of one, the daily limit, a cooldown, a hold, a repair, an unnamed seller, a warehouse
 * listing, another rule for low competitors.
 */
export function comparableAmong(cases: readonly DecideCase[]): Comparable[] {
  return cases.flatMap((question) => {
    const { decision, trace } = explain(question.facts, question.choice, question.policy);
    const span = trace.allowed?.ranges ?? [];
    const [floor, ceiling] = span;
    if (floor === undefined || ceiling === undefined || span.length !== 2) return [];
    if (trace.bandEdge !== null) return [];
    if (!isPlain(question) || !isDecidedByFour(decision)) return [];
    return [{ question, listing: peerListing(question, floor, ceiling) }];
  });
}

function isPlain({ facts, choice }: DecideCase): boolean {
  return (
    choice.rule?.belowFloor === 'floor' &&
    choice.rule.noCompetitor === 'keep' &&
    facts.fulfillmentType === 'FBM' &&
    facts.offers.every((offer) => offer.seller !== null)
  );
}

function isDecidedByFour({ kind, reason, bindingLimit }: Decision): boolean {
  if (bindingLimit === 'daily_limit' || bindingLimit === 'fee_band_gap' || reason === 'repair') return false;
  return kind === 'change' || (kind === 'keep' && (reason === 'already_there' || reason === 'no_competitor'));
}

/** A listing as plain data, with its floor and ceiling worked out. */
export function peerListing(
  { facts, choice, policy }: DecideCase,
  floor: number,
  ceiling: number,
): PeerListing {
  const { rule } = choice;
  const filter = rule?.filter;
  const offset = rule?.competitorOffset ?? 0;
  return {
    currentPrice: known(facts.currentPrice),
    shippingCharge: known(facts.shippingCharge),
    floor,
    ceiling,
    offset: rule?.strategy === 'Beat Competitor' ? -Math.abs(offset) : offset,
    maxStep: policy.maxStep,
    seenFrom: policy.now - policy.maxOfferAge,
    seenTo: policy.now,
    minRating: known(filter?.minRating),
    minRatingCount: known(filter?.minRatingCount),
    maxHandlingDays: known(filter?.maxHandlingDays),
    passedOver: [...policy.ownSellers, ...(filter?.ignoreSellers ?? [])],
    offers: facts.offers.map((offer) => ({
      seller: offer.seller ?? '',
      price: offer.price,
      shipping: offer.shipping,
      seenAt: known(offer.seenAt),
      rating: known(offer.rating),
      ratingCount: known(offer.ratingCount),
      handlingDays: known(offer.handlingDays),
    })),
  };
}

function known(value: number | null | undefined): number {
  if (value === null || value === undefined) throw new Error('The benchmark generates no unknown amounts.');
  return value;
}
