import { type SQL, sql } from 'drizzle-orm';
import { isOpenEdit } from '#db/queries/marketplaces/sending/external-edits.ts';
import { isoTime } from '#db/sql-values.ts';
import { MARGIN_BANDS, type MarginFilter } from '#domain/costs/margin-bands.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { SoldFilter } from '#domain/sold-filter.ts';
import { hours, type Instant } from '#domain/units.ts';
import { type LabelFilter, listingLabelConditions } from './label-filter.ts';
import { soldCondition } from './listing-money.ts';

/** Which listings; all conditions apply together. Without any, all that are not deleted. */
export interface ListingFilter extends LabelFilter {
  /** Part of SKU or title, ignoring case. */
  readonly q?: string | undefined;
  readonly marketplace?: Marketplace | undefined;
  readonly fulfillment?: FulfillmentType | undefined;
  readonly state?: ListingState | undefined;
  /** What is missing: a gap of the cost, a reason code of a block, or `no_rule`. */
  readonly problem?: string | undefined;
  readonly margin?: MarginFilter | undefined;
  /** What they sold in the last 30 days. */
  readonly sold?: SoldFilter | undefined;
  /** Digits: the rule that prices them now. */
  readonly rule?: string | undefined;
}

type ListingState = keyof ReturnType<typeof statesAt>;

/** A price that is not uploaded within this time is late. */
const UPLOAD_LATE_AFTER = hours(24);

/** Over `listing_keys k`: a price was sent to the marketplace and is not confirmed yet. */
export const IN_PROGRESS = sql`k.listing_id IN (SELECT i.listing_id FROM price_intents i
  WHERE i.state IN ('sent', 'accepted', 'unknown'))`;

/** Over `listing_keys k`: the marketplace reported another commission than the fee schedule has, or charged another entered fee. */
const FEE_DIFFERS = sql`k.listing_id IN (SELECT m.listing_id FROM listing_metrics m WHERE m.told_rate IS NOT NULL
  UNION ALL SELECT m.listing_id FROM listing_metrics m WHERE m.charged_fee IS NOT NULL)`;

/** Over `listing_keys k`: a price for business buyers is below what the listing's regular price may be. */
const BUSINESS_PRICE_LOW = sql`k.listing_id IN (SELECT b.listing_id FROM business_offers b
  JOIN listings l ON l.id = b.listing_id JOIN listing_metrics m ON m.listing_id = b.listing_id
  WHERE b.lowest_price < greatest(m.margin_floor, l.min_price))`;

/** Over `listing_keys k`: buyers are not shown the business price. */
const BUSINESS_PRICE_HIDDEN = sql`k.listing_id IN (SELECT b.listing_id FROM business_offers b
  JOIN listings l ON l.id = b.listing_id WHERE l.current_price < b.price)`;

/** Over `listing_keys k`: buyers can get it by a Best Offer for less than its regular price may be. */
const BEST_OFFER_LOW = sql`k.listing_id IN (SELECT w.listing_id FROM marketplace_listings w
  JOIN listings l ON l.id = w.listing_id JOIN listing_metrics m ON m.listing_id = w.listing_id
  WHERE w.auto_accept_price < greatest(m.margin_floor, l.min_price))`;

/** Over `listing_keys k`: its price was changed on the marketplace to one that is not allowed, and waits for a user. */
const hasOpenEdit = (now: Instant): SQL => sql`k.listing_id IN (SELECT e.listing_id FROM external_edits e
  JOIN listings l ON l.id = e.listing_id WHERE l.current_price = e.price AND ${isOpenEdit(now)})`;

function statesAt(now: Instant) {
  const moment = isoTime(now);
  const lateBefore = isoTime(now - UPLOAD_LATE_AFTER);
  const isLate = sql`k.is_to_upload AND k.awaiting_upload_since < ${lateBefore}::timestamptz`;
  // As an OR of its own; otherwise the index over listings that cannot be repriced would not be used.
  const isBlocked = sql`k.is_repriceable = false AND k.is_repriceable IS NOT true`;
  return {
    repriceable: sql`k.is_repriceable`,
    blocked: isBlocked,
    below_floor: sql`k.floor_side = -1 AND k.floor_side <= 0`,
    at_floor: sql`k.floor_side = 0 AND k.floor_side <= 0`,
    recommended: sql`k.is_recommended`,
    held: sql`k.is_held AND (k.held_until IS NULL OR k.held_until > ${moment}::timestamptz)`,
    to_upload: sql`k.is_to_upload`,
    upload_late: isLate,
    external_edit: hasOpenEdit(now),
    held_back: sql`k.is_held_back`,
    price_war: sql`k.is_at_war`,
    in_progress: IN_PROGRESS,
    buy_box_lost: sql`k.is_buy_box_lost`,
    fee_differs: FEE_DIFFERS,
    fee_unknown: sql`k.margin IS NULL AND k.total_cost IS NOT NULL`,
    loses_money: sql`k.profit < 0`,
    business_price_low: BUSINESS_PRICE_LOW,
    business_price_hidden: BUSINESS_PRICE_HIDDEN,
    best_offer_low: BEST_OFFER_LOW,
    profit_unknown: sql`k.profit IS NULL`,
    attention: sql`(k.is_stuck OR (${isLate}) OR (${isBlocked}))`,
    on: sql`NOT k.is_off`,
    off: sql`k.is_off`,
  } as const;
}

/** The condition of a state over `listing_keys k`; for live listings. */
export function stateCondition(state: ListingState, now: Instant): SQL {
  return statesAt(now)[state];
}

/** The condition of a range of margins over `listing_keys k`. */
export function marginCondition(margin: MarginFilter): SQL {
  const band = MARGIN_BANDS.find(({ name }) => name === margin);
  if (band === undefined) return sql`k.margin IS NULL`;
  const { from, below } = band;
  // The stored share is a percentage with two decimals and is compared as such, without rounding.
  const parts = [
    ...(from === null ? [] : [sql`k.margin >= ${from / 100}::numeric`]),
    ...(below === null ? [] : [sql`k.margin < ${below / 100}::numeric`]),
  ];
  return sql.join(parts, sql` AND `);
}

/** A LIKE pattern for "contains", in which `%`, `_` and `\` are literal. Compare it with lower case. */
export function containsPattern(text: string): SQL {
  return sql`lower(${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}::text)`;
}

/**
 * The condition of a filter over `listing_keys k`. Deleted listings never match.
 * @param now decides whether a hold has expired, and is the last of the 30 days of `sold`
 */
export function listingCondition(filter: ListingFilter, now: Instant): SQL {
  const { q, marketplace, fulfillment, state, problem, margin, sold, rule, ...labels } = filter;
  const parts: SQL[] = [sql`k.is_live`];
  if (marketplace !== undefined) parts.push(sql`k.marketplace = ${marketplace}`);
  if (fulfillment !== undefined) parts.push(sql`k.fulfillment_type = ${fulfillment}`);
  if (state !== undefined) parts.push(stateCondition(state, now));
  if (problem !== undefined) parts.push(sql`k.problems <> '{}' AND k.problems @> ARRAY[${problem}]::text[]`);
  if (margin !== undefined) parts.push(marginCondition(margin));
  if (sold !== undefined) parts.push(soldCondition(sold, now));
  if (rule !== undefined) parts.push(sql`k.rule_id = ${rule}::bigint`);
  parts.push(...listingLabelConditions(labels));
  if (q) parts.push(namedCondition(q));
  return sql.join(parts, sql` AND `);
}

/** Over `listing_keys k`: listings, deleted ones too, with this text in SKU or title. */
export function namedCondition(text: string): SQL {
  const pattern = containsPattern(text);
  return sql`(k.sku_key LIKE ${pattern} OR k.title_key LIKE ${pattern} OR k.long_title LIKE ${pattern})`;
}
