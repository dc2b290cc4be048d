import type { Cents } from '#domain/units.ts';
import { confirmedFee } from './confirmed-charge.ts';
import { timeOf } from './fee-fact.ts';
import type { FulfillmentAnswer } from './fulfillment-answer.ts';
import { CONFIRMED_AFTER, MAX_TIMES_KNOWN } from './reported-band.ts';
import { medianOf } from './usual-charge.ts';

/** What charges are compared with. */
interface Known {
  /** The published fee for the package at the price of a charge; null without one. */
  publishedFor(charge: FulfillmentAnswer): Cents | null;
  /** What is doubted only raises a fee: it makes no other charge too high. */
  isDoubted(charge: FulfillmentAnswer): boolean;
}

/**
 * The charges that are far above all that is known: above three times both the published fee and the median of the lower ones, of
 * any price band. One is too high to count until others that are no more than three times as high or as low confirm it. A wrong row
 * would keep the price of a listing so high that no further sale shows the fee. While nothing is published and all were charged
 * within a day, none is far.
 * @param charges of a listing for one package, oldest first
 * @returns with what each counts as at most, null for one that is too high
 */
export function farCharges(
  charges: readonly FulfillmentAnswer[],
  known: Known,
): ReadonlyMap<FulfillmentAnswer, Cents | null> {
  const found = new Map<FulfillmentAnswer, Cents | null>();
  const lowest = Math.min(...charges.map(({ fee }) => fee));
  // Of almost every listing none is.
  const isAnyFar = charges.some((charge) => {
    const published = known.publishedFor(charge);
    return isFar(charge, published ?? (charge.fee === lowest ? null : lowest));
  });
  if (!isAnyFar) return found;
  const isTooHigh = (charge: FulfillmentAnswer) => found.get(charge) === null;
  let left = charges;
  // One that is too high confirms no other one.
  do {
    left = left.filter((each) => !isTooHigh(each));
    addFar(found, left, known);
  } while (left.some(isTooHigh));
  return found;
}

function addFar(
  found: Map<FulfillmentAnswer, Cents | null>,
  charges: readonly FulfillmentAnswer[],
  { publishedFor, isDoubted }: Known,
): void {
  let left = charges;
  let counting: FulfillmentAnswer[] = [];
  const fees = [...new Set(charges.map(({ fee }) => fee))].sort((one, other) => one - other);
  for (const fee of fees) {
    const usual = areShown(counting) ? medianOf(counting) : null;
    const confirming = { from: fee / MAX_TIMES_KNOWN, to: fee * MAX_TIMES_KNOWN, isDoubted };
    const alike = left.filter((charge) => charge.fee === fee);
    const far = alike.filter((charge) => {
      const published = publishedFor(charge);
      return (
        !charge.isAccepted && isFar(charge, usual === null ? published : Math.max(usual, published ?? 0))
      );
    });
    for (const charge of far) found.set(charge, confirmedFee(charge, left, confirming));
    const isCounting = (charge: FulfillmentAnswer) => found.get(charge) !== null;
    if (!far.every(isCounting)) left = left.filter(isCounting);
    counting = [...counting, ...alike.filter((charge) => !found.has(charge) && !isDoubted(charge))];
  }
}

/** Whether lower charges are enough to say what is usual: those of one day may be wrong. */
function areShown(charges: readonly FulfillmentAnswer[]): boolean {
  const times = charges.map(timeOf);
  const isApart = Math.max(...times) - Math.min(...times) >= CONFIRMED_AFTER;
  return isApart || charges.some(({ isAccepted }) => isAccepted);
}

function isFar({ fee }: FulfillmentAnswer, known: number | null): boolean {
  return known !== null && fee > MAX_TIMES_KNOWN * known;
}
