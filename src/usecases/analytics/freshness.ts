import type { Db } from '#db/client.ts';
import { readSettings } from '#db/queries/shop.ts';

const MINUTE = 60_000;
/** What is older than this many check intervals was missed by at least one of them. */
const INTERVALS = 2;

/** From when on a figure of this moment is old. @returns a function from and to ISO 8601 */
export async function staleAfter(db: Db): Promise<(fetchedAt: string) => string> {
  const { checkInterval } = await readSettings(db);
  return (fetchedAt) => new Date(Date.parse(fetchedAt) + INTERVALS * checkInterval * MINUTE).toISOString();
}
