import { pairedRatios, type Spread, spreadOf } from './rounds.ts';

/** One line of a result: a figure's spread and what it should be. */
export interface Line {
  readonly name: string;
  readonly spread: Spread;
  readonly unit: string;
  readonly goal?: Goal;
}

/** A goal that is missed is printed, never an error: the machine may be busy. */
export interface Goal {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Ratio of A to B: of the medians, with the lowest and highest of the pairs at its sides. */
export function ratioLine(name: string, a: readonly number[], b: readonly number[], goal?: Goal): Line {
  const pairs = spreadOf(pairedRatios(a, b));
  const spread = { min: pairs.min, median: spreadOf(a).median / spreadOf(b).median, max: pairs.max };
  return { name, spread, unit: 'x', ...(goal && { goal }) };
}

/** Prints lines under a heading, with the goals next to the medians. */
export function printTable(heading: string, lines: readonly Line[]): void {
  const width = Math.max(...lines.map(({ name }) => name.length), heading.length);
  console.log(
    `\n${heading.padEnd(width)} ${['min', 'median', 'max'].map((head) => head.padStart(10)).join('')}`,
  );
  for (const { name, spread, unit, goal } of lines) {
    const figures = [spread.min, spread.median, spread.max].map((figure) => figureText(figure).padStart(10));
    console.log(
      `${name.padEnd(width)} ${figures.join('')} ${unit.padEnd(5)}${goalText(spread.median, goal)}`,
    );
  }
}

function goalText(median: number, goal: Goal | undefined): string {
  if (goal?.atLeast !== undefined) {
    return ` goal: at least ${goal.atLeast}, ${median >= goal.atLeast ? 'met' : 'MISSED'}`;
  }
  if (goal?.atMost !== undefined) {
    return ` goal: at most ${goal.atMost}, ${median <= goal.atMost ? 'met' : 'MISSED'}`;
  }
  return '';
}

function figureText(figure: number): string {
  if (figure >= 1_000) return Math.round(figure).toLocaleString('en-US');
  return figure.toFixed(figure >= 100 ? 0 : 2);
}
