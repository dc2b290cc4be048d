import type { FoundRefusal } from '#connectors/connector.ts';

/** An item that Walmart is still setting up has no price yet: it says so in words alone. */
const NOT_SET_UP = /\bnot (?:yet |been |fully )?set ?up\b|\bset ?up (?:is )?in progress\b/i;

/** What Walmart's words and code for a refused price mean, in a response and in the result of a feed. */
export function foundRefusal(message: string, code: string | null): FoundRefusal {
  if (NOT_SET_UP.test(message)) return { kind: 'not_sent', message, why: 'too_new', until: null };
  return { kind: 'rejected', message, code: code ?? 'none' };
}

/**
 * Whether Walmart says that it does not find the item of a price: "CONTENT_NOT_FOUND" of
 * https://developer.walmart.com/us-marketplace/docs/error-codes, or 404 ("The requested resource (the product) was not
 * found") of https://developer.walmart.com/us-marketplace/docs/pricing-promotions-troubleshooting.
 */
export function isItemNotFound(code: string | null): boolean {
  return code === '404' || code?.split('.')[0] === 'CONTENT_NOT_FOUND';
}

/** Walmart took too many calls or prices within a time: that says nothing about this one. */
export function isTooMany(code: string | null | undefined): boolean {
  return code?.startsWith('REQUEST_THRESHOLD_VIOLATED') === true;
}

/**
 * A feed that Walmart did not take says nothing about one of its prices, which may go again: its code is none of those
 * that a price would meet again.
 */
export function codeOfFeed(code: string | null): string {
  return `feed:${code}`;
}
