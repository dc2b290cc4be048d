import { createHash } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { type LineMemoryRow, readLineMemories } from '#db/queries/repricing/line-memories.ts';
import {
  type BoxAndStock,
  type RecentSales,
  readBoxAndStock,
  readRecentSales,
} from '#db/queries/repricing/line-signals.ts';
import { type CaseRow, readSiblings } from '#db/queries/repricing/pricing-input-rows.ts';
import { type ExternalPrice, isStillKnown } from '#domain/decision/entered-facts.ts';
import type { ListingSignals, SisterPrice } from '#domain/decision/facts.ts';
import { groupBy } from '#domain/group-by.ts';
import { asksForSales, asksWhetherTheyFollow, sistersIn } from '#domain/lines/compile-lines.ts';
import type { Line } from '#domain/lines/line.ts';
import { type LineMemory, NOTHING_REMEMBERED } from '#domain/lines/line-memory.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import { type Bps, hours, type Instant, WHOLE } from '#domain/units.ts';
import { followSharesOf } from './follow-shares.ts';
import type { PricingContext } from './pricing-context.ts';

/** What the lines of rules can ask about the listings of a batch, by listing. */
export interface LineFacts {
  /** Of all listings, also those that no rule with lines prices now. */
  readonly memories: ReadonlyMap<number, LineMemoryRow>;
  readonly boxes: ReadonlyMap<number, BoxAndStock>;
  readonly sales: ReadonlyMap<number, RecentSales>;
  readonly follows: ReadonlyMap<number, Bps | null>;
  /** By SKU, the prices in force of all our listings of it. */
  readonly sisters: ReadonlyMap<string, readonly SisterPrice[]>;
}

/** Where nothing is asked. */
export const NO_LINE_FACTS: LineFacts = {
  memories: new Map(),
  boxes: new Map(),
  sales: new Map(),
  follows: new Map(),
  sisters: new Map(),
};

/** Fewer readings say nothing about a share. */
const MIN_READINGS = 3;

/** Loads what the lines of these listings' rules ask. @param choices their rules, in the same order */
export async function readLineFacts(
  db: Db,
  context: PricingContext,
  listings: readonly { readonly id: number; readonly marketplace: Marketplace }[],
  choices: readonly RuleChoice[],
): Promise<LineFacts> {
  const { now } = context.facts;
  const idsWith = (matches: (lines: readonly Line[]) => boolean): number[] =>
    listings.flatMap(({ id }, index) => {
      const lines = linesOf(choices[index]);
      return lines !== null && matches(lines) ? [id] : [];
    });
  const lined = idsWith(() => true);
  const selling = lined.length === 0 ? [] : idsWith(asksForSales);
  const asking = listings.flatMap(({ id, marketplace }, index) => {
    const choice = choices[index];
    const lines = linesOf(choice);
    if (choice?.minimumMargin == null || lines === null || !asksWhetherTheyFollow(lines)) return [];
    return [{ id, rule: choice.rule, policy: context.policyFor([marketplace], []) }];
  });
  const memories = await readLineMemories(
    db,
    listings.map(({ id }) => id),
  );
  return {
    memories,
    boxes: lined.length === 0 ? NO_LINE_FACTS.boxes : await readBoxAndStock(db, lined, now),
    sales: selling.length === 0 ? NO_LINE_FACTS.sales : await readRecentSales(db, selling, now),
    follows: await followSharesOf(db, asking, now),
    sisters: await readSisters(db, choices),
  };
}

async function readSisters(db: Db, choices: readonly RuleChoice[]): Promise<LineFacts['sisters']> {
  const skus = new Set(choices.flatMap((choice) => sistersIn(linesOf(choice) ?? [])));
  return skus.size === 0
    ? NO_LINE_FACTS.sisters
    : groupBy(await readSiblings(db, [...skus]), ({ sku }) => sku);
}

function linesOf(choice: RuleChoice | undefined): readonly Line[] | null {
  return choice?.minimumMargin == null ? null : choice.rule.lines;
}

/** What a listing's row has of what lines can ask. */
type FactsRow = Pick<
  CaseRow,
  | 'id'
  | 'marketplace'
  | 'sku'
  | 'createdAt'
  | 'enteredStock'
  | 'enteredStockAt'
  | 'stockAgeDays'
  | 'stockAgeAt'
  | 'externalPrice'
  | 'externalPriceAt'
  | 'readAt'
  | 'isBoxSuppressed'
>;

/**
 * The facts about a listing that only lines ask; null where no rule with lines prices it.
 * @param isStockReported the marketplace is still synced: what it reports counts before what a file says
 */
export function signalsOf(
  listing: FactsRow,
  choice: RuleChoice,
  { memories, boxes, sales, follows, sisters }: LineFacts,
  { isStockReported, now }: { readonly isStockReported: boolean; readonly now: Instant },
): ListingSignals | null {
  const { id: listingId, enteredStock, enteredStockAt, stockAgeDays, stockAgeAt } = listing;
  const lines = linesOf(choice);
  if (lines === null || choice.rule === null) return null;
  const box = boxes.get(listingId);
  const sold = sales.get(listingId);
  // Sales of before it was added are known for some.
  const listedAt = Math.min(listing.createdAt, sold?.firstSaleAt ?? listing.createdAt) as Instant;
  const reported = isStockReported ? (box?.stock ?? null) : null;
  const stock = reported ?? ifKnown(enteredStock, enteredStockAt, now);
  return {
    ...memoryFor(choice.rule, memories.get(listingId)),
    boxShare:
      box === undefined || box.readings < MIN_READINGS
        ? null
        : (Math.floor((box.ours * WHOLE) / box.readings) as Bps),
    followShare: follows.get(listingId) ?? null,
    boxSuppressedAt: listing.isBoxSuppressed === true ? listing.readAt : null,
    stock,
    daysOfSupply: daysOfSupply(stock, sold, listedAt, now),
    stockAgeDays: ifKnown(stockAgeDays, stockAgeAt, now),
    lastSaleAt: sold?.lastSaleAt ?? null,
    listedAt,
    sold: sold === undefined ? null : { d1: sold.d1, d7: sold.d7, d30: sold.d30 },
    externalPrice: externalPriceOf(listing),
    sisters: sistersOf(lines, listing, sisters),
  };
}

/** At the pace of the last 30 days, or of those since the listing was added if they are fewer. */
function daysOfSupply(
  stock: number | null,
  sold: RecentSales | undefined,
  listedAt: Instant,
  now: Instant,
): number | null {
  if (stock === null || sold === undefined || sold.d30 === 0) return null;
  const days = Math.min(30, Math.max(1, (now - listedAt) / hours(24)));
  return Math.floor((stock * days) / sold.d30);
}

function ifKnown(value: number | null, at: Instant | null, now: Instant): number | null {
  return at !== null && isStillKnown(at, now) ? value : null;
}

function externalPriceOf({ externalPrice: price, externalPriceAt: at }: FactsRow): ExternalPrice | null {
  return price === null || at === null ? null : { price, at };
}

const NO_SISTERS: ListingSignals['sisters'] = [];

function sistersOf(
  lines: readonly Line[],
  { marketplace, sku }: FactsRow,
  known: LineFacts['sisters'],
): ListingSignals['sisters'] {
  const named = sistersIn(lines);
  if (named.length === 0) return NO_SISTERS;
  return named.flatMap((one) =>
    (known.get(one) ?? []).filter((price) => !(price.sku === sku && price.marketplace === marketplace)),
  );
}

/** What a rule remembers of a listing: nothing of what another rule, or its former lines, left. */
export function memoryFor(rule: Rule, stored: LineMemoryRow | undefined): LineMemory {
  if (stored === undefined || rule.lines === null) return NOTHING_REMEMBERED;
  if (stored.ruleId !== rule.id || stored.linesHash !== hashOf(rule.lines)) return NOTHING_REMEMBERED;
  return { situation: stored.situation, turns: stored.turns };
}

const hashes = new WeakMap<readonly Line[], string>();

/** A short name of the text of lines, which changes with every edit of them. */
export function hashOf(lines: readonly Line[]): string {
  const known = hashes.get(lines);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(printLines(lines)).digest('hex');
  hashes.set(lines, hash);
  return hash;
}
