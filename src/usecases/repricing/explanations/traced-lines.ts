import type { TracedLine } from '#contract/traced-line.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { LineTrace } from '#domain/decision/explain.ts';
import type { Line } from '#domain/lines/line.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import type { Cents } from '#domain/units.ts';

/** All lines: those below the deciding one are not reached. */
export function tracedLines(lines: readonly Line[], traces: readonly LineTrace[]): TracedLine[] {
  const texts = printLines(lines).split('\n');
  return texts.map((text, index) => {
    const trace = traces.find(({ line }) => line === index + 1);
    if (trace === undefined) return { ...NOT_REACHED, line: index + 1, text };
    const { status, condition, value, want, least, restsUntil } = trace;
    return {
      line: index + 1,
      text,
      status,
      condition,
      value,
      want: wantText(want),
      least: wantText(least),
      restsUntil: restsUntil === null ? null : new Date(restsUntil).toISOString(),
    };
  });
}

const NOT_REACHED = {
  status: 'not_asked',
  condition: null,
  value: null,
  want: null,
  least: null,
  restsUntil: null,
} as const;

/** A line may ask for a price below zero, such as $5 under a cheaper competitor. */
export function wantText(price: number | null): string | null {
  return price === null ? null : decimalFromCents(Math.round(price) as Cents);
}
