import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import {
  concludeReadingCheck,
  countSampled,
  endReadingCheck,
  startReadingCheck,
} from '#db/queries/marketplaces/sync/reading-checks.ts';
import { deleteOldReadingLags } from '#db/queries/marketplaces/sync/reading-lags.ts';
import {
  readWaitingSuspects,
  requestItemReads,
  requestSampleReads,
  type StoredSuspect,
  setAsideWaiting,
} from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { AssessedReading, ReadingSource } from '#domain/readings/assess-reading.ts';
import { drawSample, isMassSuspect, readingCheckOutcome } from '#domain/readings/reading-check.ts';
import type { Instant } from '#domain/units.ts';

/** A reading of many listings that has ended, complete or not. */
export interface EndedReading {
  readonly source: ReadingSource;
  readonly startedAt: Instant;
  readonly compared: number;
  readonly suspects: number;
}

/**
 * Decides at the end of a reading which items are read: those of all suspect prices, or, where these are many, a sample of
 * them, drawn by chance.
 */
export async function settleReading(
  db: Db,
  marketplace: Marketplace,
  reading: EndedReading,
  now: Instant,
): Promise<void> {
  await transact(db, async (tx) => {
    await deleteOldReadingLags(tx, now);
    if (!isMassSuspect(reading.compared, reading.suspects)) {
      await endReadingCheck(tx, marketplace);
      await requestItemReads(tx, marketplace, now);
      return;
    }
    const waiting = await readWaitingSuspects(tx, marketplace);
    const sample = drawSample(waiting, reading.startedAt);
    // All of them are being read already, since an earlier reading.
    if (sample.length === 0) return;
    await startReadingCheck(tx, marketplace, { ...reading, sampled: sample.length });
    await requestSampleReads(tx, marketplace, sample, now);
    await notify(tx, 'pricewright_engine', []);
  });
}

/** A suspect listing whose item was read. */
interface ReadItem {
  readonly before: readonly StoredSuspect[];
  readonly reading: Pick<AssessedReading, 'result'>;
}

/**
 * Counts items of a sample, in the transaction that settles them. When enough of them have the price in force, the whole
 * reading is set aside; when they do not, all other items of it are read too.
 */
export async function countSampledReadings(
  tx: Db,
  marketplace: Marketplace,
  items: readonly ReadItem[],
  now: Instant,
): Promise<void> {
  const sampled = items.filter(({ before }) =>
    before.some(({ isSample, openSince }) => isSample && openSince !== null),
  );
  if (sampled.length === 0) return;
  const inForce = sampled.filter(({ reading }) => reading.result === 'in_force').length;
  const check = await countSampled(tx, marketplace, { inForce, differing: sampled.length - inForce });
  if (check === null) return;
  const outcome = readingCheckOutcome(check.sampled, check.inForce, check.differing);
  if (outcome === 'checking') return;
  await concludeReadingCheck(tx, marketplace, outcome);
  await notify(tx, 'pricewright_engine', []);
  if (outcome === 'changed') return requestItemReads(tx, marketplace, now);
  await notify(tx, 'pricewright_listings', await setAsideWaiting(tx, marketplace));
}
