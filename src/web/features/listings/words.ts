import type { ListingRow, ListingState } from '#contract/listings.ts';
import { LISTING_PROBLEMS } from '#contract/listings.ts';
import { PROBLEM_WORDS, problemName } from '#web/lib/problem-words.ts';

/** What a state filter is called. */
export const STATE_WORDS = {
  repriceable: 'Can be repriced',
  blocked: 'Cannot be repriced',
  below_floor: 'Below the lowest legal price',
  at_floor: 'At minimum price',
  recommended: 'Recommended price waits',
  held: 'Held',
  to_upload: 'To upload',
  off: 'Repricing off',
} as const satisfies Record<ListingState, string>;

/** Why the engine cannot price a listing, with what to do; null while it can, and before the first look. */
export function problemOf(row: ListingRow): { text: string; fix: string } | null {
  const codes =
    row.outcome === 'blocked' ? [...row.gaps, row.reasonCode] : row.rule === null ? ['no_rule'] : [];
  if (row.decidedAt === null) return null;
  const problem = LISTING_PROBLEMS.find((known) => codes.includes(known));
  if (problem !== undefined) return { text: problemName(problem), fix: PROBLEM_WORDS[problem].fix };
  return row.outcome === 'blocked'
    ? { text: 'Cannot be priced', fix: 'Open "Why this price" to see why.' }
    : null;
}
