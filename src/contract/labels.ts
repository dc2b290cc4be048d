import { z } from 'zod';

/** A brand or a supplier: null and a blank are none. Files and filters hold several of them with | between. */
export const Label = z
  .string()
  .trim()
  .max(200, 'At most 200 characters')
  .regex(/^[^|]*$/, 'Without |')
  .nullable()
  .transform((text) => text || null);

/** Shopify has as many tags, and as long ones. */
export const MOST_TAGS = 250;
export const LONGEST_TAG = 255;

/** What listings and SKUs are told apart by, beside what they are called. */
export const LABEL_FIELDS = ['brand', 'supplier', 'tag'] as const;
export type LabelField = (typeof LABEL_FIELDS)[number];

/** "Acme|Bluebird": any of these, in whatever case. An empty part is those without any: "Acme|", or "|" alone. */
const LabelChoice = z.string().min(1).max(2_000);

/** The filters of a list by label; every part narrows. */
export const LABEL_FILTER = {
  brand: LabelChoice.optional(),
  supplier: LabelChoice.optional(),
  tag: LabelChoice.optional(),
};

/** GET /api/listings/labels, /api/skus/labels: the labels there are. `q` looks for a part of them. */
export const LabelsQuery = z.strictObject({
  of: z.enum(LABEL_FIELDS),
  q: z.string().trim().max(200).optional(),
});

/** The most frequent first, 100 at most; `none`: how many have no such label. */
export const LabelCounts = z.object({
  labels: z.array(z.object({ label: z.string(), count: z.int() })),
  /** There are more than can be shown. */
  isCut: z.boolean(),
  none: z.int(),
});
export type LabelCounts = z.output<typeof LabelCounts>;
