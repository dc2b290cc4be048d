/** What is wrong with a cell, and how to fix it. */
export interface CellComplaint {
  readonly problem: string;
  readonly fix: string;
}

const AMOUNT_FIX = 'Write dollars and cents with a point, such as 19.99 or 1,299.00.';

/** What is wrong with a cell that should hold money, as precisely as can be reported. */
function moneyComplaint(value: string): CellComplaint {
  const text = value.trim();
  if (/^-/.test(text)) return { problem: 'is negative', fix: 'Write an amount of 0.00 or more.' };
  // As much of the world writes it: 12,99 and 1.299,00.
  if (/^\$?(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(text)) {
    const amount = text.replaceAll('.', '').replace(',', '.');
    return { problem: 'is not an amount', fix: `Write the cents after a point: ${amount}.` };
  }
  if (/^\$?[\d,]+\.\d{3,}$/.test(text)) {
    return { problem: 'has more than two decimals', fix: 'Round it to whole cents.' };
  }
  if (/^\$?\d{9,}(\.\d{1,2})?$/.test(text)) {
    return { problem: 'is too large', fix: 'The largest amount is 99,999,999.99.' };
  }
  return { problem: 'is not an amount', fix: AMOUNT_FIX };
}

function priceComplaint(value: string): CellComplaint {
  const isZero = /^\$?[0,]+(\.0{1,2})?$/.test(value.trim());
  return isZero ? { problem: 'is not a price', fix: 'Write an amount above zero.' } : moneyComplaint(value);
}

function weightComplaint(value: string): CellComplaint {
  // Three digits behind a comma may be thousands.
  const ounces = /^(\d{1,7}(?:\.\d{1,4}|,\d{1,2})?)\s*(?:oz\.?|ounces?)?$/i
    .exec(value.trim())?.[1]
    ?.replace(',', '.');
  const fix =
    ounces === undefined
      ? 'Write ounces with a point, such as 12 or 12.5.'
      : `Write ounces alone: ${ounces}.`;
  return { problem: 'is not a weight', fix };
}

/** The complaint for each kind of cell. */
export const CELL_KINDS = {
  amount: moneyComplaint,
  price: priceComplaint,
  offset: (value) => moneyComplaint(value.trim().replace(/^-/, '')),
  percent: () => ({ problem: 'is not a percentage', fix: 'Write a number from 0 to 100, such as 12.5.' }),
  margin: () => ({ problem: 'is not a margin', fix: 'Write a number from 0 to 99.99, such as 12.5.' }),
  weight: weightComplaint,
  inches: () => ({ problem: 'is not a length', fix: 'Write inches alone, such as 12 or 12.5.' }),
  count: () => ({ problem: 'is not a whole number', fix: 'Write digits only, such as 3.' }),
  quantity: () => ({ problem: 'is not a quantity', fix: 'Write a whole number of at least 1.' }),
  moment: () => ({
    problem: 'is not a timestamp',
    fix: 'Write it as 2026-11-21T12:00:00Z, with Z or an offset such as -05:00.',
  }),
  flag: () => ({ problem: 'is neither true nor false', fix: 'Write true or false.' }),
} as const satisfies Record<string, (value: string) => CellComplaint>;

export type CellKind = keyof typeof CELL_KINDS;
