import { type Bps, bps, type Cents, cents, type Instant, type Millis, type Ounces, ounces } from './units.ts';

/** What must not compile. Checked by the type checker; a line that compiles fails the build. */
export function unitsThatMustNotMix(): void {
  const price: Cents = cents(1_999);
  const share: Bps = bps(1_500);
  const weight: Ounces = ounces(8);

  // @ts-expect-error a plain number is not money
  const plain: Cents = 1_999;
  // @ts-expect-error a share is not money
  const shareAsMoney: Cents = share;
  // @ts-expect-error money is not a share
  const moneyAsShare: Bps = price;
  // @ts-expect-error a weight is not money
  const weightAsMoney: Cents = weight;
  // @ts-expect-error a moment is not a length of time
  const momentAsLength: Millis = 0 as Instant;
  // @ts-expect-error a sum is a plain number without a unit
  const sum: Cents = price + price;
  // @ts-expect-error unknown is not an amount
  const unknown: Cents = null;
  // @ts-expect-error money is not text
  const text: string = price;

  void [plain, shareAsMoney, moneyAsShare, weightAsMoney, momentAsLength, sum, unknown, text];
}
