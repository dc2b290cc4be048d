import type { LimitChangeForm, LimitChangesForm } from '#contract/limit-plan.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { LimitBase } from '#domain/limits/relative-limit.ts';
import { isAmount, isPrice } from '#domain/units.ts';
import { readAmountText } from './typed-price.ts';

/** The limits of many listings, each with its basis. */
export const LIMIT_NAMES = ['minPrice', 'maxPrice'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** How a limit is set: an amount, or relative to a value of each listing. */
export type LimitKind = 'amount' | LimitBase;
export type LimitHow = 'percent_over' | 'percent_under' | 'dollars_over' | 'dollars_under';

export interface LimitTexts {
  readonly kind: LimitKind;
  readonly how: LimitHow;
  readonly text: string;
}
export const NEW_LIMIT: LimitTexts = { kind: 'amount', how: 'percent_over', text: '' };

export interface ReadLimits {
  readonly limits: LimitChangesForm;
  /** Errors by field; empty if everything is valid. */
  readonly problems: Readonly<Partial<Record<LimitName, string>>>;
}

/** Parses the limits of the form; an empty amount clears. */
export function readLimits(texts: Readonly<Partial<Record<LimitName, LimitTexts>>>): ReadLimits {
  const limits: LimitChangesForm = {};
  const problems: Partial<Record<LimitName, string>> = {};
  for (const name of LIMIT_NAMES) {
    const typed = texts[name];
    if (typed === undefined) continue;
    const read = readLimit(typed);
    if (typeof read === 'string') problems[name] = read;
    else limits[name] = read;
  }
  const { minPrice, maxPrice } = texts;
  if (minPrice?.kind === 'amount' && maxPrice?.kind === 'amount') {
    const least = readAmountText(minPrice.text);
    const most = readAmountText(maxPrice.text);
    if (least !== null && most !== null && least > most) {
      problems.maxPrice = 'Enter a maximum price at or above the minimum price';
    }
  }
  return { limits, problems };
}

/** The change in the API's form, or the error of the text. */
function readLimit({ kind, how, text }: LimitTexts): LimitChangeForm | string {
  const amount = readAmountText(text);
  if (kind === 'amount') {
    if (text.trim() === '') return { to: null };
    return isPrice(amount) ? { to: decimalFromCents(amount) } : 'Enter an amount above zero such as 19.99';
  }
  // Percentages have two decimals, as cents have.
  const isShare = how === 'percent_over' || how === 'percent_under';
  if (!isAmount(amount)) return `Enter a number such as ${isShare ? '10 or 12.5' : '1.50'}`;
  const under = how === 'percent_under' || how === 'dollars_under';
  if (how === 'percent_under' && amount >= 10_000) return 'Enter less than 100';
  if (isShare && amount > 99_999) return 'Enter up to 999.99';
  const signed = `${under && amount !== 0 ? '-' : ''}${decimalFromCents(amount)}`;
  return isShare ? { from: kind, percent: signed } : { from: kind, amount: signed };
}
