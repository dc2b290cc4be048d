/** One measured figure with its goal. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** An upper limit. */
  readonly goal: number;
  readonly decimals?: number;
}

/** Prints figures with goals, missed ones by name. */
export function printTable(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const { name, value, unit, goal, decimals = 0 } of figures) {
    const text = `${value.toFixed(decimals)} ${unit}`.trim();
    console.log(
      `  ${name.padEnd(44)}${text.padStart(12)}   at most ${goal}${value <= goal ? '' : '   MISSED'}`,
    );
  }
}

/** @param values at least one */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There is no median of nothing.');
  return middle;
}
