import type { ProfitSums } from '#contract/profit-sums.ts';
import type { Profit, SalesPage } from '#contract/sales.ts';
import { completeDays, namedPeriod, type Period, type PeriodName, periodBefore } from '#web/lib/periods.ts';
import type { Answers } from './fake-api.ts';

/** Sums without a sale. */
export const NO_SALES: ProfitSums = {
  units: 0,
  revenue: '0.00',
  fees: null,
  ads: null,
  cost: null,
  shipping: null,
  refunds: null,
  profit: null,
  margin: null,
  sales: 0,
  known: 0,
  told: 0,
};
const NONE: Profit = { rows: [], total: 0, sum: NO_SALES, unlisted: null };

/**
 * What the Dashboard reads: the sums of a period, of its complete days, and of those before them, by day and by rule too, the
 * sales below their minimum margin, and price changes and buy boxes, of which there are none.
 */
export function profitAnswers(
  name: PeriodName,
  now: Profit = NONE,
  before: Profit = NONE,
  below: SalesPage = { rows: [], total: 0, lost: '0.00', isLostAbout: false },
  byDay: Profit = NONE,
): Answers {
  const today = new Date().toISOString().slice(0, 10);
  const period = namedPeriod(name, today);
  const complete = completeDays(period, today) ?? period;
  const earlier = periodBefore(complete, name);
  const belowOf = ({ from, to }: Period) => `GET /api/sales?below=true&from=${from}&to=${to}&size=25`;
  const call = ({ from, to }: Period) => `GET /api/profit?group=marketplace&from=${from}&to=${to}&size=25`;
  const days = ({ from, to }: Period) => `GET /api/profit?group=day&from=${from}&to=${to}&size=100`;
  return {
    [days(complete)]: { body: byDay },
    [days(earlier)]: { body: NONE },
    [`GET /api/profit?group=rule&from=${complete.from}&to=${complete.to}&size=25`]: { body: NONE },
    [`GET /api/profit?group=rule&from=${earlier.from}&to=${earlier.to}&size=400`]: { body: NONE },
    [`GET /api/charts/repricing?from=${earlier.from}&to=${period.to}&zone=UTC`]: { body: { days: [] } },
    [belowOf(complete)]: { body: below },
    [belowOf(earlier)]: { body: below },
    [call(period)]: { body: now },
    [call(complete)]: { body: now },
    [call(earlier)]: { body: before },
    [belowOf(period)]: { body: below },
  };
}
