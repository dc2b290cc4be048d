import { createHash } from 'node:crypto';
import { issueMessages } from './amazon-responses.ts';
import type { Item } from './listing-item.ts';

/*
 * What Amazon finds wrong with a price stays on the listing, without a word about which price it was, also for a while
 * after another one was taken. So it is noted with a price what stood there before it went.
 */

const NOTED = /^(.*?) ?(?:before:([0-9a-f]{16}))?$/s;

/** What Amazon finds wrong with the price of a listing; null when nothing. */
export function issueOf({ issues }: Pick<Item, 'issues'>): string | null {
  const about = (issues ?? []).filter(
    ({ severity, attributeNames }) =>
      severity === 'ERROR' && attributeNames?.includes('purchasable_offer') === true,
  );
  return issueMessages(about) || null;
}

/**
 * What is kept of a price that was taken.
 * @param feedId null when it went by a call of its own
 * @param before the listing as it was when the price went
 */
export function receiptOf(feedId: string | null, before: Pick<Item, 'issues'>): string | null {
  const complaint = issueOf(before);
  if (complaint === null) return feedId;
  return [...(feedId === null ? [] : [feedId]), `before:${markOf(complaint)}`].join(' ');
}

/** The feed of a receipt; null when there was none. */
export function feedOf(receipt: string | null): string | null {
  return NOTED.exec(receipt ?? '')?.[1] || null;
}

/** Whether a complaint stood there before the price went: it may be an old one. */
export function isPreexisting(receipt: string | null, complaint: string): boolean {
  return NOTED.exec(receipt ?? '')?.[2] === markOf(complaint);
}

function markOf(complaint: string): string {
  return createHash('sha256').update(complaint).digest('hex').slice(0, 16);
}
