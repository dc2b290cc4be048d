import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** How often the price of one listing may be changed within a day, by who changes it. */
export interface RevisionLimits {
  readonly engine: number;
  /** Prices that end one below the margin floor. */
  readonly repairs: number;
  /** The marketplace's limit: users' prices. */
  readonly users: number;
}

/**
 * eBay allows 250 revisions of a listing and calendar day
 * (https://developer.ebay.com/api-docs/sell/inventory/resources/inventory_item/methods/bulkUpdatePriceQuantity): 30 are
 * kept for repairs and 20 for users.
 */
export const REVISION_LIMITS: Partial<Record<Marketplace, RevisionLimits>> = {
  ebay: { engine: 200, repairs: 230, users: 250 },
};

/**
 * Whether one more revision of a listing is beyond what is planned for its kind.
 * @param count revisions of the current day
 */
export function isBeyondRevisions(
  limits: RevisionLimits,
  count: number,
  kind: keyof RevisionLimits,
): boolean {
  return !(count < limits[kind]);
}

/** eBay's day, as far as it is known. */
const REVISION_ZONE = 'America/Los_Angeles';
const PARTS = new Intl.DateTimeFormat('en-US', {
  timeZone: REVISION_ZONE,
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** Midnight in Los Angeles before or at that time. */
export function revisionDayStart(now: Instant): Instant {
  const at = now - (now % 1_000);
  return midnightNear(instant(at - timeOfDay(instant(at))));
}

/** The next midnight in Los Angeles. */
export function revisionDayEnd(now: Instant): Instant {
  return midnightNear(instant(revisionDayStart(now) + hours(24)));
}

/** Clocks change there at two in the morning: a day has 23 to 25 hours, and one midnight. */
function midnightNear(at: Instant): Instant {
  const near = [0, 1, -1].map((by) => instant(at + by * hours(1)));
  return near.find((candidate) => timeOfDay(candidate) === 0) ?? at;
}

/** Milliseconds since midnight by the clocks of Los Angeles, to the second. */
function timeOfDay(at: Instant): number {
  const parts = PARTS.formatToParts(at);
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return ((value('hour') * 60 + value('minute')) * 60 + value('second')) * 1_000;
}
