import type { BelowMarginFloor } from '#contract/costs.ts';
import type { CostFields, EditImpact } from '#contract/edit-impact.ts';
import type { Db } from '#db/client.ts';
import type { CaseRow } from '#db/queries/repricing/pricing-input-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { belowMarginFloorOf, furthestBelow } from '#usecases/catalog/costs/below-margin-floor.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { checkFields } from '#usecases/catalog/listings/listing-fields.ts';
import { datedOf } from '#usecases/catalog/listings/write-fields.ts';
import { listingsCostEffect } from '#usecases/catalog/sales/cost-edit-on-sales.ts';
import { loadCosts, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

const BATCH = 1_000;
const MAX_LARGEST = 10;

/**
 * Previews an edit of many listings: their margin floors, which of them fall below it at the current price, and the profit
 * of sales so far. Writes nothing.
 * @param ids any number; deleted ones are skipped
 * @throws AppError validation_failed as the edit itself does
 */
export async function editImpact(
  { db, now }: Pick<ListingDeps, 'db' | 'now'>,
  ids: readonly number[],
  fields: CostFields,
): Promise<EditImpact> {
  const at = now();
  await checkFields(db, fields, at);
  const { found, ...standings } = await compareStandings(db, ids, fields, at);
  const since = fields.costSince ?? at;
  return {
    listings: found.length,
    ...standings,
    sales: await listingsCostEffect(db, found, datedOf(fields), { since, now: at }),
  };
}

type Standings = Omit<EditImpact, 'listings' | 'sales'> & { readonly found: readonly number[] };

async function compareStandings(
  db: Db,
  ids: readonly number[],
  fields: CostFields,
  now: Instant,
): Promise<Standings> {
  const shop = await loadPricingContext(db, now);
  const selected = new Set(ids);
  // Members of a price group are loaded together: each that is selected is edited, no matter in which batch.
  const edited = (listing: CaseRow): CaseRow =>
    selected.has(listing.id) ? withFields(listing, fields) : listing;
  const found: number[] = [];
  const falling: BelowMarginFloor[] = [];
  let moves: FloorMove[] = [];
  const counts = { raised: 0, lowered: 0, gained: 0, lost: 0 };
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const after = new Map((await loadCosts(db, shop, batch, edited)).map((one) => [one.listing.id, one]));
    for (const old of await loadCosts(db, shop, batch)) {
      const next = after.get(old.listing.id);
      // Deleted between the two.
      if (next === undefined) continue;
      found.push(old.listing.id);
      const below = belowMarginFloorOf(next);
      if (below !== null && belowMarginFloorOf(old) === null) falling.push(below);
      const move = { listing: old.listing, from: floorOf(old), to: floorOf(next) };
      const kind = kindOf(move);
      if (kind === null) continue;
      counts[kind] += 1;
      moves.push(move);
    }
    moves = largest(moves);
  }
  return {
    found,
    floors: { ...counts, largest: moves.map(writtenMove) },
    fallingCount: falling.length,
    falling: furthestBelow(falling),
  };
}

/** A listing as it would be read after the edit. */
function withFields(listing: CaseRow, fields: CostFields): CaseRow {
  const { fulfillmentCost, feeRate, ruleId } = fields;
  const {
    shippingCost = listing.shippingCost,
    shippingCharge = listing.shippingCharge,
    feeCategory = listing.feeCategory,
    adShare = listing.adShare,
    returnShare = listing.returnShare,
  } = fields;
  return {
    ...listing,
    shippingCost,
    shippingCharge,
    feeCategory,
    adShare,
    returnShare,
    ...(fulfillmentCost === undefined ? {} : { fulfillmentCost, isFulfillmentReported: false }),
    ...(feeRate === undefined ? {} : { feeRate }),
    ...(ruleId === undefined ? {} : { ruleId: ruleId === null ? null : Number(ruleId) }),
  };
}

function floorOf({ facts, choice, listing }: PricingInput): Cents | null {
  return (
    checkManualPrice(facts, manualPriceMargin(choice, facts), listing.currentPrice).set?.marginFloor ?? null
  );
}

interface FloorMove {
  readonly listing: Pick<CaseRow, 'id' | 'marketplace' | 'sku'>;
  readonly from: Cents | null;
  readonly to: Cents | null;
}

/** Null where the floor stays as it is. */
function kindOf({ from, to }: FloorMove): 'raised' | 'lowered' | 'gained' | 'lost' | null {
  if (from === to) return null;
  if (from === null) return 'gained';
  if (to === null) return 'lost';
  return to > from ? 'raised' : 'lowered';
}

/** A floor that there is on one side alone moves by all of it. */
function largest(moves: readonly FloorMove[]): FloorMove[] {
  const sizeOf = ({ from, to }: FloorMove): number => Math.abs((to ?? 0) - (from ?? 0));
  return moves.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MAX_LARGEST);
}

function writtenMove({
  listing: { id, marketplace, sku },
  from,
  to,
}: FloorMove): EditImpact['floors']['largest'][number] {
  return { listingId: String(id), marketplace, sku, from: decimalOrNull(from), to: decimalOrNull(to) };
}

function decimalOrNull(amount: Cents | null): string | null {
  return amount === null ? null : decimalFromCents(amount);
}
