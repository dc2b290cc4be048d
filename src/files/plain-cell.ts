import { writtenMoney } from '#domain/written/written-number.ts';
import type { CellComplaint, CellKind } from './cell-kinds.ts';

/** Our columns in which a blank cell means 0.00 or 0: a cell that says n/a must not, since unknown is never zero. */
export const ZERO_WHEN_BLANK: ReadonlySet<string> = new Set([
  'packagingCost',
  'miscCost',
  'shippingCharge',
  'shipping',
  'fixed',
  'perUnit',
  'minimum',
  'percentTaxed',
]);

export const UNKNOWN_COMPLAINT: CellComplaint = {
  problem: 'means unknown',
  fix: 'Write the amount, or leave the cell blank if there is none: blank means 0 here.',
};

const MONEY: ReadonlySet<CellKind> = new Set(['amount', 'price', 'offset'] as const);
const PERCENT: ReadonlySet<CellKind> = new Set(['percent', 'margin'] as const);
/** Whole numbers as spreadsheets write them: 1,234 and 12.00. */
const GROUPED_COUNT = {
  point: /^[1-9]\d{0,2}(?:,\d{3}){1,2}(?:\.0{1,2})?$/,
  comma: /^[1-9]\d{0,2}(?:\.\d{3}){1,2}(?:,0{1,2})?$/,
};
const WHOLE_COUNT = { point: /^\d{1,9}\.0{1,2}$/, comma: /^\d{1,9},0{1,2}$/ };

/**
 * A cell without what people write around its number: "US$ 12.50" is 12.50, "15 %" is 15%, a count of "1,234" is 1234.
 * @returns null where nothing is around it; a complaint for an amount in another currency, which no one here can convert
 */
export function plainCell(
  raw: string,
  kind: CellKind,
  hasCommas: boolean,
): { readonly text: string } | { readonly complaint: CellComplaint } | null {
  const text = raw.trim();
  if (MONEY.has(kind)) {
    const money = writtenMoney(text);
    if (money === null) return null;
    if ('number' in money) return money.number === text ? null : { text: money.number };
    const fix = 'Convert it to US dollars.';
    return { complaint: { problem: `is in another currency (${money.otherCurrency})`, fix } };
  }
  if (PERCENT.has(kind)) return /\s%$/.test(text) ? { text: text.replace(/\s/g, '') } : null;
  if (kind !== 'count' && kind !== 'quantity') return null;
  const mark = hasCommas ? 'comma' : 'point';
  if (!GROUPED_COUNT[mark].test(text) && !WHOLE_COUNT[mark].test(text)) return null;
  const whole = text.split(hasCommas ? ',' : '.')[0] ?? '';
  return { text: whole.replace(/[.,]/g, '') };
}

/**
 * A share of 1 as a percentage, exactly: 0.15 is 15, and 0.1275 is 12.75.
 * @returns null for anything else, such as a number with a percent sign
 */
export function percentOfShare(text: string, hasCommas: boolean): string | null {
  const [, whole, decimals = ''] =
    (hasCommas ? /^([01])(?:,(\d{1,4}))?$/ : /^([01])(?:\.(\d{1,4}))?$/).exec(text) ?? [];
  if (whole === undefined) return null;
  const tenThousandths = Number(whole) * 10_000 + Number(decimals.padEnd(4, '0'));
  const percent = (tenThousandths / 100).toFixed(2);
  return hasCommas ? percent.replace('.', ',') : percent;
}
