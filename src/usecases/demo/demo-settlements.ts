import type { Db } from '#db/client.ts';
import { analyzeGrown } from '#db/grown-tables.ts';
import { writeMoneyRead } from '#db/queries/marketplaces/money/money.ts';
import { groupBy } from '#domain/group-by.ts';
import type { MoneyEvent, MoneyPage, RefusedMoney, ReportedSettlement } from '#domain/money/money-event.ts';
import { cents, hours, type Instant } from '#domain/units.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';
import { type BookingMarketplace, type DemoOrder, moneyOfOrder } from './demo-money.ts';
import type { SeededRandom } from './seeded-random.ts';

const DAY = hours(24);

/** How a marketplace pays. */
interface Paying {
  /** Days of one settlement, how many are reported, and how many days ago the last one ended. */
  readonly days: number;
  readonly told: number;
  readonly ended: number;
  /** What is booked since then is reported up to so many days ago; null: only with its settlement. */
  readonly late: number | null;
  /** The name of a settlement that ends at a time; null where amounts report none. */
  readonly refOf: ((end: Instant) => string) | null;
  /** The settlement that runs is named by its amounts. */
  readonly isRunningReported: boolean;
  /** The name of a payout among the amounts; null where it is none of them. */
  readonly payout: string | null;
}

const PAYING: Readonly<Record<BookingMarketplace, Paying>> = {
  amazon: {
    days: 14,
    told: 4,
    ended: 5,
    late: 2,
    refOf: (end) => `2${Math.floor(end / DAY)}34711`,
    isRunningReported: true,
    payout: 'Transfer > Transfer',
  },
  walmart: {
    days: 14,
    told: 2,
    ended: 4,
    late: null,
    refOf: (end) =>
      new Date(end)
        .toISOString()
        .replace(/^(\d{4})-(\d\d)-(\d\d).*$/, (_all, year, month, day) => [month, day, year].join('')),
    isRunningReported: false,
    payout: null,
  },
  ebay: {
    days: 7,
    told: 4,
    ended: 3,
    late: 0,
    refOf: (end) => `6${Math.floor(end / DAY)}082915`,
    isRunningReported: false,
    payout: null,
  },
  etsy: {
    days: 7,
    told: 4,
    ended: 3,
    late: 0,
    refOf: null,
    isRunningReported: false,
    payout: 'DISBURSE2',
  },
  shopify: {
    days: 7,
    told: 4,
    ended: 2,
    late: 0,
    refOf: (end) => `gid://shopify/ShopifyPaymentsPayout/1${Math.floor(end / DAY)}26`,
    isRunningReported: false,
    payout: null,
  },
};

/** Amazon holds the money of orders that the seller ships until they were delivered. */
const HELD = 9 * DAY;
/** An order of another country. */
const REFUSED: Readonly<Partial<Record<BookingMarketplace, RefusedMoney>>> = {
  ebay: { where: 'SALE 04-18233-55107', why: 'currency' },
};
/** What one of Amazon's settlements took beyond its transactions, in cents, and a charge that has no known name. */
const UNTOLD = -385;
const UNKNOWN_CHARGE = { rawType: 'Adjustment > InboundDefectFeeV2', amount: -1_260 } as const;
const PAGE = 2_000;

/** Books what the marketplaces of the sample store reported of the last weeks, by the same way as that of a connected store. */
export async function bookDemoMoney(
  tx: Db,
  orders: readonly DemoOrder[],
  random: SeededRandom,
  now: Instant,
): Promise<void> {
  // Without them an amount is matched by reading all sales of the transaction.
  await analyzeGrown(tx, ['listings', 'price_history', 'sales_history']);
  const byMarketplace = groupBy(orders, ({ marketplace }) => marketplace);
  for (const [name, paying] of Object.entries(PAYING)) {
    const marketplace = name as BookingMarketplace;
    const { from, lastEnd } = timesOf(paying, now);
    const own = byMarketplace.get(marketplace) ?? [];
    const recent = own.filter(({ at }) => at >= from - 2 * DAY);
    const reported = recent.flatMap((order) =>
      moneyOfOrder(random, order).map((event) => held(event, order, now)),
    );
    const account = marketplace === 'amazon' ? accountCharges(random, from, now) : [];
    const until = paying.late === null ? lastEnd : now - paying.late * DAY;
    const events = [...reported, ...account].filter(({ postedAt }) => postedAt >= from && postedAt < until);
    for (const page of pagesOf(marketplace, events, now)) {
      await bookMoneyPage(tx, marketplace, page, now);
      await analyzeGrown(tx, ['money_events']);
    }
    await writeMoneyRead(tx, marketplace, { readFrom: from, readUntil: now, backTo: from, rereadAt: now });
  }
}

function timesOf({ days, told, ended }: Paying, now: Instant): { from: Instant; lastEnd: Instant } {
  const lastEnd = ((Math.floor(now / DAY) - ended) * DAY) as Instant;
  return { lastEnd, from: (lastEnd - days * told * DAY) as Instant };
}

function held(event: MoneyEvent, { marketplace, fulfillmentType }: DemoOrder, now: Instant): MoneyEvent {
  const isHeld = marketplace === 'amazon' && fulfillmentType === 'FBM' && event.postedAt > now - HELD;
  return isHeld ? { ...event, releasedAt: null } : event;
}

/** What Amazon charges for no order: advertising by day, storage and the plan by month, and something unknown. */
function accountCharges(random: SeededRandom, from: Instant, now: Instant): MoneyEvent[] {
  const charges: MoneyEvent[] = [];
  const charge = (rawType: string, kind: MoneyEvent['kind'], amount: number, at: Instant) =>
    charges.push({
      kind,
      rawType,
      amount: cents(amount),
      externalId: `${rawType}:${at}`,
      orderRef: null,
      lineRef: null,
      sku: null,
      itemId: null,
      quantity: null,
      postedAt: at,
      releasedAt: at,
      settlementRef: null,
    });
  for (let at = from + hours(9), day = 0; at < now; at += DAY, day++) {
    charge('ProductAdsPayment > ProductAdsPayment', 'ad', -random.whole(900, 2_400), at as Instant);
    if (day % 30 === 6)
      charge('ServiceFee > FBAStorageFee', 'storage', -random.whole(3_100, 4_800), at as Instant);
    if (day % 30 === 12) charge('ServiceFee > Subscription', 'other', -3_999, at as Instant);
    if (day === 33) charge(UNKNOWN_CHARGE.rawType, 'other', UNKNOWN_CHARGE.amount, at as Instant);
  }
  return charges;
}

/** The amounts with their settlements, as the pages of a connector. */
function pagesOf(marketplace: BookingMarketplace, events: readonly MoneyEvent[], now: Instant): MoneyPage[] {
  const paying = PAYING[marketplace];
  const { from, lastEnd } = timesOf(paying, now);
  const length = paying.days * DAY;
  const endOf = ({ postedAt }: MoneyEvent): Instant =>
    (from + (Math.floor((postedAt - from) / length) + 1) * length) as Instant;
  const settled: MoneyEvent[] = [];
  const settlements: ReportedSettlement[] = [];
  for (const [end, own] of groupBy(events, endOf)) {
    const isOver = end <= lastEnd;
    const ref = paying.refOf !== null && (isOver || paying.isRunningReported) ? paying.refOf(end) : null;
    const paid = own.map((event) => (event.releasedAt === null ? event : { ...event, settlementRef: ref }));
    settled.push(...paid);
    const released = paid.filter(({ releasedAt }) => releasedAt !== null);
    const sum = released.reduce((total, { amount }) => total + amount, 0);
    const hasUnknown = own.some(({ rawType }) => rawType === UNKNOWN_CHARGE.rawType);
    const total = cents(sum + (hasUnknown ? UNTOLD : 0));
    if (isOver && paying.payout !== null) settled.push(payoutOf(paying.payout, total, end));
    if (ref === null) continue;
    settlements.push(
      isOver
        ? {
            ref,
            from: (end - length) as Instant,
            to: end,
            paidAt: (end + DAY) as Instant,
            total,
            isClosed: true,
          }
        : { ref, from: null, to: null, paidAt: null, total: null, isClosed: false },
    );
  }
  const refusal = REFUSED[marketplace];
  const last = { events: [], settlements, refused: refusal === undefined ? [] : [refusal] };
  const starts = Array.from({ length: Math.ceil(settled.length / PAGE) }, (_, index) => index * PAGE);
  const pages = starts.map((start) => settled.slice(start, start + PAGE));
  return [...pages.map((page) => ({ events: page, settlements: [], refused: [] })), last];
}

function payoutOf(rawType: string, total: number, end: Instant): MoneyEvent {
  return {
    kind: 'transfer',
    rawType,
    amount: cents(-total),
    externalId: `${rawType}:${end}`,
    orderRef: null,
    lineRef: null,
    sku: null,
    itemId: null,
    quantity: null,
    postedAt: (end + DAY) as Instant,
    releasedAt: (end + DAY) as Instant,
    // A payout is what a settlement adds up to, not a part of it.
    settlementRef: null,
  };
}
