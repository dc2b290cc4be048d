import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

const EVERYBODY = 'ALL';
const CURRENCY = 'USD';

/** Amazon's data of an offer: only what decides the request is parsed, the rest is sent back unchanged. */
const Entry = z.looseObject({
  marketplace_id: z.string().nullish(),
  audience: z.string().nullish(),
  currency: z.string().nullish(),
});
type Entry = z.output<typeof Entry>;

/** The attributes of a listing that concern its price. */
export const Attributes = z.object({ purchasable_offer: z.array(Entry).max(200).nullish() });
export type Attributes = z.output<typeof Attributes>;

const Schedule = z.object({ start_at: Text.nullish(), end_at: Text.nullish() });
const Discount = z.array(z.object({ schedule: z.array(Schedule) }));
const RulePlan = z.array(z.unknown()).min(1);

/**
 * The value of `purchasable_offer` with another price for all customers, as JSON text. Everything else is
 * unchanged: the seller's own bounds, a sale, business prices. The price is written from whole cents.
 * @throws ConnectorError of fault "refused" where it is ambiguous which price is meant
 */
export function repriced(
  attributes: Attributes | null | undefined,
  { marketplaceId, quotesPrices }: Pick<AmazonShop, 'marketplaceId' | 'quotesPrices'>,
  price: Cents,
): string {
  const entries = here(attributes, marketplaceId);
  const standard = entries.filter(isForEverybody);
  if (standard.length > 1) {
    throw new ConnectorError('refused', 'Amazon holds several standard offers of this listing at once.');
  }
  const [current = { marketplace_id: marketplaceId, audience: EVERYBODY, currency: CURRENCY }] = standard;
  if ((current.currency ?? CURRENCY) !== CURRENCY) {
    throw new ConnectorError('refused', `Amazon holds a price in ${current.currency} for this listing.`);
  }
  const others = entries.filter((entry) => entry !== standard[0]).map((entry) => JSON.stringify(entry));
  return `[${[withPrice(current, price, quotesPrices === 'yes'), ...others].join(',')}]`;
}

function withPrice({ our_price: _replaced, ...kept }: Entry, price: Cents, isQuoted: boolean): string {
  const decimal = decimalFromCents(price);
  const value = isQuoted ? JSON.stringify(decimal) : decimal;
  const members = Object.entries({ ...kept, currency: CURRENCY }).map(
    ([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`,
  );
  return `{${[...members, `"our_price":[{"schedule":[{"value_with_tax":${value}}]}]`].join(',')}}`;
}

/**
 * Why a price should not be changed from here.
 * @returns null when it may be
 */
export function notRepricedBecause(
  attributes: Attributes | null | undefined,
  { marketplaceId }: Pick<AmazonShop, 'marketplaceId'>,
  now: Instant,
): string | null {
  const standard = here(attributes, marketplaceId).filter(isForEverybody);
  if (standard.some((entry) => isOnSale(entry, now))) return 'A sale price runs on Amazon.';
  const isAutomated = standard.some(
    (entry) => RulePlan.safeParse(entry.automated_pricing_merchandising_rule_plan).success,
  );
  return isAutomated ? "Amazon's Automate Pricing sets this price." : null;
}

function isOnSale({ discounted_price: discount }: Entry, now: Instant): boolean {
  const answer = Discount.safeParse(discount);
  if (!answer.success) return false;
  return answer.data
    .flatMap(({ schedule }) => schedule)
    .some(({ start_at, end_at }) => {
      const begins = start_at == null ? Number.NEGATIVE_INFINITY : Date.parse(start_at);
      const ends = end_at == null ? Number.POSITIVE_INFINITY : Date.parse(end_at);
      return begins <= now && now <= ends;
    });
}

function here(attributes: Attributes | null | undefined, marketplaceId: string): Entry[] {
  const all = attributes?.purchasable_offer ?? [];
  return all.filter((entry) => (entry.marketplace_id ?? marketplaceId) === marketplaceId);
}

function isForEverybody({ audience }: Entry): boolean {
  return (audience ?? EVERYBODY) === EVERYBODY;
}
