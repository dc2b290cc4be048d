import type { Db } from '#db/client.ts';
import { addFalls, readFalls, type ShownFall } from '#db/queries/import-falls.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { isDrop } from '#domain/lowest-allowed.ts';
import type { Cents } from '#domain/units.ts';
import {
  type Fall,
  listingsText,
  loweredBy,
  mergeLowered,
  NONE_LOWERED,
} from '#usecases/costs/lowered-floors.ts';
import { beyondCheck } from './import-proof.ts';

const BATCH = 1_000;

/**
 * Writes down what a batch would let fall, so that the import can be held against all of it.
 * @param before drops that the batches before come to
 * @returns the drops of all batches so far; one whose parts are each smaller counts as well
 */
export async function showFalls(
  tx: Db,
  importId: number,
  before: LoweredFloors,
  falls: readonly Fall[],
): Promise<LoweredFloors> {
  let lowered = before;
  for (let from = 0; from < falls.length; from += BATCH) {
    const some = falls.slice(from, from + BATCH);
    const fallOf = new Map(some.map((fall) => [fall.listingId, fall]));
    const shown = await addFalls(
      tx,
      importId,
      some.map((fall) => ({ id: fall.listingId, before: fall.from, after: fall.to })),
    );
    const drops: Fall[] = [];
    let known = 0;
    for (const all of shown) {
      const fall = fallOf.get(all.id);
      if (fall === undefined || !isDrop(all.before, all.after)) continue;
      drops.push({ ...fall, from: all.before, to: all.after });
      if (isDrop(all.before, (all.after + fall.from - fall.to) as Cents)) known += 1;
    }
    const again = new Set(drops.map(({ listingId }) => listingId));
    const worst = lowered.worst.filter(({ listingId }) => !again.has(listingId));
    lowered = mergeLowered({ count: lowered.count - known, worst }, loweredBy(drops));
  }
  return lowered;
}

/** Holds the drops of one batch of an import against those that its check has shown. */
export class ShownFalls {
  readonly #tx: Db;
  readonly #importId: number;
  #unshown = NONE_LOWERED;

  constructor(tx: Db, importId: number) {
    this.#tx = tx;
    this.#importId = importId;
  }

  readonly judge = async (drops: readonly Fall[]): Promise<void> => {
    const shown = await readFalls(
      this.#tx,
      this.#importId,
      drops.map(({ listingId }) => listingId),
    );
    const unshown = drops.filter(({ listingId, to }) => !isShown(shown.get(listingId), to));
    this.#unshown = mergeLowered(this.#unshown, loweredBy(unshown));
  };

  /**
   * @param kept rows that stay imported when it ends here
   * @throws AppError conflict for drops that the check has not shown, or not as deep
   */
  refuse(kept: number): void {
    if (this.#unshown.count === 0) return;
    const because = `it would lower the lowest allowed price of ${listingsText(this.#unshown)} by more than 20%`;
    throw beyondCheck(because, kept);
  }
}

const isShown = (shown: ShownFall | undefined, to: Cents): boolean =>
  shown !== undefined && isDrop(shown.before, shown.after) && shown.after <= to;
