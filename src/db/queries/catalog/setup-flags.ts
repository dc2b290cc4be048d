import type { Db } from '#db/client.ts';
import { setupFlags } from '#db/schema/settings.ts';
import type { Instant } from '#domain/units.ts';

/** Records that the setup has reached this step; the first time counts. */
export async function setFlag(
  db: Db,
  name: typeof setupFlags.$inferSelect.name,
  by: string | null,
  now: Instant,
): Promise<void> {
  await db.insert(setupFlags).values({ name, reachedAt: now, reachedBy: by }).onConflictDoNothing();
}
