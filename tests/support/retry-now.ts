import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { JobKind } from '#db/queue.ts';

/** Ends the wait of jobs of a kind that have failed. Called again and again, since nothing reports when one has. */
export async function retryNow<Data extends object>(db: Db, { name }: JobKind<Data>): Promise<void> {
  await db.execute(
    sql`UPDATE pgboss.job SET start_after = now() WHERE name = ${name} AND state = 'retry' AND start_after > now()`,
  );
}
