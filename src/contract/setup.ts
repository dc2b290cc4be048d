import { z } from 'zod';
import { LISTING_PROBLEMS } from './listings.ts';

export const SETUP_STEPS = [
  'import',
  'own_sellers',
  'shipping',
  'fees',
  'rule',
  'review',
  'go_live',
] as const;

/** GET /api/setup: the setup steps and their progress. */
export const Setup = z.object({
  steps: z.array(z.object({ step: z.enum(SETUP_STEPS), isDone: z.boolean() })),
  /** The card was closed by a user, for all users. */
  isDismissed: z.boolean(),
  isDemo: z.boolean(),
});
export type Setup = z.output<typeof Setup>;

/** GET /api/coverage: "412 of 600 can be repriced; 120 no cost, 40 no tier". A listing counts under each of its problems. */
export const Coverage = z.object({
  total: z.int(),
  repriceable: z.int(),
  /** Not decided yet. */
  undecided: z.int(),
  problems: z.array(z.object({ problem: z.enum(LISTING_PROBLEMS), count: z.int() })),
});
export type Coverage = z.output<typeof Coverage>;

/** What a SKUs file can fix. */
export const SKU_PROBLEMS = ['no_sku', 'no_product_cost', 'no_weight'] as const;

/** GET /api/coverage/skus.csv: the SKUs that block listings for this reason, to fill in and import again. */
export const CoverageSkusQuery = z.strictObject({ problem: z.enum(SKU_PROBLEMS) });
