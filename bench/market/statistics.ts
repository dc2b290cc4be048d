import { seeded } from '#bench/seeded.ts';

/** A mean over seeds with its 95% interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 4_000;
/** The ends of the interval, as shares of the resampled means. */
const ENDS = { low: 0.025, high: 0.975 };

/**
 * How much more the first figures are than the second, as a share of these: the ratio of the means less 1, resampled as
 * for {@link estimate}.
 * @param others of the same seeds in the same order, at least one
 */
export function lead(figures: readonly number[], others: readonly number[]): Estimate {
  const random = seeded(1);
  const ratios = Array.from({ length: RESAMPLES }, () => {
    const drawn = figures.map(() => random.whole(0, figures.length - 1));
    return ratioOf(figures, others, drawn);
  }).sort((a, b) => a - b);
  const mean = ratioOf(figures, others, [...figures.keys()]);
  return { mean, low: quantile(ratios, ENDS.low), high: quantile(ratios, ENDS.high) };
}

function ratioOf(figures: readonly number[], others: readonly number[], drawn: readonly number[]): number {
  const sum = (all: readonly number[]): number =>
    drawn.reduce((total, index) => total + (all[index] as number), 0);
  return sum(figures) / sum(others) - 1;
}

/**
 * Percentile bootstrap: figures are drawn from the given ones with replacement, and the interval holds the middle 95% of
 * their means. The draws are seeded, so the same figures give the same interval.
 * @param figures at least one
 */
export function estimate(figures: readonly number[]): Estimate {
  const random = seeded(1);
  const means = Array.from({ length: RESAMPLES }, () =>
    meanOf(figures.map(() => figures[random.whole(0, figures.length - 1)] as number)),
  ).sort((a, b) => a - b);
  return { mean: meanOf(figures), low: quantile(means, ENDS.low), high: quantile(means, ENDS.high) };
}

export function meanOf(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.round((sorted.length - 1) * share)] as number;
}
