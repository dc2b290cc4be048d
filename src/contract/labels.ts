import { z } from 'zod';

/** A brand or a supplier: null and a blank mean none. Files and filters separate several of them with |. */
export const Label = z
  .string()
  .trim()
  .max(200, 'At most 200 characters')
  .regex(/^[^|]*$/, 'Without |')
  .nullable()
  .transform((text) => text || null);

/** The limits of Shopify. */
export const MAX_TAGS = 250;
export const LONGEST_TAG = 255;

/** Labels that group listings and SKUs, in addition to their names. */
export const LABEL_FIELDS = ['brand', 'supplier', 'tag'] as const;
export type LabelField = (typeof LABEL_FIELDS)[number];

/**
 * "Acme|Bluebird": any of these, case-insensitive. An empty part matches items without any: "Acme|", or "|"
 * alone.
 */
const LabelChoice = z.string().min(1).max(2_000);

/** The filters of a list by label; all of them must match. */
export const LABEL_FILTER = {
  brand: LabelChoice.optional(),
  supplier: LabelChoice.optional(),
  tag: LabelChoice.optional(),
};

/** GET /api/listings/labels, /api/skus/labels: the existing labels. `q` matches part of them. */
export const LabelsQuery = z.strictObject({
  of: z.enum(LABEL_FIELDS),
  q: z.string().trim().max(200).optional(),
});

/** GET /api/listings/labels, which has the categories too, as rules compare them. */
export const ListingLabelsQuery = LabelsQuery.extend({ of: z.enum([...LABEL_FIELDS, 'category']) });

/** The most frequent first, at most 100; `none`: how many have no such label. */
export const LabelCounts = z.object({
  labels: z.array(z.object({ label: z.string(), count: z.int() })),
  /** There are more than are listed. */
  isCut: z.boolean(),
  none: z.int(),
});
export type LabelCounts = z.output<typeof LabelCounts>;
