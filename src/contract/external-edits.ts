import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import {
  EXTERNAL_EDIT_POLICIES,
  EXTERNAL_EDIT_PROBLEMS,
  UNREPAIRED_REASONS,
} from '#domain/readings/repair-or-hold.ts';
import { Confirmed, Id, Moment, Money, PriceInput } from './fields.ts';

/** A price that was changed on its marketplace to one that is not allowed, and that no user has decided about. */
const ExternalEdit = z.object({
  id: Id,
  marketplace: z.enum(MARKETPLACES),
  foundAt: Moment,
  price: Money,
  priceBefore: Money,
  problem: z.enum(EXTERNAL_EDIT_PROBLEMS),
  /** Why it was not repaired automatically; null where it was, or is being repaired. */
  unrepairedBecause: z.enum(UNREPAIRED_REASONS).nullable(),
  /** The price that it was repaired to, or that "Repair now" sets. */
  repairPrice: Money,
  /** Buyers still see it, as far as we know. */
  isInForce: z.boolean(),
});
export type ExternalEdit = z.output<typeof ExternalEdit>;

/** GET /api/listings/{id}/external-edit */
export const ListingEdit = z.object({ edit: ExternalEdit.nullable() });
export type ListingEdit = z.output<typeof ListingEdit>;

/** POST /api/listings/{id}/external-edit/leave: the edit that the user saw; 409 when it was settled since. */
export const LeaveEdit = z.strictObject({ edit: Id });

/**
 * POST /api/listings/{id}/external-edit/repair: the edit and the repair price that the user saw; 409 when they are
 * different now.
 */
export const RepairEdit = z.strictObject({ edit: Id, price: PriceInput, ...Confirmed });

/** PUT /api/connections/{marketplace}/external-edits (admin): what happens there to edits below the lowest allowed price. */
export const EditPolicy = z.strictObject({ policy: z.enum(EXTERNAL_EDIT_POLICIES) });
