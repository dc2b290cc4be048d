import type { SalesExportQuery } from '#contract/sales.ts';
import type { SalesFilter } from '#db/queries/catalog/sales-list.ts';
import { hours, type Instant } from '#domain/units.ts';

/** Marketplaces report a sale within weeks: settlements are made every fortnight. */
const REPORTED_WITHIN = hours(45 * 24);

/** The filter of a request at this moment. */
export function salesFilter({ late, ...filter }: SalesExportQuery, now: Instant): SalesFilter {
  return { ...filter, lateBefore: late === undefined ? undefined : ((now - REPORTED_WITHIN) as Instant) };
}
