import type { Db } from '#db/client.ts';
import { type ProfitRow, type ProfitSums, readProfit } from '#db/queries/catalog/profit-sums.ts';
import { readDayZone } from '#db/queries/catalog/shop-days.ts';
import { type AlertReader, type AlertRow, listStartedAlerts } from '#db/queries/repricing/alerts.ts';
import type { AlertKind } from '#domain/alert-kinds.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { daySpan } from '#domain/time/day-span.ts';
import { hours, type Instant } from '#domain/units.ts';
import { dollars } from './dollars.ts';
import type { Email } from './mailer.ts';

const DAY = hours(24);
const WORST = 3;
const MAX_ALERTS = 50;
const FEE_CHANGES = ['fee_drift', 'fee_breaker'] as const satisfies readonly AlertKind[];

/**
 * What the sales of the week before a Monday earned, the listings that earned least, and fees that changed.
 * @param monday its midnight in UTC, whatever the time zone of the shop, whose day it is
 * @param reader who gets it: some alerts have other words for users who are not administrators
 */
export async function weeklyEmail(
  db: Db,
  monday: Instant,
  home: string,
  reader: AlertReader,
): Promise<Omit<Email, 'to'>> {
  const [from, to] = [dayOf(monday - 7 * DAY), dayOf(monday - DAY)];
  const before = { from: dayOf(monday - 14 * DAY), to: dayOf(monday - 8 * DAY) };
  const by = { page: 1, size: WORST } as const;
  const sort = { by: 'profit', descending: false } as const;
  const { rows, sum } = await readProfit(db, { group: 'listing', from, to, sort, ...by });
  const { sum: earlier } = await readProfit(db, { group: 'marketplace', ...before, sort, ...by });
  const worst = rows.filter((row) => profitText(row) !== null).map(listingText);
  const { since, until } = daySpan({ from, to }, await readDayZone(db));
  const week = { from: since ?? monday, to: until ?? monday };
  const fees = await listStartedAlerts(db, FEE_CHANGES, week, MAX_ALERTS);
  const parts = [
    `${weekText(monday)}, with the week before:`,
    sumText(sum, earlier),
    ...(worst.length === 0 ? [] : [`Listings that earned least:\n${worst.join('\n')}`]),
    ...(fees.length === 0
      ? ['No fees changed.']
      : [
          `Fees that changed:\n${fees.map((alert) => `${messageFor(alert, reader)}\n${home}${alert.link}`).join('\n')}`,
        ]),
    `${home}/profit?from=${from}&to=${to}`,
    'You receive this email every Monday. Turn it off under Account & security.',
  ];
  return {
    subject: `Pricewright weekly summary: ${profitText(sum) ?? 'profit not known'}`,
    text: parts.join('\n\n'),
  };
}

function messageFor({ message, forUsers }: AlertRow, reader: AlertReader): string {
  return reader === 'admin' ? message : (forUsers ?? message);
}

function sumText(now: ProfitSums, before: ProfitSums): string {
  return [
    `Revenue: ${dollars(now.revenue)} (${dollars(before.revenue)})`,
    `Profit: ${profitText(now) ?? 'not known'} (${profitText(before) ?? 'not known'}), ${coverageText(now)}`,
    `Units: ${count(now.units)} (${count(before.units)})`,
  ].join('\n');
}

function listingText(row: ProfitRow): string {
  const name =
    row.listing === null ? row.key : `${MARKETPLACE_NAMES[row.listing.marketplace]} ${row.listing.sku}`;
  return `- ${name}: ${profitText(row) ?? 'not known'}, ${count(row.units)} ${row.units === 1 ? 'unit' : 'units'}`;
}

/**
 * "about $12.40" while a part of it is estimated or not known; null when it is known of none of the sales: what was booked
 * without one is not what they earned.
 */
function profitText({ profit, sales, known, told }: ProfitSums): string | null {
  if (profit === null || (sales > 0 && known === 0)) return null;
  return `${told < sales ? 'about ' : ''}${dollars(profit)}`;
}

function coverageText({ profit, sales, known }: ProfitSums): string {
  const text = `from ${count(known)} of ${count(sales)} ${sales === 1 ? 'sale' : 'sales'}`;
  return sales > 0 && known === 0 && profit !== null
    ? `${text}, ${dollars(profit)} booked without a sale`
    : text;
}

function weekText(monday: Instant): string {
  const text = (at: number): string =>
    new Date(at).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
  return `${text(monday - 7 * DAY)} to ${text(monday - DAY)}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
