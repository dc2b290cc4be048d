import { asc, eq, isNull } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { listFeeTerms } from '#db/queries/catalog/fee-terms.ts';
import { listFees } from '#db/queries/catalog/fees.ts';
import { shippingTiers } from '#db/schema/catalog.ts';
import { integrations } from '#db/schema/connections.ts';
import { ownSellers } from '#db/schema/offers.ts';
import { marketplaceModes, repricingState } from '#db/schema/repricing-state.ts';
import { repricingRuleMargins, repricingRules, repricingRuleTargets } from '#db/schema/rules.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { SellerKey } from '#domain/competition/offer.ts';
import type { PriceChannel } from '#domain/connections/price-channel.ts';
import type { ShippingTier } from '#domain/costs/cost.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { SalesTax } from '#domain/fees/fee-tables.ts';
import { countedSalesTax } from '#domain/fees/sales-tax.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Line } from '#domain/lines/line.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { OfferFilter, Rule } from '#domain/rules/rule.ts';
import { WHOLE_CATALOG } from '#domain/rules/segment.ts';
import type { Bps } from '#domain/units.ts';

/** All rules that were not deleted, paused ones too, the oldest first. */
export async function readRules(db: Db): Promise<Rule[]> {
  const rows = await db
    .select()
    .from(repricingRules)
    .where(isNull(repricingRules.deletedAt))
    .orderBy(asc(repricingRules.id));
  const { marginsOf, targetsOf } = await readRuleMargins(db);
  return rows.map((row) => ruleOf(row, marginsOf(row.id), targetsOf(row.id)));
}

type RuleRecord = typeof repricingRules.$inferSelect;
type Margins = Partial<Record<Marketplace, Bps>>;

/** The minimum and target margins of single marketplaces, by rule. */
export async function readRuleMargins(
  db: Db,
): Promise<{ marginsOf: (ruleId: number) => Margins; targetsOf: (ruleId: number) => Margins }> {
  const margins = groupBy(await db.select().from(repricingRuleMargins), ({ ruleId }) => ruleId);
  const targets = groupBy(await db.select().from(repricingRuleTargets), ({ ruleId }) => ruleId);
  return {
    marginsOf: (ruleId) =>
      Object.fromEntries(margins.get(ruleId)?.map((row) => [row.marketplace, row.minimumMargin]) ?? []),
    targetsOf: (ruleId) =>
      Object.fromEntries(targets.get(ruleId)?.map((row) => [row.marketplace, row.targetMargin]) ?? []),
  };
}

const parsed = new Map<string, readonly Line[]>();
/** Far more texts than any store has rules. */
const MAX_PARSED = 2_000;

/**
 * The lines of a rule from their stored text. Without a line where the text is not understood, such as one of a later
 * release: such a rule prices nothing.
 */
function linesOf(text: string | null): readonly Line[] | null {
  if (text === null) return null;
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  const lines = parseLines(text).lines ?? [];
  parsed.set(text, lines);
  return lines;
}

/** The rule of a row. */
export function ruleOf(row: RuleRecord, marketplaceMargins: Margins, marketplaceTargets: Margins): Rule {
  const { id, name, marketplace, fulfillmentType, strategy, minimumMargin, competitorOffset } = row;
  const { isActive, requiresReview, noCompetitor, belowFloor, otherChannels, refuseCrossChannel } = row;
  const { targetMargin, winShare, onlySameShipping, ignoreUnderFloor } = row;
  return {
    id: String(id),
    name,
    marketplace,
    fulfillmentType,
    strategy,
    minimumMargin,
    competitorOffset,
    isActive,
    requiresReview,
    noCompetitor,
    belowFloor,
    otherChannels,
    refuseCrossChannel,
    marketplaceMargins,
    filter: filterOf(row),
    // IDs rise with age: of two equal rules the one with the lower ID is older.
    order: id,
    lines: linesOf(row.lines),
    targetMargin,
    marketplaceTargets,
    winShare,
    onlySameShipping,
    ignoreUnderFloor,
    segment: { ...WHOLE_CATALOG, ...row.segment },
    priority: row.priority,
    schedule: row.schedule,
  };
}

function filterOf(row: RuleRecord): OfferFilter | null {
  const { filterMinRating, filterMinRatingCount, filterMaxHandlingDays, filterFulfillmentType } = row;
  const limits = [filterMinRating, filterMinRatingCount, filterMaxHandlingDays, filterFulfillmentType];
  if (row.filterIgnoreSellers.length === 0 && limits.every((limit) => limit === null)) return null;
  return {
    minRating: filterMinRating,
    minRatingCount: filterMinRatingCount,
    maxHandlingDays: filterMaxHandlingDays,
    ignoreSellers: new Set(row.filterIgnoreSellers as SellerKey[]),
    fulfillmentType: filterFulfillmentType,
  };
}

/** All fee schedules with their bands in order, without what only users read. */
export async function readFeeSchedules(db: Db): Promise<FeeSchedule[]> {
  return (await listFees(db)).map(({ marketplace, category, effectiveFrom, bandKind, edgeBase, bands }) => ({
    marketplace,
    category,
    effectiveFrom,
    bandKind,
    edgeBase,
    bands,
  }));
}

/** Sales tax as a share of revenue that counts, by marketplace. */
export async function readSalesTax(db: Db): Promise<SalesTax> {
  const terms = await listFeeTerms(db);
  return Object.fromEntries(
    terms.map(({ marketplace, salesTax, learnedSalesTax }) => [
      marketplace,
      countedSalesTax(salesTax, learnedSalesTax).share,
    ]),
  );
}

/** The shares counted for advertising and returns, by marketplace. */
export async function readCountedShares(
  db: Db,
): Promise<Partial<Record<Marketplace, { readonly adShare: Bps | null; readonly returnShare: Bps | null }>>> {
  const terms = await listFeeTerms(db);
  return Object.fromEntries(
    terms.map(({ marketplace, adShare, returnShare }) => [marketplace, { adShare, returnShare }]),
  );
}

export async function readShippingTiers(db: Db): Promise<ShippingTier[]> {
  const rows = await db.select().from(shippingTiers).orderBy(asc(shippingTiers.id));
  return rows.map(({ marketplace, fulfillmentType, minWeightOz, maxWeightOz, cost }) => ({
    marketplace,
    fulfillmentType,
    cost,
    minWeight: minWeightOz,
    maxWeight: maxWeightOz,
  }));
}

/** The names of our own sellers. */
export async function readOwnSellers(
  db: Db,
): Promise<{ readonly marketplace: Marketplace; readonly key: SellerKey }[]> {
  const rows = await db.select().from(ownSellers);
  return rows.map(({ marketplace, sellerKey }) => ({ marketplace, key: sellerKey as SellerKey }));
}

export type SettingsRecord = typeof appSettings.$inferSelect;

/** The one row of settings. */
export async function readSettings(db: Db): Promise<SettingsRecord> {
  const [row] = await db.select().from(appSettings).where(eq(appSettings.id, 'default'));
  if (row === undefined) throw new Error('The settings row is missing; the migrations write it.');
  return row;
}

/** The mode of each marketplace, and whether everything is halted. */
export async function readSwitches(db: Db): Promise<{
  readonly halted: boolean;
  readonly live: ReadonlySet<Marketplace>;
  /** Credentials are stored, but it is turned off or one of them is missing. */
  readonly paused: ReadonlySet<Marketplace>;
  /** Synced with stored credentials, but sending prices is turned off. */
  readonly readOnly: ReadonlySet<Marketplace>;
  /** Prices are sent there automatically. */
  readonly connected: ReadonlySet<Marketplace>;
}> {
  const [state] = await db.select().from(repricingState);
  if (state === undefined) throw new Error('The engine switch is missing; the migrations write it.');
  const modes = await db.select().from(marketplaceModes);
  const live = modes.filter(({ mode }) => mode === 'live').map(({ marketplace }) => marketplace);
  const ways = await db
    .select({ marketplace: integrations.marketplace, channel: integrations.priceChannel })
    .from(integrations);
  const by = (wanted: PriceChannel): ReadonlySet<Marketplace> =>
    new Set(ways.filter(({ channel }) => channel === wanted).map(({ marketplace }) => marketplace));
  return {
    halted: state.halted,
    live: new Set(live),
    paused: by('paused'),
    readOnly: by('read_only'),
    connected: by('connected'),
  };
}
