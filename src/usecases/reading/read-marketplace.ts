import { ConnectorError } from '#connectors/connector-error.ts';
import { notify } from '#db/listen.ts';
import { readSchedule } from '#db/queries/engine.ts';
import { listReadWishes } from '#db/queries/incoming-events.ts';
import { beginRead, endRead, findRead, listReadRequests, listReads } from '#db/queries/marketplace-reads.ts';
import type { Read } from '#domain/readings.ts';
import { hours, type Instant } from '#domain/units.ts';
import { dueReads } from './due-reads.ts';
import { readCatalogue } from './read-catalogue.ts';
import { readFees } from './read-fees.ts';
import { readFigures } from './read-figures.ts';
import { readRivals } from './read-rivals.ts';
import { readSales } from './read-sales.ts';
import type { ReadingDeps, ReadingOf } from './reading-deps.ts';

/** Sales of this time are read the first time. */
const FIRST_SALES = hours(24 * 30);
/** Orders change for a while after they are made, and some are told late. */
const SALES_AGAIN = hours(48);
const OWN_FAULT = 'Something went wrong here, not there. The log has the details; it is tried again.';

/**
 * Reads of one marketplace whatever is due. A kind that fails says so in `marketplace_reads` and leaves the others to
 * their turn, unless the shop as a whole does not answer.
 * @returns whether anything was read
 */
export async function readMarketplace(deps: ReadingDeps, reading: ReadingOf): Promise<boolean> {
  const { db, now } = deps;
  const { marketplace } = reading.connection;
  const rows = (await listReads(db)).filter((row) => row.marketplace === marketplace);
  const { checkInterval } = await readSchedule(db);
  const askedAt = (await listReadRequests(db)).get(marketplace) ?? null;
  const changedAt = await listReadWishes(db, marketplace);
  const due = dueReads(rows, checkInterval, askedAt, now(), changedAt);
  for (const what of due) {
    if (reading.signal.aborted) break;
    if (!(await readOne(deps, reading, what, { checkInterval, askedAt }))) break;
  }
  return due.length > 0;
}

/** How fresh what is read has to be. */
interface Wanted {
  /** Minutes. */
  readonly checkInterval: number;
  /** When somebody last asked for a whole reading. */
  readonly askedAt: Instant | null;
}

/** @returns whether the next kind has a chance */
async function readOne(deps: ReadingDeps, reading: ReadingOf, what: Read, wanted: Wanted): Promise<boolean> {
  const { db, now } = deps;
  const { marketplace } = reading.connection;
  const beganAt = now();
  const before = await findRead(db, marketplace, what);
  await beginRead(db, marketplace, what, beganAt);
  await notify(db, 'pricewright_engine', []);
  const end = async (counts: object, problem: string | null, isWhole = problem === null) => {
    const ended = { beganAt, endedAt: now(), counts: { ...counts }, problem, isWhole };
    await endRead(db, marketplace, what, ended);
    await notify(db, 'pricewright_engine', []);
  };
  try {
    await end(await read(deps, reading, what, before?.succeededAt ?? null, wanted), null);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError)) {
      await end({}, OWN_FAULT).catch(() => undefined);
      throw error;
    }
    // Its budget is used up, or we stop: nobody has to do anything, and the next round goes on.
    if (error.fault === 'busy' || reading.signal.aborted) {
      await end({}, null, false);
      return error.fault === 'busy';
    }
    await end({}, error.message);
    return error.fault !== 'key' && error.fault !== 'network' && error.fault !== 'service';
  }
}

function read(
  deps: ReadingDeps,
  reading: ReadingOf,
  what: Read,
  succeededAt: Instant | null,
  { checkInterval, askedAt }: Wanted,
): Promise<object> {
  const now = deps.now();
  switch (what) {
    case 'listings':
      return readCatalogue(deps, reading);
    case 'offers':
      return readRivals(
        deps,
        reading,
        Math.max(now - (checkInterval * 60_000) / 2, Math.min(askedAt ?? 0, now)) as Instant,
      );
    case 'sales':
      return readSales(
        deps,
        reading,
        (succeededAt === null ? now - FIRST_SALES : succeededAt - SALES_AGAIN) as Instant,
      );
    case 'figures':
      return readFigures(deps, reading);
    case 'fees':
      return readFees(deps, reading);
  }
}
