import { createHash } from 'node:crypto';
import { type AmazonRefusal, refusalBy } from './amazon-responses.ts';
import type { Item } from './listing-item.ts';

/*
 * Amazon's issues with a price stay on the listing without naming that price, and also for a time after another one
 * was accepted. So the receipt of a price records the issues that existed before it was sent.
 */

const NOTED = /^(.*?) ?(?:before:([0-9a-f]{16}))?$/s;

/** Amazon's issue with the price of a listing, as a refusal of it; null when there is none. */
export function issueOf({ issues }: Pick<Item, 'issues'>): AmazonRefusal | null {
  const about = (issues ?? []).filter(
    ({ severity, attributeNames }) =>
      severity === 'ERROR' && attributeNames?.includes('purchasable_offer') === true,
  );
  return refusalBy(about);
}

/**
 * The receipt of an accepted price.
 * @param feedId null when it was sent by a single call
 * @param before the listing before the price was sent
 */
export function receiptOf(feedId: string | null, before: Pick<Item, 'issues'>): string | null {
  const complaint = issueOf(before);
  if (complaint === null) return feedId;
  return [...(feedId === null ? [] : [feedId]), `before:${markOf(complaint.message)}`].join(' ');
}

/** The feed of a receipt; null when there was none. */
export function feedOf(receipt: string | null): string | null {
  return NOTED.exec(receipt ?? '')?.[1] || null;
}

/** Whether an issue existed before the price was sent: it may be about an earlier one. */
export function isPreexisting(receipt: string | null, { message }: AmazonRefusal): boolean {
  return NOTED.exec(receipt ?? '')?.[2] === markOf(message);
}

function markOf(complaint: string): string {
  return createHash('sha256').update(complaint).digest('hex').slice(0, 16);
}
