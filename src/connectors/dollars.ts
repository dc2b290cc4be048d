import { z } from 'zod';
import { type Cents, cents, MAX_CENTS } from '#domain/units.ts';

const DECIMAL = /^\d{1,8}(?:\.\d{1,20})?$/;
/** How far from a whole cent, in cents, an amount may be as written by a service that computes with binary numbers. */
const NOISE = 0.000_500_001;

/** Values that services send for "none" in place of a figure. */
const NOTHING = new Set(['', 'n/a', 'na', 'null', '-']);

/** An amount that no price can have: it is finer than a cent. As the service wrote it. */
export interface FinerThanCents {
  readonly finer: string;
}

/** A price of ours as a service reports it: null when it reports none, which 0.00 means too. */
export type ReportedPrice = Cents | FinerThanCents | null;

/** The whole cents of dollars that a service sent; undefined for what is no amount, or below zero. */
function centsIn(reported: number | string): Cents | FinerThanCents | undefined {
  const text = String(reported).trim();
  const dollars = typeof reported === 'number' ? reported : DECIMAL.test(text) ? Number(text) : Number.NaN;
  const hundredths = Math.round(dollars * 100);
  if (!(dollars >= 0) || hundredths > MAX_CENTS) return undefined;
  return Math.abs(dollars * 100 - hundredths) <= NOISE ? cents(hundredths) : { finer: text };
}

export function isFiner(reported: ReportedPrice): reported is FinerThanCents {
  return typeof reported === 'object' && reported !== null;
}

/** The price and, where it is finer than a cent, what was reported in its place: members of a listing. */
export function pricePart(reported: ReportedPrice): { price: Cents | null; priceNotInCents?: string } {
  return isFiner(reported) ? { price: null, priceNotInCents: reported.finer } : { price: reported };
}

const Told = z.union([z.number(), z.string()]);

function schemaFor<Amount>(read: (reported: number | string) => Amount | undefined) {
  return Told.transform((reported, context) => {
    const amount = read(reported);
    if (amount !== undefined) return amount;
    context.addIssue({ code: 'custom', message: 'not an amount' });
    return z.NEVER;
  });
}

/**
 * Dollars in a response, as number or text, in cents. Fails for what is negative, finer than a cent, or not a
 * number.
 */
export const Dollars = schemaFor((reported) => {
  const amount = centsIn(reported);
  return amount === undefined || isFiner(amount) ? undefined : amount;
});

/** {@link Dollars} of a share or a sum that a service computed: fractions of a cent are rounded half up. */
export const RoundedDollars = schemaFor((reported) => {
  const amount = centsIn(reported);
  return amount !== undefined && isFiner(amount) ? halfUp(amount.finer) : amount;
});

/** {@link Dollars} of a price; a missing one and 0.00 are both unknown. */
export const PriceOrNull = Dollars.nullish().transform((amount) => (amount ? amount : null));

/** {@link RoundedDollars} of a price that a service computed; a missing one and 0.00 are both unknown. */
export const RoundedPriceOrNull = RoundedDollars.nullish().transform((amount) => (amount ? amount : null));

/** A price of ours. A missing one, an empty text and 0.00 are all unknown; fails for what is negative or no amount. */
export const OwnPrice = schemaFor<ReportedPrice>((reported) => {
  if (String(reported).trim() === '') return null;
  const amount = centsIn(reported);
  return amount === 0 ? null : amount;
})
  .nullish()
  .transform((amount): ReportedPrice => amount ?? null);

/** By the digits as written, since 1.005 has no binary form. */
function halfUp(text: string): Cents {
  const [whole = '', fraction = ''] = text.split('.');
  if (!DECIMAL.test(text)) return cents(Math.round(Number(text) * 100));
  const down = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'));
  return cents(down + (Number(fraction.charAt(2)) >= 5 ? 1 : 0));
}

/** A figure as number or text; null for "none", such as "N/A". Fails for what is negative or other text. */
export const FigureOrNull = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value, context) => {
    const text = String(value ?? '').trim();
    if (NOTHING.has(text.toLowerCase())) return null;
    if (/^\d{1,12}(\.\d{1,12})?%?$/.test(text)) return Number(text.replace('%', ''));
    context.addIssue({ code: 'custom', message: 'not a figure' });
    return z.NEVER;
  });
