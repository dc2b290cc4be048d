import type { OfferRefresh } from '#contract/connections.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf, formatCount } from '#web/lib/format.ts';

type Readings = NonNullable<OfferRefresh['readings']>;

/** "Competitors of 1,240 listings are checked about every 5 hours; those of the 200 contested ones every 40 minutes." */
export function intervalText({ listings, interval, contested, contestedInterval }: Readings): string {
  if (interval === null) return 'No listing is for sale there yet, so no competitors are checked.';
  const all = `Competitors of ${countOf(listings, 'listing', 'listings')} are checked about every ${everyText(interval.minutes)}`;
  if (contestedInterval === null) return `${all}.`;
  const hot = contested === 1 ? 'the contested one' : `the ${formatCount(contested)} contested ones`;
  return `${all}; those of ${hot} every ${everyText(contestedInterval.minutes)}.`;
}

/** What that is known from; null without listings. */
export function basisText(marketplace: Marketplace, readings: Readings): string | null {
  const { interval, unread, callsPerDay, usedPerDay, isDocumented } = readings;
  if (interval === null) return null;
  if (interval.basis === 'measured') return 'Measured: 95% were last checked within that time.';
  const allows = isDocumented ? 'allows' : 'seems to allow';
  const name = MARKETPLACE_NAMES[marketplace];
  return `Estimated, because ${unread === 1 ? '1 was' : `${formatCount(unread)} were`} never checked: ${name} ${allows} ${formatCount(callsPerDay)} calls a day, and ${formatCount(usedPerDay)} of them are used for this.`;
}

/** "1,190 of 1,240 readings count now (95%)." */
export function freshText({ listings, fresh }: Readings, { hours }: OfferRefresh['offerAge']): string | null {
  if (listings === 0) return null;
  const share = Math.floor((fresh * 100) / listings);
  return `${formatCount(fresh)} of ${formatCount(listings)} (${share}%) were checked within the last ${hoursText(hours)} and are used now.`;
}

/** "24 h" */
export function hoursText(hours: number): string {
  return `${Number(hours.toFixed(1))} h`;
}

/** "minute", "40 minutes", "hour", "5 hours", "2.5 days": rounded up. */
function everyText(minutes: number): string {
  if (minutes < 60) return every(minutes, 'minute');
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? every(hours, 'hour') : every(Math.ceil(hours / 12) / 2, 'day');
}

function every(count: number, unit: string): string {
  return count === 1 ? unit : `${count} ${unit}s`;
}
