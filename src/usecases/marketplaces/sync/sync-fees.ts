import type { FeeEstimate } from '#connectors/connector.ts';
import { notify } from '#db/listen.ts';
import { writeEstimatedFees } from '#db/queries/marketplaces/marketplace-figures.ts';
import type { ListingToSync } from '#db/queries/marketplaces/sync-queue.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { cents, type Instant } from '#domain/units.ts';
import type { SyncDeps, SyncSource } from './sync-deps.ts';
import { type BatchCounts, syncInBatches } from './sync-in-batches.ts';

export interface FeeCounts {
  /** Blank fees that were filled in, and estimates that changed. */
  readonly filled: number;
  /** Answers whose amounts cannot be right: nothing of them is used. */
  readonly refused: number;
  readonly unread: number;
  readonly waiting: number;
}

/**
 * Requests the marketplace's fulfillment fee for listings without an entered one (a blank fee blocks repricing) that were
 * last read before `syncedBefore`.
 * @param onProgress called with the counts so far
 * @throws ConnectorError
 */
export async function syncFees(
  deps: SyncDeps,
  { connection: { marketplace, connector, account }, signal }: SyncSource,
  syncedBefore: Instant,
  onProgress: (counts: FeeCounts) => void,
): Promise<FeeCounts> {
  const { estimateFees } = connector;
  if (estimateFees === undefined) return { filled: 0, refused: 0, unread: 0, waiting: 0 };
  const queue = { kind: 'fees', marketplace, syncedBefore } as const;
  let refused = 0;
  const countsOf = ({ ingested, ...others }: BatchCounts) => ({ filled: ingested, refused, ...others });
  const counts = await syncInBatches(deps, queue, {
    request: (refs) => estimateFees.call(connector, account, refs.map(queryOf), signal),
    ingest: (page) => {
      refused += page.filter(({ kind }) => kind === 'unusable_fees').length;
      return storeFees(
        deps,
        page.filter((each) => each.kind === 'fees'),
      );
    },
    onProgress: (soFar) => onProgress(countsOf(soFar)),
  });
  return countsOf(counts);
}

function queryOf(ref: ListingToSync) {
  return { ref, price: cents(ref.price), shippingCharge: cents(ref.shippingCharge) };
}

/** @returns how many fees changed */
async function storeFees({ db, now }: SyncDeps, estimates: readonly FeeEstimate[]): Promise<number> {
  if (estimates.length === 0) return 0;
  return transact(db, async (tx) => {
    const ids = await writeEstimatedFees(tx, estimates.flatMap(feeOf), now());
    if (ids.length > 0) await notify(tx, 'pricewright_listings', ids);
    return ids.length;
  });
}

function feeOf({ listingId, parts }: FeeEstimate) {
  const fees = parts.filter(({ kind }) => kind === 'fulfillment').map(({ amount }) => amount);
  if (fees.length === 0) return [];
  return [{ listingId, fee: decimalFromCents(cents(fees.reduce((sum, fee) => sum + fee, 0))) }];
}
