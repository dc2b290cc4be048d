import { z } from 'zod';
import { parseCents } from '#domain/decimal.ts';
import type { Cents } from '#domain/units.ts';

const IN_CENTS = /^\d{1,8}(?:\.\d{1,2}0*)?$/;
const WITH_FRACTIONS = /^\d{1,8}(?:\.\d{1,12})?$/;

/** Values that services send for "none" in place of a figure. */
const NOTHING = new Set(['', 'n/a', 'na', 'null', '-']);

function schemaFor(read: (text: string) => Cents | null) {
  return z.union([z.number(), z.string()]).transform((value, context) => {
    const amount = read(String(value).trim());
    if (amount !== null) return amount;
    context.addIssue({ code: 'custom', message: 'not an amount' });
    return z.NEVER;
  });
}

/**
 * Dollars in a response, as number or text, in cents. Fails for what is negative, finer than a cent, or not a
 * number.
 */
export const Dollars = schemaFor((text) =>
  IN_CENTS.test(text) ? parseCents(text.replace(/(\.\d\d)0+$/, '$1')) : null,
);

/** {@link Dollars} of a share or a sum that a service computed: fractions of a cent are rounded. */
export const RoundedDollars = schemaFor((text) =>
  WITH_FRACTIONS.test(text) ? parseCents(Number(text).toFixed(2)) : null,
);

/** {@link Dollars} of a price; a missing one and 0.00 are both unknown. */
export const PriceOrNull = Dollars.nullish().transform((amount) => (amount ? amount : null));

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
