import type { Decision } from '#domain/decision/decision.ts';
import type { Situation } from '#domain/lines/line.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents } from '#domain/units.ts';

/** One row of the price changes file. */
export interface PriceChange {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly outcome: Decision['kind'];
  /** Null when the current price is unknown. */
  readonly oldPrice: Cents | null;
  /** Null unless the outcome is change or recommend. */
  readonly newPrice: Cents | null;
  /** The margin floor. */
  readonly floor: Cents | null;
  readonly marginBefore: Bps | null;
  readonly marginAfter: Bps | null;
  /** Name of the rule that decided; empty when none did. */
  readonly rule: string;
  readonly reasonCode: string;
  readonly reason: string;
  /** The line of the rule that decided, from 1; 0 where none applied, null where its strategy decides. */
  readonly line: number | null;
  /** What the lines saw of the competition; null where none of them looks at it. */
  readonly situation: Situation | null;
  /** JSON; null leaves the column out. */
  readonly trace: string | null;
}

const COLUMNS = [
  'marketplace',
  'sku',
  'outcome',
  'oldPrice',
  'newPrice',
  'floor',
  'marginBefore',
  'marginAfter',
  'rule',
  'reasonCode',
  'reason',
  'line',
  'situation',
] as const;

/** The header line of the price changes file. @param withTrace adds the column `trace` */
export function priceChangeHeader(withTrace: boolean): string {
  return `${withTrace ? [...COLUMNS, 'trace'].join(',') : COLUMNS.join(',')}\n`;
}

/** One line of the price changes file: quoted after RFC 4180, ended by LF, not altered against formulas. */
export function priceChangeLine(change: PriceChange): string {
  const line = `${change.marketplace},${cell(change.sku)},${change.outcome},${decimal(change.oldPrice)},${decimal(
    change.newPrice,
  )},${decimal(change.floor)},${decimal(change.marginBefore)},${decimal(change.marginAfter)},${cell(
    change.rule,
  )},${change.reasonCode},${cell(change.reason)},${change.line ?? ''},${change.situation ?? ''}`;
  return change.trace === null ? `${line}\n` : `${line},${cell(change.trace)}\n`;
}

/** Cents as dollars, basis points as percent: both are hundredths. */
function decimal(hundredths: Cents | Bps | null): string {
  if (hundredths === null) return '';
  const size = Math.abs(hundredths);
  const rest = size % 100;
  return `${hundredths < 0 ? '-' : ''}${(size - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
