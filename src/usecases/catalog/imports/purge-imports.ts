import type { Db } from '#db/client.ts';
import { deleteOldImports } from '#db/queries/catalog/imports.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** How long files and their reports are kept, in days. */
export const KEPT_DAYS = 30;
const KEPT = hours(KEPT_DAYS * 24);
/** No upload takes longer. */
const UPLOADS_KEPT = hours(24);

/** Deletes files and their reports after 30 days, and what is left of uploads that broke off. @returns how many */
export function purgeImports(db: Db, now: Instant): Promise<number> {
  return deleteOldImports(db, instant(now - KEPT), instant(now - UPLOADS_KEPT));
}
