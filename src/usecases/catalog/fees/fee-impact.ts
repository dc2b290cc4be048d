import type { FeeImpactQuestion } from '#contract/fees.ts';
import type { Db } from '#db/client.ts';
import { listFees, pageOfListings } from '#db/queries/catalog/fees.ts';
import { decide } from '#domain/decision/decide.ts';
import type { CategoryFacts } from '#domain/fees/fee-category.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, type Instant, isPrice } from '#domain/units.ts';
import { feeKnowledge, scheduledFees } from '#usecases/repricing/pricing/listing-fees.ts';
import { loadCosts, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import { loadPricingContext, type PricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { rejectUnusableFees, scheduleOf } from './check-fees.ts';
import { findFees } from './save-fees.ts';

/** A listing that a change of fees would hurt. */
export interface AffectedListing {
  readonly listing: PricingInput['listing'];
  readonly marginBefore: Bps | null;
  readonly marginAfter: Bps | null;
  readonly marginFloorAfter: Cents | null;
  readonly isBlocked: boolean;
}

/** What a fee change would do to the listings whose fee changes. */
export interface FeeImpactFound {
  affected: number;
  underMargin: number;
  blocked: number;
  recovered: number;
  worst: AffectedListing[];
}

const BATCH = 1_000;
const WORST = 10;

/**
 * Previews a draft at current prices, on the day it takes effect. Writes nothing.
 * @throws AppError as saving it does
 */
export async function feeImpact(
  { db, now }: { db: Db; now: () => Instant },
  { id, schedule: input }: FeeImpactQuestion,
): Promise<FeeImpactFound> {
  const stored = await listFees(db);
  const replaced = id === null ? null : findFees(stored, Number(id));
  const draft = input === null ? null : scheduleOf(input);
  const others = stored.filter((schedule) => schedule !== replaced);
  if (draft !== null) rejectUnusableFees(draft, others);
  const day = Math.max(now(), draft?.effectiveFrom ?? 0) as Instant;
  const shop = await loadPricingContext(db, now());
  const before = shopWith(shop, stored, day);
  const after = shopWith(shop, draft === null ? others : [...others, draft], day);
  const found: FeeImpactFound = { affected: 0, underMargin: 0, blocked: 0, recovered: 0, worst: [] };
  const marketplaces = [replaced, draft].flatMap((each) => (each === null ? [] : [each.marketplace]));
  for await (const ids of affectedListings(db, marketplaces, before, after)) {
    const planned = new Map((await loadCosts(db, after, ids)).map((each) => [each.listing.id, each]));
    for (const old of await loadCosts(db, before, ids)) {
      const next = planned.get(old.listing.id);
      // What the marketplace reported of a listing comes before any schedule.
      if (next === undefined || old.facts.fees?.basis.source.kind === 'told') continue;
      if (next.facts.fees?.version !== old.facts.fees?.version) evaluateCase(found, old, next);
    }
  }
  return found;
}

/**
 * The shop with other fee schedules, as the engine calculates with them on that day. Rules and limits are those of now: a
 * schedule begins at midnight, when a rule with hours may rest.
 */
function shopWith(shop: PricingContext, feeSchedules: readonly FeeSchedule[], day: Instant): PricingContext {
  const facts = { ...shop.facts, feeSchedules, now: day };
  return { ...shop, facts, feeKnowledge: feeKnowledge(facts) };
}

/** Only the listings whose schedule differs: a schedule for one category must not load a whole marketplace. */
async function* affectedListings(
  db: Db,
  marketplaces: readonly Marketplace[],
  before: PricingContext,
  after: PricingContext,
): AsyncGenerator<number[]> {
  const answers = new Map<FeeTable | null, Map<FeeTable | null, boolean>>();
  const differs = (listing: CategoryFacts): boolean => {
    const old = scheduledFees(before.feeKnowledge, listing);
    const next = scheduledFees(after.feeKnowledge, listing);
    const known = answers.get(old)?.get(next) ?? old?.version !== next?.version;
    answers.set(old, (answers.get(old) ?? new Map()).set(next, known));
    return known;
  };
  let last = 0;
  for (;;) {
    const page = await pageOfListings(db, marketplaces, last, BATCH);
    const ids = page.filter(differs).map(({ id }) => id);
    if (ids.length > 0) yield ids;
    if (page.length < BATCH) return;
    last = page.at(-1)?.id ?? last;
  }
}

function evaluateCase(found: FeeImpactFound, before: PricingInput, after: PricingInput): void {
  const old = priceStateOf(before);
  const next = priceStateOf(after);
  found.affected += 1;
  const falls = next.isUnder && !old.isUnder;
  const blocks = next.isBlocked && !old.isBlocked;
  if (falls) found.underMargin += 1;
  if (blocks) found.blocked += 1;
  if (old.isUnder && !next.isUnder && !next.isBlocked) found.recovered += 1;
  if (!falls && !blocks) return;
  found.worst.push({
    listing: before.listing,
    marginBefore: old.margin,
    marginAfter: next.margin,
    marginFloorAfter: next.floor,
    isBlocked: blocks,
  });
  found.worst.sort(byImpact);
  found.worst.length = Math.min(found.worst.length, WORST);
}

interface PriceState {
  readonly margin: Bps | null;
  readonly floor: Cents | null;
  readonly isUnder: boolean;
  readonly isBlocked: boolean;
}

function priceStateOf({ facts, choice, policy }: PricingInput): PriceState {
  const decision = decide(facts, choice, policy);
  const margin = marginAt(facts.currentPrice, facts);
  return {
    margin,
    floor: isPrice(decision.marginFloor) ? decision.marginFloor : null,
    isUnder: margin !== null && choice.minimumMargin !== null && margin < choice.minimumMargin,
    isBlocked: decision.kind === 'blocked',
  };
}

/** Blocked ones first, then the lowest margin, then the older listing. */
function byImpact(a: AffectedListing, b: AffectedListing): number {
  return (
    Number(b.isBlocked) - Number(a.isBlocked) ||
    (a.marginAfter ?? Number.NEGATIVE_INFINITY) - (b.marginAfter ?? Number.NEGATIVE_INFINITY) ||
    a.listing.id - b.listing.id
  );
}
