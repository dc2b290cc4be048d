import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Money } from './fields.ts';

/**
 * What may need attention, the most urgent first: each is the total of one list.
 * `below_floor` … `buy_box_lost` are states of listings · `failed_jobs` jobs that failed in the last 7 days.
 */
export const ATTENTION_KINDS = [
  'below_floor',
  'held_back',
  'price_war',
  'upload_late',
  'buy_box_lost',
  'failed_jobs',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** GET /api/attention: what needs attention, counted by one statement. Zero counts are omitted. */
export const Attention = z
  .object({
    isHalted: z.boolean(),
    items: z.array(z.object({ kind: z.enum(ATTENTION_KINDS), count: z.int() })),
    /** Total loss if each listing below its margin floor sold once; 0.00 when none loses. */
    lossPerSale: Money,
    /** Recommended prices that need review, by marketplace. */
    waiting: z.array(
      z.object({
        marketplace: z.enum(MARKETPLACES),
        mode: z.enum(['live', 'recommend_only']),
        count: z.int(),
      }),
    ),
  })
  .meta({
    example: {
      isHalted: false,
      items: [{ kind: 'below_floor', count: 3 }],
      lossPerSale: '2.31',
      waiting: [{ marketplace: 'amazon', mode: 'recommend_only', count: 57 }],
    },
  });
export type Attention = z.output<typeof Attention>;
