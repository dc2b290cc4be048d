import type { CostPartName, ListingCosts } from '#contract/costs.ts';
import { decimalFromCents, parseCents } from '#domain/decimal.ts';
import { type Cents, isAmount } from '#domain/units.ts';
import { typedMoney } from '#web/lib/typed-numbers.ts';
import type { CostsForm } from './cost-calls.ts';

/** Parts that may be left empty: unknown, or back to the tier. The others are 0.00 at least. */
const CAN_BE_EMPTY: ReadonlySet<CostPartName> = new Set(['product', 'shipping', 'fulfillment']);

/** Touched parts as typed; what is not here shows what is stored. */
export type CostEdits = Partial<Readonly<Record<CostPartName, string>>>;

/** What the editor's fields say. */
export interface CostReading {
  /** The live total: what cannot be read counts as nothing, and is marked. */
  readonly total: string;
  /** Parts that count as nothing because they are empty. */
  readonly empty: readonly CostPartName[];
  readonly errors: Partial<Readonly<Record<CostPartName, string>>>;
  /** Touched parts that differ; null while one cannot be read. */
  readonly form: CostsForm | null;
  readonly isChanged: boolean;
}

/** Reads the fields over what is stored. */
export function readCosts(costs: ListingCosts, edits: CostEdits): CostReading {
  const errors: Partial<Record<CostPartName, string>> = {};
  const touched: Partial<Record<CostPartName, string | null>> = {};
  const empty: CostPartName[] = [];
  let total = 0;
  for (const { part, amount } of costs.parts) {
    const text = edits[part] ?? amount ?? '';
    const isEmpty = text.trim() === '';
    const typed = typedMoney(text);
    const value = typed === null ? null : parseCents(typed);
    if (isAmount(value)) total += value;
    else if (isEmpty) empty.push(part);
    if (!isAmount(value) && !(isEmpty && CAN_BE_EMPTY.has(part))) {
      errors[part] = 'Enter dollars and cents of 0.00 or more, such as 4.99';
    } else if (edits[part] !== undefined && typed !== amount) touched[part] = typed;
  }
  const isChanged = Object.keys(touched).length > 0;
  const hasErrors = Object.keys(errors).length > 0;
  const { version, skuVersion } = costs;
  return {
    total: isAmount(total) ? decimalFromCents(total as Cents) : '0.00',
    empty,
    errors,
    form: hasErrors ? null : formOf({ version, skuVersion }, touched),
    isChanged,
  };
}

function formOf(
  versions: Pick<CostsForm, 'version' | 'skuVersion'>,
  { packaging, misc, ...rest }: Partial<Record<CostPartName, string | null>>,
): CostsForm {
  // Never empty: these two were refused above.
  return {
    ...versions,
    ...rest,
    ...(typeof packaging === 'string' ? { packaging } : {}),
    ...(typeof misc === 'string' ? { misc } : {}),
  };
}
