import type { z } from 'zod';
import {
  type Import,
  MOMENT_COLUMNS,
  NUMBER_COLUMNS,
  PERCENT_COLUMNS,
  type Readings,
  type SellerCandidate,
  WEIGHT_COLUMNS,
} from '#contract/imports.ts';

export type Seller = z.output<typeof SellerCandidate>;

/** What was chosen in the steps and is not sent yet. */
export interface ImportDraft {
  readonly mapping: Readonly<Record<string, number | null>>;
  readonly defaults: Readonly<Record<string, string>>;
  readonly readings: Readings;
  readonly allOrNothing: boolean;
  /** How many costs that change a lot were found right. */
  readonly jumps: number;
  /** Offers: by {@link sellerKey}, whether this seller is us. Who is not in it is as declared before. */
  readonly ownSellers: Readonly<Record<string, boolean>>;
}

/** What the server found or received last. Only declared sellers count as us. */
export function newDraft({ mapping, defaults, readings }: Import): ImportDraft {
  return { mapping, defaults, readings, jumps: 0, allOrNothing: false, ownSellers: {} };
}

/** A seller's name is unique within a marketplace only. */
export function sellerKey({ marketplace, name }: Pick<Seller, 'marketplace' | 'name'>): string {
  return `${marketplace} ${name}`;
}

/** Whether a seller counts as us by now. */
export function isOwnSeller(seller: Seller, { ownSellers }: ImportDraft): boolean {
  return ownSellers[sellerKey(seller)] ?? seller.isOwn;
}

/** Required columns that the draft neither maps nor gives a value for, in the order of the columns. */
export function missingIn({ columns }: Import, { mapping, defaults }: ImportDraft): string[] {
  return columns
    .filter(({ name, isRequired }) => isRequired && mapping[name] == null && !defaults[name]?.trim())
    .map(({ name }) => name);
}

/** Whether the server does not have the columns as they are chosen now. */
export function isChanged(imported: Import, { mapping, defaults, readings }: ImportDraft): boolean {
  const names = new Set([...Object.keys(readings), ...Object.keys(imported.readings)]) as Set<keyof Readings>;
  return (
    [...names].some((name) => readings[name] !== imported.readings[name]) ||
    imported.columns.some(({ name }) => (mapping[name] ?? null) !== (imported.mapping[name] ?? null)) ||
    imported.columns.some(({ name }) => (defaults[name]?.trim() ?? '') !== (imported.defaults[name] ?? ''))
  );
}

/** Only the values that are given, without stray spaces. */
export function givenDefaults({ defaults, mapping }: ImportDraft): Record<string, string> {
  const given = Object.entries(defaults)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([name, value]) => value !== '' && mapping[name] == null);
  return Object.fromEntries(given);
}

/** The columns that a reading is about; `known` is about none. */
const COLUMNS_OF: Readonly<Partial<Record<string, readonly string[]>>> = {
  weightUnit: WEIGHT_COLUMNS,
  decimalMark: NUMBER_COLUMNS,
  percentForm: PERCENT_COLUMNS,
  dayOrder: MOMENT_COLUMNS,
  timeZone: MOMENT_COLUMNS,
};

/** Readings without those of a column that is taken from elsewhere now. */
export function withoutReadings(name: string, readings: Readings): Readings {
  const kept = Object.entries(readings).filter(([reading]) => COLUMNS_OF[reading]?.includes(name) !== true);
  return Object.fromEntries(kept);
}
