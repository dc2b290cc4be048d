import type { FeeImpactQuestion } from '#contract/fees.ts';
import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import { listFees, pageOfListings } from '#db/queries/catalog/fees.ts';
import { readSalesTax } from '#db/queries/repricing/pricing-context.ts';
import { decide } from '#domain/decision/decide.ts';
import { composeFees } from '#domain/fees/compose-fees.ts';
import { feeBook, type SalesTax } from '#domain/fees/fee-book.ts';
import {
  type CategoryFacts,
  type CategoryMap,
  categoryMap,
  feeCategoryOf,
  feesOfCategory,
} from '#domain/fees/fee-category.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, type Instant, isPrice } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
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
  const salesTax = await readSalesTax(db);
  const map = categoryMap(await listMappedCategories(db));
  const before = feesOn(stored, salesTax, map, day);
  const after = feesOn(draft === null ? others : [...others, draft], salesTax, map, day);
  const found: FeeImpactFound = { affected: 0, underMargin: 0, blocked: 0, recovered: 0, worst: [] };
  const marketplaces = [replaced, draft].flatMap((each) => (each === null ? [] : [each.marketplace]));
  for await (const cases of affectedCases(db, now(), marketplaces, before, after)) {
    for (const each of cases) {
      // What the marketplace reported of a listing comes before any schedule.
      if (each.facts.fees?.basis.source.kind === 'told') continue;
      evaluateCase(found, each, before, after);
    }
  }
  return found;
}

/** The fees of a day; the same object for all listings with the same schedules. */
type Fees = (listing: CategoryFacts) => FeeTable | null;

function feesOn(schedules: readonly FeeSchedule[], salesTax: SalesTax, map: CategoryMap, day: Instant): Fees {
  const book = feeBook(schedules, salesTax);
  return (listing) => feesOfCategory(book, listing.marketplace, feeCategoryOf(book, map, listing, day), day);
}

/** Loads only the listings whose fee differs: a schedule for one category must not load a whole marketplace. */
async function* affectedCases(
  db: Db,
  now: Instant,
  marketplaces: readonly Marketplace[],
  before: Fees,
  after: Fees,
): AsyncGenerator<PricingInput[]> {
  const shop = await loadPricingContext(db, now);
  const answers = new Map<FeeTable | null, Map<FeeTable | null, boolean>>();
  const differs = (listing: CategoryFacts): boolean => {
    const [old, next] = [before(listing), after(listing)];
    const known = answers.get(old)?.get(next) ?? old?.version !== next?.version;
    answers.set(old, (answers.get(old) ?? new Map()).set(next, known));
    return known;
  };
  let last = 0;
  for (;;) {
    const page = await pageOfListings(db, marketplaces, last, BATCH);
    const ids = page.filter(differs).map(({ id }) => id);
    if (ids.length > 0) yield await loadPricingInputs(db, shop, ids);
    if (page.length < BATCH) return;
    last = page.at(-1)?.id ?? last;
  }
}

function evaluateCase(found: FeeImpactFound, each: PricingInput, before: Fees, after: Fees): void {
  const old = standing(each, asEntered(before(each.listing), each));
  const next = standing(each, asEntered(after(each.listing), each));
  found.affected += 1;
  const falls = next.isUnder && !old.isUnder;
  const blocks = next.isBlocked && !old.isBlocked;
  if (falls) found.underMargin += 1;
  if (blocks) found.blocked += 1;
  if (old.isUnder && !next.isUnder && !next.isBlocked) found.recovered += 1;
  if (!falls && !blocks) return;
  found.worst.push({
    listing: each.listing,
    marginBefore: old.margin,
    marginAfter: next.margin,
    marginFloorAfter: next.floor,
    isBlocked: blocks,
  });
  found.worst.sort(byImpact);
  found.worst.length = Math.min(found.worst.length, WORST);
}

/** The fees of a schedule with what a user entered for the listing: its own commission, and shares. */
function asEntered(fees: FeeTable | null, { facts }: PricingInput): FeeTable | null {
  const entered = facts.fees?.basis;
  if (fees === null || fees.pieces.length === 0 || entered === undefined) return fees;
  const { adShare, returnShare } = entered;
  const { source } = fees.basis;
  const isOwn = entered.source.kind === 'person' && source.kind === 'schedule';
  const counted = isOwn ? { ...entered.source, schedule: source.schedule } : source;
  return composeFees({ ...fees.basis, source: counted, adShare, returnShare });
}

interface Standing {
  readonly margin: Bps | null;
  readonly floor: Cents | null;
  readonly isUnder: boolean;
  readonly isBlocked: boolean;
}

function standing({ facts, choice, policy }: PricingInput, fees: FeeTable | null): Standing {
  const known = { ...facts, fees };
  const decision = decide(known, choice, policy);
  const margin = marginAt(facts.currentPrice, known);
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
