import { ConnectorError } from '#connectors/connector-error.ts';
import { notify } from '#db/listen.ts';
import { readSchedule } from '#db/queries/engine.ts';
import { beginRead, endRead, findRead, listReads } from '#db/queries/marketplace-reads.ts';
import type { Read } from '#db/schema/marketplace-reads.ts';
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
  const due = dueReads(rows, checkInterval, now());
  for (const what of due) {
    if (reading.signal.aborted) break;
    if (!(await readOne(deps, reading, what, checkInterval))) break;
  }
  return due.length > 0;
}

/** @returns whether the next kind has a chance */
async function readOne(
  deps: ReadingDeps,
  reading: ReadingOf,
  what: Read,
  checkInterval: number,
): Promise<boolean> {
  const { db, now } = deps;
  const { marketplace } = reading.connection;
  const beganAt = now();
  const before = await findRead(db, marketplace, what);
  await beginRead(db, marketplace, what, beganAt);
  const end = async (counts: object, problem: string | null) => {
    await endRead(db, marketplace, what, { beganAt, endedAt: now(), counts: { ...counts }, problem });
    await notify(db, 'pricewright_engine', []);
  };
  try {
    await end(await read(deps, reading, what, before?.succeededAt ?? null, checkInterval), null);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    await end({}, error.message);
    return error.fault !== 'key' && error.fault !== 'network' && error.fault !== 'service';
  }
}

function read(
  deps: ReadingDeps,
  reading: ReadingOf,
  what: Read,
  succeededAt: Instant | null,
  checkInterval: number,
): Promise<object> {
  const now = deps.now();
  switch (what) {
    case 'listings':
      return readCatalogue(deps, reading);
    case 'offers':
      return readRivals(deps, reading, (now - (checkInterval * 60_000) / 2) as Instant);
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
