import type { Instant } from '#domain/units.ts';

/**
 * How sure a published fee is. `high`: read on the marketplace's own page this year; `medium`: one recent source;
 * `low`: old, or not found on any page.
 */
export const FEE_CONFIDENCES = ['high', 'medium', 'low'] as const;
export type FeeConfidence = (typeof FEE_CONFIDENCES)[number];

/** Where a published fee was read. */
export interface FeePublication {
  readonly title: string;
  /** Null: the source has no date. */
  readonly date: Instant | null;
  readonly confidence: FeeConfidence;
  /** What a seller should know before relying on it. */
  readonly note: string | null;
}

/** `shipped`: published fees that the program brings along; `edited`: a user's, which no newer release replaces. */
export const FEE_ORIGINS = ['shipped', 'edited'] as const;
export type FeeOrigin = (typeof FEE_ORIGINS)[number];
