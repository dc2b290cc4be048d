import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { MONEY_KINDS, MONEY_MATCHES, MONEY_REFUSALS, PROFIT_OF_MONEY } from '#domain/money/money-event.ts';
import { Id, Moment, Money, PageParam, sizeParam } from './fields.ts';

export const MONEY_PAGE_SIZES = [25, 50, 100, 200] as const;

/** GET /api/settlements: the newest first. */
export const SettlementsQuery = z.strictObject({
  marketplace: z.enum(MARKETPLACES).optional(),
  page: PageParam,
  size: sizeParam(MONEY_PAGE_SIZES, 50),
});

/**
 * `open` while its period runs, `incomplete` where some of its time was not read or no total was reported, `balanced` where
 * the amounts add up to the reported total, else `off`.
 */
const SETTLEMENT_STATES = ['open', 'incomplete', 'balanced', 'off'] as const;

/** A settlement or payout. */
const Settlement = z.object({
  marketplace: z.enum(MARKETPLACES),
  ref: z.string(),
  from: Moment.nullable(),
  to: Moment.nullable(),
  paidAt: Moment.nullable(),
  /** Null where the marketplace has not reported it. */
  toldTotal: Money.nullable(),
  /** Of the amounts that were read. */
  eventsTotal: Money,
  events: z.int(),
  /** Of them, those without a sale, and those of a type that is unknown. */
  unmatched: z.int(),
  other: z.int(),
  state: z.enum(SETTLEMENT_STATES),
  /** What the amounts are off the reported total; null unless the state is `balanced` or `off`. */
  difference: Money.nullable(),
});

export type Settlement = z.output<typeof Settlement>;

export const Settlements = z.object({ rows: z.array(Settlement), total: z.int() });

/** Which amounts; all conditions apply together. */
const MoneyFilter = z.strictObject({
  marketplace: z.enum(MARKETPLACES).optional(),
  kind: z.enum(MONEY_KINDS).optional(),
  /** Only what belongs to no sale, without money that was only moved. */
  unmatched: z.literal('true').optional(),
  settlement: z.string().min(1).max(200).optional(),
});

/** GET /api/money-events/export.csv: all that match, the newest first. */
export const MoneyExportQuery = MoneyFilter;

/** GET /api/money-events: the newest first. */
export const MoneyEventsQuery = MoneyFilter.extend({
  page: PageParam,
  size: sizeParam(MONEY_PAGE_SIZES, 50),
});

/** GET /api/money-events/kinds: the sums of what matches, by kind. */
export const MoneyKindsQuery = MoneyFilter.omit({ kind: true });
export const MoneyKinds = z.object({
  rows: z.array(z.object({ kind: z.enum(MONEY_KINDS), events: z.int(), amount: Money })),
});

/** An amount that a marketplace booked. */
const MoneyEvent = z.object({
  id: Id,
  marketplace: z.enum(MARKETPLACES),
  externalId: z.string(),
  kind: z.enum(MONEY_KINDS),
  /** The marketplace's name of the type. */
  rawType: z.string(),
  /** Above zero is received, below zero is charged. */
  amount: Money,
  orderRef: z.string().nullable(),
  sku: z.string().nullable(),
  quantity: z.int().nullable(),
  postedAt: Moment,
  /** Null: booked, but not released yet. */
  releasedAt: Moment.nullable(),
  settlementRef: z.string().nullable(),
  matchedBy: z.enum(MONEY_MATCHES),
  /** Whose profit it is in: that of its sale, that of the day on which it was booked, or none. */
  profitOf: z.enum(PROFIT_OF_MONEY),
  /** The listing of an amount without a sale; null where that is unknown, too. */
  listingId: Id.nullable(),
  /** How often it was reported with other figures before. */
  restated: z.int(),
});

export type MoneyEvent = z.output<typeof MoneyEvent>;

export const MoneyEvents = z.object({ rows: z.array(MoneyEvent), total: z.int() });

/** GET /api/refused-money: the last seen first. */
export const RefusedMoneyQuery = z.strictObject({
  marketplace: z.enum(MARKETPLACES).optional(),
  page: PageParam,
  size: sizeParam(MONEY_PAGE_SIZES, 50),
});

/** An amount that could not be taken. */
const RefusedMoney = z.object({
  marketplace: z.enum(MARKETPLACES),
  /** What it was in, in the words of the marketplace. */
  place: z.string(),
  why: z.enum(MONEY_REFUSALS),
  firstSeenAt: Moment,
  lastSeenAt: Moment,
});
export type RefusedMoney = z.output<typeof RefusedMoney>;

export const RefusedMoneyPage = z.object({ rows: z.array(RefusedMoney), total: z.int() });
