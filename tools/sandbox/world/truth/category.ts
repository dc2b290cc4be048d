/** One rate of a fee category, up to and including an amount in cents; null for no end. */
export interface Band {
  readonly upTo: number | null;
  /** Basis points. */
  readonly rate: number;
}

/** What a marketplace charges for listings of one category. */
export interface FeeCategory {
  readonly name: string;
  /** The marketplace's ID of it. */
  readonly code: string;
  /** "whole": the band of the amount applies to all of it. "marginal": each band applies to its part. */
  readonly reach: 'whole' | 'marginal';
  /** Rising; the last one has no end. */
  readonly bands: readonly Band[];
  /** The lowest commission of a unit, in cents. */
  readonly minimum: number;
  /** Charged for each unit besides the commission, in cents. */
  readonly closing: number;
}

/**
 * The commission on an amount in cents, without the minimum.
 * @returns exact, in ten-thousandths of a cent
 */
export function exactCommission({ reach, bands }: FeeCategory, amount: number): number {
  if (reach === 'whole') {
    const band = bands.find(({ upTo }) => upTo === null || amount <= upTo);
    return amount * (band?.rate ?? 0);
  }
  let below = 0;
  let exact = 0;
  for (const { upTo, rate } of bands) {
    const end = Math.min(amount, upTo ?? amount);
    exact += Math.max(0, end - below) * rate;
    below = Math.max(below, end);
  }
  return exact;
}

/** Half up. @param exact ten-thousandths of a cent, not negative */
export function rounded(exact: number): number {
  return Math.floor((exact + 5_000) / 10_000);
}
