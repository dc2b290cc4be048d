import { createHash } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { type LineMemoryRow, readLineMemories } from '#db/queries/repricing/line-memories.ts';
import {
  type BoxAndStock,
  type RecentSales,
  readBoxAndStock,
  readRecentSales,
} from '#db/queries/repricing/line-signals.ts';
import type { ListingSignals } from '#domain/facts.ts';
import { asksForSales, asksWhetherTheyFollow } from '#domain/lines/compile-lines.ts';
import type { Line } from '#domain/lines/line.ts';
import { type LineMemory, NOTHING_REMEMBERED } from '#domain/lines/line-memory.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Rule, RuleChoice } from '#domain/rule.ts';
import { type Bps, WHOLE } from '#domain/units.ts';
import { type FollowShare, followSharesOf } from './follow-shares.ts';
import type { PricingContext } from './pricing-context.ts';

/** What the lines of rules can ask about the listings of a batch, by listing. */
export interface LineFacts {
  /** Of all listings, also those that no rule with lines prices now. */
  readonly memories: ReadonlyMap<number, LineMemoryRow>;
  readonly boxes: ReadonlyMap<number, BoxAndStock>;
  readonly sales: ReadonlyMap<number, RecentSales>;
  readonly follows: ReadonlyMap<number, FollowShare>;
}

/** Where nothing is asked. */
export const NO_LINE_FACTS: LineFacts = {
  memories: new Map(),
  boxes: new Map(),
  sales: new Map(),
  follows: new Map(),
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
  };
}

function linesOf(choice: RuleChoice | undefined): readonly Line[] | null {
  return choice?.minimumMargin == null ? null : choice.rule.lines;
}

/**
 * The facts about a listing that only lines ask; null where no rule with lines prices it.
 * @param isStockTold the marketplace is still synced
 */
export function signalsOf(
  listingId: number,
  choice: RuleChoice,
  { memories, boxes, sales, follows }: LineFacts,
  isStockTold: boolean,
): ListingSignals | null {
  const lines = linesOf(choice);
  if (lines === null || choice.rule === null) return null;
  const box = boxes.get(listingId);
  const sold = sales.get(listingId);
  const stock = isStockTold ? (box?.stock ?? null) : null;
  return {
    ...memoryFor(choice.rule, memories.get(listingId)),
    boxShare:
      box === undefined || box.readings < MIN_READINGS
        ? null
        : (Math.floor((box.ours * WHOLE) / box.readings) as Bps),
    followShare: follows.get(listingId)?.share ?? null,
    boxSuppressedAt: null,
    stock,
    daysOfSupply:
      stock === null || sold === undefined || sold.d30 === 0 ? null : Math.floor((stock * 30) / sold.d30),
    stockAgeDays: null,
    lastSaleAt: sold?.lastSaleAt ?? null,
    sold: sold === undefined ? null : { d1: sold.d1, d7: sold.d7, d30: sold.d30 },
  };
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
