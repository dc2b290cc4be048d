import type { Db } from '#db/client.ts';
import { readFalls, type ShownFall } from '#db/queries/catalog/import-falls.ts';
import { isDrop } from '#domain/limits/lowest-allowed.ts';
import type { Cents } from '#domain/units.ts';
import {
  type Fall,
  listingsText,
  loweredBy,
  mergeLowered,
  NONE_LOWERED,
} from '#usecases/catalog/costs/lowered-floors.ts';
import { beyondCheck } from './import-step-up.ts';

/** Compares the drops of an import's batch with those that its check showed. */
export class ShownFalls {
  readonly #tx: Db;
  readonly #importId: number;
  #unshown = NONE_LOWERED;

  constructor(tx: Db, importId: number) {
    this.#tx = tx;
    this.#importId = importId;
  }

  readonly check = async (drops: readonly Fall[]): Promise<void> => {
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
   * @throws AppError conflict for drops that the check did not show, or that are deeper
   */
  reject(kept: number): void {
    if (this.#unshown.count === 0) return;
    const because = `it would lower the lowest allowed price of ${listingsText(this.#unshown)} by more than 20%`;
    throw beyondCheck(because, kept);
  }
}

const isShown = (shown: ShownFall | undefined, to: Cents): boolean =>
  shown !== undefined && isDrop(shown.before, shown.after) && shown.after <= to;
