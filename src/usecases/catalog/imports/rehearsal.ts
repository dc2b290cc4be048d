import type { Db } from '#db/client.ts';
import { forgetFalls, listFalls, writeFalls } from '#db/queries/catalog/import-falls.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { transactOnce } from '#db/transact.ts';
import { isDrop } from '#domain/limits/lowest-allowed.ts';
import type { Cents } from '#domain/units.ts';
import { RawRows } from '#files/raw-rows.ts';
import {
  collectFalls,
  type Fall,
  loweredBy,
  mergeLowered,
  NONE_LOWERED,
} from '#usecases/catalog/costs/lowered-floors.ts';
import type { Entry, Importer, Parts } from './importer.ts';
import { type Pass, requireCurrentPass, withRetries } from './pass.ts';
import { readBatches } from './read-batches.ts';

/** Listings that are tried together. */
const BATCH = 1_000;

/** What one step of the import writes, and the listings whose lowest allowed prices are then checked. */
interface Step<Row> {
  readonly entries: readonly Entry<Row>[];
  /** Null: all that it affects. */
  readonly listings: ReadonlySet<number> | null;
}

/**
 * Runs an import in transactions that are rolled back, during its check, and records which lowest allowed prices it
 * would lower: no second calculation can differ. Each batch is tried alone; a listing that several batches affect, such
 * as a bundle with distant components, is tried again at the end with all of its rows, in the order of the import.
 */
export class Rehearsal<Name extends string, Row> {
  readonly #spec: Importer<Name, Row>;
  readonly #pass: Pass;
  readonly #touched = new Set<number>();
  readonly #touchedAgain = new Set<number>();

  constructor(spec: Importer<Name, Row>, pass: Pass) {
    this.#spec = spec;
    this.#pass = pass;
  }

  async add(entries: readonly Entry<Row>[]): Promise<void> {
    const usable = entries.filter(({ row }) => row !== null);
    const { falls, touched } = await this.#tryOut([{ entries: usable, listings: null }]);
    for (const id of touched) {
      if (this.#touched.has(id)) this.#touchedAgain.add(id);
      else this.#touched.add(id);
    }
    if (falls.length > 0) await this.#write((tx) => writeFalls(tx, this.#pass.file.id, falls));
  }

  /** @param report called with progress from time to time @returns the drops of the whole file */
  async end(report: () => Promise<void>): Promise<LoweredFloors> {
    const { parts } = this.#spec;
    if (parts !== undefined && this.#touchedAgain.size > 0) await this.#tryTogether(parts, report);
    const { db, file } = this.#pass;
    let lowered = NONE_LOWERED;
    let page = await listFalls(db, file.id, 0, BATCH);
    while (page.length > 0) {
      lowered = mergeLowered(lowered, loweredBy(page.filter(({ from, to }) => isDrop(from, to))));
      page = await listFalls(db, file.id, page.at(-1)?.listingId ?? 0, BATCH);
    }
    return lowered;
  }

  async #tryTogether(parts: Parts<Row>, report: () => Promise<void>): Promise<void> {
    const { db, file } = this.#pass;
    const again = [...this.#touchedAgain];
    const partsOf: { readonly ids: readonly number[]; readonly keys: Map<string, number[]> }[] = [];
    for (let from = 0; from < again.length; from += BATCH) {
      const ids = again.slice(from, from + BATCH);
      const keys = new Map<string, number[]>();
      for (const { listingId, key } of await parts.of(db, ids)) {
        keys.set(key, [...(keys.get(key) ?? []), listingId]);
      }
      partsOf.push({ ids, keys });
    }
    const rows = await this.#findRows(
      parts,
      new Set(partsOf.flatMap(({ keys }) => [...keys.keys()])),
      report,
    );
    for (const { ids, keys } of partsOf) {
      const { falls } = await this.#tryOut(stepsOf(rows, keys));
      await this.#write(async (tx) => {
        await forgetFalls(tx, file.id, ids);
        await writeFalls(tx, file.id, falls);
      });
      await report();
    }
  }

  /** The rows with these keys, and the batch of each. */
  async #findRows(
    parts: Parts<Row>,
    keys: ReadonlySet<string>,
    report: () => Promise<void>,
  ): Promise<Map<string, PlacedRow<Row>>> {
    const { db, file, context } = this.#pass;
    const rows = new Map<string, PlacedRow<Row>>();
    // Only rejected rows need their bytes, which would keep the whole file in memory.
    const raws = new RawRows();
    let batch = 0;
    await readBatches(db, file, this.#spec, context, async (entries) => {
      for (const { row, line, problems } of entries) {
        const key = row === null ? null : parts.keyOf(row);
        if (key !== null && keys.has(key))
          rows.set(key, { batch, entry: { row, line, problems, raws, raw: 0 } });
      }
      batch += 1;
      await report();
    });
    return rows;
  }

  /** Writes step by step as the import would, collects the drops, and rolls back. */
  #tryOut(steps: readonly Step<Row>[]): Promise<{ readonly falls: Fall[]; readonly touched: number[] }> {
    const { db, context, now } = this.#pass;
    return withRetries(async () => {
      const falls = new Map<number, Fall>();
      const touched: number[] = [];
      try {
        await transactOnce(db, async (tx) => {
          for (const { entries, listings } of steps) {
            const plan = await this.#spec.plan(tx, entries, context, true);
            await plan.write(tx);
            const looked = await collectFalls(tx, now(), async (found) => addFalls(falls, found), listings);
            for (const id of looked) touched.push(id);
          }
          throw new Rehearsed();
        });
      } catch (error) {
        if (!(error instanceof Rehearsed)) throw error;
      }
      return { falls: [...falls.values()], touched };
    });
  }

  #write(work: (tx: Db) => Promise<void>): Promise<void> {
    return withRetries(() =>
      transactOnce(this.#pass.db, async (tx) => {
        await requireCurrentPass(this.#pass, tx);
        await work(tx);
      }),
    );
  }
}

interface PlacedRow<Row> {
  readonly batch: number;
  readonly entry: Entry<Row>;
}

/** The rows that some listings depend on, by the batches in which the import writes them. */
function stepsOf<Row>(
  rows: ReadonlyMap<string, PlacedRow<Row>>,
  keys: ReadonlyMap<string, readonly number[]>,
): Step<Row>[] {
  const steps = new Map<number, { readonly entries: Entry<Row>[]; readonly listings: Set<number> }>();
  for (const [key, ids] of keys) {
    const placed = rows.get(key);
    if (placed === undefined) continue;
    const step = steps.get(placed.batch) ?? { entries: [], listings: new Set() };
    steps.set(placed.batch, step);
    step.entries.push(placed.entry);
    for (const id of ids) step.listings.add(id);
  }
  return [...steps].sort(([a], [b]) => a - b).map(([, step]) => step);
}

/** A price that falls in several steps counts from its highest to its lowest. */
function addFalls(falls: Map<number, Fall>, found: readonly Fall[]): void {
  for (const fall of found) {
    const known = falls.get(fall.listingId) ?? fall;
    const from = Math.max(known.from, fall.from) as Cents;
    const to = Math.min(known.to, fall.to) as Cents;
    falls.set(fall.listingId, { ...fall, from, to });
  }
}

/** Rolls back a rehearsal's transaction. */
class Rehearsed extends Error {}
