import type { RepricingDays } from '#contract/charts.ts';
import type { Db } from '#db/client.ts';
import { readBuyBoxDays, readPriceDays } from '#db/queries/catalog/charts.ts';
import { daySpan } from '#domain/time/day-span.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

const DAY = hours(24);

type Days = {
  /** Both inclusive, as "2026-11-21"; `to` is not before `from`. */
  readonly from: string;
  readonly to: string;
  /** A time zone that the platform knows. */
  readonly zone: string;
};

/** Price changes and checks of buy boxes of each day, days without either too. */
export async function repricingDays(
  db: Db,
  { from, to, zone }: Days,
  now: Instant,
): Promise<RepricingDays['days']> {
  const first = Date.parse(from);
  const starts = Array.from({ length: (Date.parse(to) - first) / DAY + 1 }, (_, at) => {
    const day = new Date(first + at * DAY).toISOString().slice(0, 10);
    return { day, start: daySpan({ from: day }, zone).since ?? instant(Date.parse(day)) };
  });
  const end = daySpan({ to }, zone).until ?? now;
  const changes = await readPriceDays(db, starts, instant(Math.min(now, end - 1)));
  const boxes = await readBuyBoxDays(db, from, to);
  return changes.map((each) => ({ ...each, ...(boxes.get(each.day) ?? { checks: 0, wins: 0 }) }));
}
