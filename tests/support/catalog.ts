import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import type { Db } from '#db/client.ts';
import type { ListingFilter } from '#db/queries/catalog/listing-filter.ts';
import type { ListingOrder } from '#db/queries/catalog/listing-order.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { businessOffers, marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { profitDays } from '#db/schema/profit.ts';
import { MARGIN_FILTERS, type MarginFilter } from '#domain/costs/margin-bands.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { SOLD_FILTERS, type SoldFilter } from '#domain/sold-filter.ts';
import { bps, cents, hours, type Instant, instant } from '#domain/units.ts';

/*
 * Random catalogs out of few values, so that equal prices, missing figures and hits of a search are common, and the
 * list's filters and orders once more in plain JavaScript.
 */

const amount = fc.constantFrom(1, 5_00, 9_99, 10_00, 10_01, 99_999_999_99).map(cents);
const maybe = fc.option(amount, { nil: null });

const decision = fc.constantFrom(
  { outcome: null, reasonCode: null, missingFacts: [] },
  { outcome: 'change' as const, reasonCode: 'beaten', missingFacts: [] },
  { outcome: 'keep' as const, reasonCode: 'already_there', missingFacts: [] },
  { outcome: 'keep' as const, reasonCode: 'price_war', missingFacts: [] },
  { outcome: 'keep' as const, reasonCode: 'held_by_limit', missingFacts: [] },
  {
    outcome: 'recommend' as const,
    reasonCode: 'repair',
    reviewReason: 'outside_move_range',
    missingFacts: [],
  },
  { outcome: 'keep' as const, reasonCode: 'no_rule', missingFacts: [] },
  { outcome: 'keep' as const, reasonCode: 'own_rule_mismatch', missingFacts: [] },
  { outcome: 'blocked' as const, reasonCode: 'unknown_cost', missingFacts: ['no_tier', 'no_product_cost'] },
  { outcome: 'blocked' as const, reasonCode: 'no_fee_schedule', missingFacts: [] },
);

const metrics = fc.record({
  decision,
  totalCost: maybe,
  margin: fc.option(fc.constantFrom(-999_99, -1, 0, 4_99, 5_00, 9_99, 10_00, 14_99, 15_00).map(bps), {
    nil: null,
  }),
  marginFloor: maybe,
  amazonWalmartPrice: maybe,
  thirdPartyFbaWfsPrice: maybe,
  thirdPartyFbmPrice: maybe,
  holdsBuyBox: fc.constantFrom(true, false, null),
  toldRate: fc.constantFrom(null, null, bps(17_00)),
  countedShare: fc.constantFrom(null, bps(0), bps(5_50)),
});

const LONG = 'x'.repeat(205);
const word = fc.constantFrom(
  'Mug',
  'mug',
  'MUGS 100%',
  'blue_cap',
  'back\\slash',
  'Ä',
  `${LONG}tail`,
  LONG,
  '-5 oz',
);

const story = fc.record({
  skuWord: fc.constantFrom('A', 'a', 'B-', '00', '%', 'Z_'),
  marketplace: fc.constantFrom(...MARKETPLACES),
  title: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  fulfillmentType: fc.constantFrom(...FULFILLMENT_TYPES),
  currentPrice: amount,
  autoRepricingEnabled: fc.boolean(),
  isRecommended: fc.boolean(),
  /** In milliseconds from now; null lasts until it is resumed. */
  hold: fc.option(fc.constantFrom(null, -1, 0, 1), { nil: undefined }),
  /** Hours since it waits for its upload. */
  toUpload: fc.constantFrom(undefined, 0, 24, 25),
  /** The state of a price of it for its marketplace. */
  intent: fc.constantFrom(
    null,
    null,
    'queued' as const,
    'sent' as const,
    'unknown' as const,
    'expired' as const,
  ),
  isDeleted: fc.constantFrom(false, false, false, true),
  shippingCharge: fc.constantFrom(0, 0, 4_99).map(cents),
  /** Sums of days so many days ago. */
  sold: fc.array(
    fc.record({
      ago: fc.constantFrom(0, 29, 30, -1),
      units: fc.integer({ min: 0, max: 2 }),
      profit: fc.option(fc.constantFrom(-500, 0, 300).map(cents), { nil: null }),
    }),
    { maxLength: 3 },
  ),
  metrics: fc.option(metrics, { nil: null }),
  businessPrice: fc.option(amount, { nil: null }),
  autoAcceptPrice: fc.option(amount, { nil: null }),
});
type Story = ReturnType<typeof story.generate>['value'];
export type CatalogScenario = Story & { readonly sku: string };

export const catalog: fc.Arbitrary<CatalogScenario[]> = fc
  .array(story, { maxLength: 40, size: 'max' })
  .map((stories) => stories.map((one, index) => ({ ...one, sku: `${one.skuWord}${index % 7}-${index}` })));

const STATES = [
  'repriceable',
  'blocked',
  'below_floor',
  'at_floor',
  'recommended',
  'held',
  'to_upload',
  'upload_late',
  'external_edit',
  'held_back',
  'price_war',
  'in_progress',
  'buy_box_lost',
  'fee_differs',
  'fee_unknown',
  'loses_money',
  'business_price_low',
  'business_price_hidden',
  'best_offer_low',
  'profit_unknown',
  'attention',
  'on',
  'off',
] as const;

export const filters: fc.Arbitrary<ListingFilter> = fc.oneof(
  fc.constant({}),
  fc.record({
    q: fc.constantFrom(
      'm',
      'mu',
      'mug',
      'MUGS',
      '%',
      '0%',
      '_',
      '\\',
      'a',
      'ä',
      'tail',
      'x tail',
      '-5',
      '5 oz',
      'none',
    ),
  }),
  fc.record({ state: fc.constantFrom(...STATES) }),
  fc.record({ margin: fc.constantFrom(...MARGIN_FILTERS) }),
  fc.record({ sold: fc.constantFrom(...SOLD_FILTERS) }),
  fc.record({ problem: fc.constantFrom('no_tier', 'no_rule', 'no_fee_schedule', 'no_sku') }),
  fc.record(
    {
      q: fc.constantFrom('mug', 'a', ''),
      marketplace: fc.constantFrom(...MARKETPLACES),
      fulfillment: fc.constantFrom(...FULFILLMENT_TYPES),
      state: fc.constantFrom(...STATES),
      margin: fc.constantFrom(...MARGIN_FILTERS),
    },
    { requiredKeys: [] },
  ),
);

/** Inserts a catalog into the database. @returns the ID of each scenario's listing */
export async function fillCatalog(
  db: Db,
  stories: readonly CatalogScenario[],
  now: Instant,
): Promise<number[]> {
  if (stories.length === 0) return [];
  const rows = await db
    .insert(listings)
    .values(stories.map((one) => listingOf(one, now)))
    .returning({ id: listings.id });
  const ids = rows.map(({ id }) => id);
  const decided = stories.flatMap(({ metrics: known }, index) => {
    if (known === null) return [];
    const { decision: said, ...figures } = known;
    return [
      {
        listingId: ids[index] ?? 0,
        decidedAt: now,
        ...said,
        missingFacts: [...said.missingFacts],
        ...figures,
      },
    ];
  });
  await addIntents(db, stories, ids);
  await addSold(db, stories, ids, now);
  const business = stories.flatMap(({ businessPrice: price }, index) =>
    price === null ? [] : [{ listingId: ids[index] ?? 0, price, lowestPrice: price, tiers: [], readAt: now }],
  );
  if (business.length > 0) await db.insert(businessOffers).values(business);
  const accepting = stories.flatMap(({ autoAcceptPrice }, index) =>
    autoAcceptPrice === null
      ? []
      : [{ listingId: ids[index] ?? 0, autoAcceptPrice, keys: {}, isActive: true, seenAt: now }],
  );
  if (accepting.length > 0) await db.insert(marketplaceListings).values(accepting);
  if (decided.length > 0) await db.insert(listingMetrics).values(decided);
  return ids;
}

/** A price of each listing for its marketplace, in the state of its story. */
async function addIntents(
  db: Db,
  stories: readonly CatalogScenario[],
  ids: readonly number[],
): Promise<void> {
  for (const [index, { intent, marketplace }] of stories.entries()) {
    if (intent === null) continue;
    await db.execute(sql`INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price,
        margin_floor, reason, source, idempotency_key, created_at, expires_at, sent_at, settled_at)
      VALUES (${ids[index]}, ${marketplace}, 1, ${intent}, 8, 9, 7, 'Beat Amazon', 'rule', ${`key-${index}`}, now(), now(),
        now(), CASE WHEN ${intent} = 'expired' THEN now() END)`);
  }
}

async function addSold(
  db: Db,
  stories: readonly CatalogScenario[],
  ids: readonly number[],
  now: Instant,
): Promise<void> {
  const rows = stories.flatMap(({ sold, marketplace }, index) =>
    sold.map(({ ago, units, profit }, place) => ({
      listingId: ids[index] ?? 0,
      marketplace,
      day: new Date(now - ago * hours(24)).toISOString().slice(0, 10),
      ruleId: place,
      units,
      profit: profit === null ? null : String(profit / 100),
      sales: 1,
      salesKnown: 1,
      salesTold: 0,
      revenue: '1',
      revenueKnown: '1',
    })),
  );
  if (rows.length > 0) await db.insert(profitDays).values(rows);
}

function listingOf(one: CatalogScenario, now: Instant): typeof listings.$inferInsert {
  const { sku, marketplace, title, fulfillmentType, currentPrice, autoRepricingEnabled, hold } = one;
  return {
    sku,
    marketplace,
    title,
    fulfillmentType,
    currentPrice,
    shippingCharge: one.shippingCharge,
    autoRepricingEnabled,
    anchorPrice: currentPrice,
    recommendedPrice: one.isRecommended ? cents(7_00) : null,
    recommendedPriceReason: one.isRecommended ? 'Beat Amazon' : null,
    heldBy: hold === undefined ? null : 'Ann',
    holdReason: hold === undefined ? null : 'Sale',
    heldUntil: hold == null ? null : instant(now + hold),
    awaitingUploadSince: one.toUpload === undefined ? null : instant(now - hours(one.toUpload)),
    deletedAt: one.isDeleted ? now : null,
  };
}

const UNRULED = ['no_rule', 'own_rule_paused', 'own_rule_mismatch', 'own_rule_missing'];

/** Whether a filter shows a listing. */
export function matches(one: CatalogScenario, filter: ListingFilter): boolean {
  const { q, marketplace, fulfillment, state, problem, margin, sold } = filter;
  const small = q?.toLowerCase() ?? '';
  return (
    !one.isDeleted &&
    (one.sku.toLowerCase().includes(small) || one.title.toLowerCase().includes(small)) &&
    (marketplace === undefined || one.marketplace === marketplace) &&
    (fulfillment === undefined || one.fulfillmentType === fulfillment) &&
    (state === undefined || isInState(one, state)) &&
    (margin === undefined || marginOf(one) === margin) &&
    (sold === undefined || isSold(one, sold)) &&
    (problem === undefined || problemsOf(one).includes(problem))
  );
}

function isSold(one: CatalogScenario, sold: SoldFilter): boolean {
  const { units, profit } = soldOf(one);
  if (sold === 'loss') return profit !== null && profit < 0;
  return units > 0 === (sold === 'some');
}

/** Units and known profit of the days from today to 29 days ago. */
function soldOf({ sold }: CatalogScenario): { units: number; profit: number | null } {
  const days = sold.filter(({ ago }) => ago >= 0 && ago < 30);
  const known = days.flatMap(({ profit }) => profit ?? []);
  return {
    units: days.reduce((sum, { units }) => sum + units, 0),
    profit: known.length === 0 ? null : known.reduce<number>((sum, profit) => sum + profit, 0),
  };
}

/** In cents, rounded down; the fees in hundredths of a percent. */
function earned({
  marketplace,
  fulfillmentType,
  currentPrice,
  shippingCharge,
  metrics: known,
}: CatalogScenario) {
  // What buyers pay for shipping stays with the marketplace whose own warehouse sends.
  const isKept = fulfillmentType === 'FBA/WFS' && ['amazon', 'walmart'].includes(marketplace);
  const [margin, cost, revenue] = [
    known?.margin ?? null,
    known?.totalCost ?? null,
    currentPrice + (isKept ? 0 : shippingCharge),
  ];
  return {
    profit: margin === null ? null : Math.floor((margin * revenue) / 10_000),
    fee:
      margin === null || cost === null
        ? null
        : roundHalfAway((10_000 * (revenue - cost)) / revenue - margin - (known?.countedShare ?? 0)),
  };
}

function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

function marginOf({ metrics: known }: CatalogScenario): MarginFilter {
  const margin = known?.margin ?? null;
  if (margin === null) return 'unknown';
  if (margin < 0) return 'loss';
  if (margin < 5_00) return 'below_5';
  if (margin < 10_00) return 'below_10';
  return margin < 15_00 ? 'below_15' : 'from_15';
}

const LIMITED = ['held_by_limit', 'repair'];

function isInState(one: CatalogScenario, state: (typeof STATES)[number]): boolean {
  const outcome = one.metrics?.decision.outcome ?? null;
  const floor = one.metrics?.marginFloor ?? null;
  switch (state) {
    case 'repriceable':
      return outcome !== null && problemsOf(one).length === 0;
    case 'blocked':
      return outcome !== null && problemsOf(one).length > 0;
    case 'below_floor':
      return floor !== null && one.currentPrice < floor;
    case 'at_floor':
      return floor !== null && one.currentPrice === floor;
    case 'recommended':
      return one.isRecommended;
    case 'held':
      return one.hold === null || (one.hold !== undefined && one.hold > 0);
    case 'to_upload':
      return one.toUpload !== undefined;
    case 'upload_late':
      return one.toUpload === 25;
    case 'external_edit':
      // No price of these is changed elsewhere.
      return false;
    case 'held_back':
      return LIMITED.includes(one.metrics?.decision.reasonCode ?? '');
    case 'price_war':
      return one.metrics?.decision.reasonCode === 'price_war';
    case 'in_progress':
      return one.intent === 'sent' || one.intent === 'unknown';
    case 'buy_box_lost':
      return one.metrics?.holdsBuyBox === false;
    case 'fee_differs':
      return (one.metrics?.toldRate ?? null) !== null;
    case 'fee_unknown':
      return (one.metrics?.margin ?? null) === null && (one.metrics?.totalCost ?? null) !== null;
    case 'loses_money':
      return (earned(one).profit ?? 0) < 0;
    case 'business_price_low':
      return one.businessPrice !== null && floor !== null && one.businessPrice < floor;
    case 'business_price_hidden':
      return one.businessPrice !== null && one.currentPrice < one.businessPrice;
    case 'best_offer_low':
      return one.autoAcceptPrice !== null && floor !== null && one.autoAcceptPrice < floor;
    case 'profit_unknown':
      return earned(one).profit === null;
    case 'attention':
      return (['blocked', 'below_floor', 'held_back', 'price_war', 'upload_late'] as const).some((each) =>
        isInState(one, each),
      );
    case 'on':
      return one.autoRepricingEnabled;
    case 'off':
      return !one.autoRepricingEnabled;
  }
}

function problemsOf({ metrics: known }: CatalogScenario): string[] {
  if (known === null || known.decision.outcome === null) return [];
  const { outcome, reasonCode, missingFacts } = known.decision;
  if (outcome === 'blocked') return [...missingFacts, reasonCode];
  return UNRULED.includes(reasonCode) ? ['no_rule'] : [];
}

type Key = Buffer | number | null;

function keyOf(one: CatalogScenario, by: ListingOrder['by']): Key {
  if (by === 'marketplace') return Buffer.from(one.marketplace);
  if (by === 'sku') return Buffer.from(one.sku.toLowerCase());
  if (by === 'title') return Buffer.from([...one.title.toLowerCase()].slice(0, 200).join(''));
  if (by === 'currentPrice') return one.currentPrice;
  if (by === 'profit' || by === 'fee') return earned(one)[by];
  if (by === 'units30') return soldOf(one).units;
  if (by === 'profit30') return soldOf(one).profit;
  return one.metrics?.[by] ?? null;
}

function compare(a: Exclude<Key, null>, b: Exclude<Key, null>): number {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? Buffer.compare(a, b) : Number(a) - Number(b);
}

/** In an order of the list: without a value last either way, equal ones by id. */
export function sorted<Row extends { readonly story: CatalogScenario; readonly id: number }>(
  rows: readonly Row[],
  { by, descending }: ListingOrder,
): Row[] {
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a.story, by), keyOf(b.story, by)];
    if ((left === null) !== (right === null)) return left === null ? 1 : -1;
    const difference = left === null || right === null ? 0 : compare(left, right);
    return sign * (difference || a.id - b.id);
  });
}
