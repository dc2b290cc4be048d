import type { CostPartName, ListingCosts } from '#contract/costs.ts';
import { decimalFromCents, parseCents } from '#domain/decimal.ts';
import { type Cents, isAmount } from '#domain/units.ts';
import { typedMoney } from '#web/lib/typed-numbers.ts';
import type { CostsForm } from './cost-calls.ts';

/** Parts that may be empty: unknown, or the tier's cost. The others are at least 0.00. */
const CAN_BE_EMPTY: ReadonlySet<CostPartName> = new Set(['product', 'shipping', 'fulfillment']);

/** Edited parts as typed; all others show the stored value. */
export type CostEdits = Partial<Readonly<Record<CostPartName, string>>>;

/** The result of the editor's fields. */
export interface CostReading {
  /** The live total: an invalid part counts as zero, and is marked. */
  readonly total: string;
  /** Parts that count as zero because they are empty. */
  readonly empty: readonly CostPartName[];
  readonly errors: Partial<Readonly<Record<CostPartName, string>>>;
  /** Edited parts that differ; null while one is invalid. */
  readonly form: CostsForm | null;
  readonly isChanged: boolean;
}

/** One part as typed: an amount, null for empty where that is allowed, or an error. */
export type TypedCost =
  | { readonly amount: string | null; readonly problem: null }
  | { readonly amount: null; readonly problem: string };

export function readCost(part: CostPartName, text: string): TypedCost {
  const typed = typedMoney(text);
  if (isAmount(typed === null ? null : parseCents(typed))) return { amount: typed, problem: null };
  const isLeftEmpty = text.trim() === '' && CAN_BE_EMPTY.has(part);
  return { amount: null, problem: isLeftEmpty ? null : UNREADABLE };
}

const UNREADABLE = 'Enter 0.00 or more, such as 4.99';

/**
 * Reads the fields on top of the stored values.
 * @param costSince from when they apply: then a part that was typed again counts, though its amount is stored already
 */
export function readCosts(costs: ListingCosts, edits: CostEdits, costSince?: string): CostReading {
  const errors: Partial<Record<CostPartName, string>> = {};
  const touched: Partial<Record<CostPartName, string | null>> = {};
  const empty: CostPartName[] = [];
  let total = 0;
  for (const { part, amount } of costs.parts) {
    const text = edits[part] ?? amount ?? '';
    const typed = readCost(part, text);
    if (typed.amount !== null) total += parseCents(typed.amount) ?? 0;
    else if (text.trim() === '') empty.push(part);
    if (typed.problem !== null) errors[part] = typed.problem;
    else if (edits[part] !== undefined && (costSince !== undefined || typed.amount !== amount))
      touched[part] = typed.amount;
  }
  const isChanged = Object.keys(touched).length > 0;
  const hasErrors = Object.keys(errors).length > 0;
  const { version, skuVersion } = costs;
  return {
    total: isAmount(total) ? decimalFromCents(total as Cents) : '0.00',
    empty,
    errors,
    form: hasErrors
      ? null
      : { ...costsForm({ version, skuVersion }, touched), ...(costSince === undefined ? {} : { costSince }) },
    isChanged,
  };
}

/** The body of a save of edited parts. */
export function costsForm(
  versions: Pick<CostsForm, 'version' | 'skuVersion'>,
  { packaging, misc, ...rest }: Partial<Record<CostPartName, string | null>>,
): CostsForm {
  // Never empty: empty values of these two were rejected above.
  return {
    ...versions,
    ...rest,
    ...(typeof packaging === 'string' ? { packaging } : {}),
    ...(typeof misc === 'string' ? { misc } : {}),
  };
}
