import type { FeeEstimate } from '#connectors/connector.ts';
import { notify } from '#db/listen.ts';
import { listUnknownFees, writeEstimatedFees } from '#db/queries/marketplace-figures.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { cents } from '#domain/units.ts';
import type { ReadingDeps, ReadingOf } from './reading-deps.ts';

const BATCH = 200;

export interface FeeCounts {
  /** Blank fees that are filled in now, and estimates that were renewed. */
  readonly filled: number;
  readonly unread: number;
}

/**
 * Asks what the marketplace's warehouse takes, for listings whose fee nobody entered: blank it blocks them.
 * @throws ConnectorError
 */
export async function readFees(
  { db, now }: ReadingDeps,
  { connection: { marketplace, connector, account }, signal }: ReadingOf,
): Promise<FeeCounts> {
  let counts: FeeCounts = { filled: 0, unread: 0 };
  if (connector.estimateFees === undefined) return counts;
  for (let after = 0; ; ) {
    const unknown = await listUnknownFees(db, marketplace, after, BATCH);
    const last = unknown.at(-1);
    if (last === undefined) return counts;
    after = last.listingId;
    const queries = unknown.map((ref) => ({
      ref,
      price: cents(ref.price),
      shippingCharge: cents(ref.shippingCharge),
    }));
    for await (const page of connector.estimateFees(account, queries, signal)) {
      const estimates = page.filter((each): each is FeeEstimate => each.kind === 'fees');
      const filled = await transact(db, async (tx) => {
        const ids = await writeEstimatedFees(tx, estimates.flatMap(feeOf), now());
        if (ids.length > 0) await notify(tx, 'pricewright_listings', ids);
        return ids.length;
      });
      counts = { filled: counts.filled + filled, unread: counts.unread + page.length - estimates.length };
    }
  }
}

function feeOf({ listingId, fulfillment }: FeeEstimate) {
  return fulfillment === null ? [] : [{ listingId, fee: decimalFromCents(fulfillment) }];
}
