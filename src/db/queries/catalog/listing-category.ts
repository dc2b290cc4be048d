import { sql } from 'drizzle-orm';

/** The category of `listings l` that rules compare: the entered one, or else what the marketplace reports. */
export const LISTING_CATEGORY = sql`coalesce(l.fee_category, l.accepted_category, l.product_type, l.external_category)`;
