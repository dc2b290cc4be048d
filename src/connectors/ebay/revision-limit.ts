import type { SendOutcome } from '#connectors/connector.ts';

/** eBay's code for any error of the seller's: its words show which. */
const ANY_USER_ERROR = '25002';
/** Too many revisions of a listing. */
const REVISION_WORDS = /\brevis(?:ed|ions?)\b/i;
const LIMIT_WORDS = /\b(?:exceed(?:ed|s)?|limit|maximum|too many)\b/i;

/** Whether eBay refused a price because the listing was changed too often today. */
export function isRevisionLimit(code: string | null, words: string): boolean {
  if (code !== ANY_USER_ERROR) return false;
  return REVISION_WORDS.test(words) || isDayExceeded(words);
}

/** {@link isRevisionLimit} by the Trading API, whose code for it is not documented. */
export function isTradingRevisionLimit(words: string): boolean {
  return (REVISION_WORDS.test(words) && LIMIT_WORDS.test(words)) || isDayExceeded(words);
}

function isDayExceeded(words: string): boolean {
  return /\bexceeded\b/i.test(words) && /\btoday\b/i.test(words);
}

/** A price of a listing that was changed too often today. */
export function tooManyRevisions(listingId: number, message: string): SendOutcome {
  return { listingId, kind: 'not_sent', message, retryAfter: null, why: 'revision_limit', until: null };
}
