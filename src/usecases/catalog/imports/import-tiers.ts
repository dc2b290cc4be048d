import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { listTiers, type StoredTier, writeTiers } from '#db/queries/catalog/import-tiers.ts';
import { isoTime } from '#db/sql-values.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { readTier, type TierColumn, type TierRow } from '#files/tier-format.ts';
import { rejectFuture, sinceChange, weightField } from './fields.ts';
import type { Change, Importer, RowError, RowOutcome } from './importer.ts';
import { readable } from './whole-groups.ts';

/** One tier of one marketplace, from the file or the database. */
interface Tier {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: StoredTier['fulfillmentType'];
  /** As the database compares them: `real`. */
  readonly min: number;
  readonly max: number;
}

/** Shipping tiers, added or changed by marketplace, fulfillment type and exact range. None is ever deleted. */
export const TIER_IMPORT: Importer<TierColumn, TierRow> = {
  columns: ['marketplace', 'fulfillmentType', 'minWeightOz', 'maxWeightOz', 'cost', 'effectiveFrom'],
  isOneBatch: true,
  reader:
    ({ at }) =>
    (cells) => {
      const tier = readTier(cells);
      rejectFuture(cells, tier?.effectiveFrom ?? null, at);
      return cells.bad.length > 0 ? null : tier;
    },
  plan: async (db, entries, { at }, lock) => {
    const planner = new TierPlanner(await listTiers(db, lock), at);
    const outcomes = readable(entries).map(({ row, line }) => planner.plan(row, line));
    return { outcomes, write: (tx) => writeTiers(tx, planner.created, planner.changed) };
  },
};

class TierPlanner {
  readonly created: TextRow[] = [];
  readonly changed: TextRow[] = [];
  readonly #stored: readonly { readonly tier: Tier; readonly old: StoredTier }[];
  readonly #taken: { readonly tier: Tier; readonly line: number }[] = [];

  readonly #now: Instant;

  constructor(stored: readonly StoredTier[], now: Instant) {
    this.#now = now;
    this.#stored = stored.map((old) => ({
      old,
      tier: { ...old, min: Math.fround(old.minWeightOz), max: Math.fround(old.maxWeightOz) },
    }));
  }

  plan(row: TierRow, line: number): RowOutcome {
    const what = `${row.marketplace ?? 'all'} ${row.fulfillmentType} ${weightField(row.minWeight)} to ${weightField(row.maxWeight)} oz`;
    const tiers = (row.marketplace === null ? MARKETPLACES : [row.marketplace]).map(
      (marketplace): Tier => ({
        marketplace,
        fulfillmentType: row.fulfillmentType,
        min: Math.fround(row.minWeight),
        max: Math.fround(row.maxWeight),
      }),
    );
    const complaint = this.#complaint(tiers, row, line);
    if (complaint !== null) return { kind: 'rejected', what, complaint };
    this.#taken.push(...tiers.map((tier) => ({ tier, line })));
    const changes: Change[] = [];
    const cost = decimalFromCents(row.cost);
    const since = isoTime(row.effectiveFrom ?? this.#now);
    let isNew = false;
    for (const tier of tiers) {
      const same = this.#stored.find(({ tier: other }) => isSameTier(tier, other));
      if (same === undefined) {
        isNew = true;
        this.created.push({ ...textOf(tier, cost), since });
        continue;
      }
      const isOther = same.old.cost !== row.cost;
      const isEarlier = row.effectiveFrom !== null && row.effectiveFrom < (same.old.effectiveFrom ?? 0);
      if (isOther) {
        const field = row.marketplace === null ? `cost (${tier.marketplace})` : 'cost';
        changes.push({ field, from: decimalFromCents(same.old.cost), to: cost });
      }
      if (isEarlier || (isOther && row.effectiveFrom !== null)) changes.push(sinceChange(since));
      if (isEarlier || isOther) this.changed.push({ id: String(same.old.id), cost, since });
    }
    if (changes.length > 0) return { kind: 'update', what, changes };
    return { kind: isNew ? 'create' : 'unchanged', what };
  }

  #complaint(tiers: readonly Tier[], row: TierRow, line: number): RowError | null {
    const fix = 'Let one tier end where the next one starts.';
    const base = { column: 'minWeightOz', value: weightField(row.minWeight) };
    const above = this.#taken.find(({ tier }) => tiers.some((mine) => doOverlap(mine, tier)));
    if (above !== undefined) {
      return {
        ...base,
        problem: `overlaps the tier of line ${above.line} (lines ${above.line} and ${line})`,
        fix,
      };
    }
    for (const mine of tiers) {
      const other = this.#stored.find(({ tier }) => doOverlap(mine, tier) && !isSameTier(mine, tier));
      if (other === undefined) continue;
      const range = `${weightField(other.tier.min)} to ${weightField(other.tier.max)} oz`;
      const problem = `overlaps the stored tier ${range} of ${mine.marketplace} ${mine.fulfillmentType}`;
      return { ...base, problem, fix: `${fix} Or delete the stored one under Shipping Tiers first.` };
    }
    return null;
  }
}

function isSameTier(a: Tier, b: Tier): boolean {
  return (
    a.marketplace === b.marketplace &&
    a.fulfillmentType === b.fulfillmentType &&
    a.min === b.min &&
    a.max === b.max
  );
}

function doOverlap(a: Tier, b: Tier): boolean {
  return (
    a.marketplace === b.marketplace &&
    a.fulfillmentType === b.fulfillmentType &&
    a.min < b.max &&
    b.min < a.max
  );
}

function textOf({ marketplace, fulfillmentType, min, max }: Tier, cost: string): TextRow {
  return { marketplace, fulfillmentType, min: weightField(min), max: weightField(max), cost };
}
