import type { Db } from '#db/client.ts';
import { deleteOldImports } from '#db/queries/catalog/imports.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** How long files and their reports are kept, in days. */
export const KEPT_DAYS = 30;
const RETENTION = hours(KEPT_DAYS * 24);
/** Longer than any upload takes. */
const UPLOAD_RETENTION = hours(24);

/** Deletes files and their reports after 30 days, and interrupted uploads after one. @returns how many */
export function purgeImports(db: Db, now: Instant): Promise<number> {
  return deleteOldImports(db, instant(now - RETENTION), instant(now - UPLOAD_RETENTION));
}
