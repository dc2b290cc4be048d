import { useState } from 'react';
import {
  type EditOwnSellers,
  type LimitName,
  RepricingLimits,
  type RepricingLimitsForm,
} from '#contract/repricing-limits.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { LIMIT_FIELDS, limitText, readLimit } from './limit-fields.ts';
import type { StoredSettings } from './queries.ts';

/** Unsaved edits. All other fields show the stored value. */
interface Edits {
  readonly limits: Partial<Record<LimitName, string>>;
  readonly sellers: Partial<Record<Marketplace, readonly string[]>>;
}

const NO_EDITS: Edits = { limits: {}, sellers: {} };

/** Repricing limits and own sellers: the stored values with the edits applied. */
export interface SettingsDraft {
  readonly guardTexts: Readonly<Record<LimitName, string>>;
  /** Errors of changed fields. */
  readonly problems: Partial<Readonly<Record<LimitName, string>>>;
  namesOn(marketplace: Marketplace): readonly string[];
  /** Labels of the changed fields. */
  readonly changed: readonly string[];
  readonly hasChangedLimits: boolean;
  readonly hasChangedSellers: boolean;
  /** The request body; null while a field is invalid. */
  readonly change: {
    /** Null if no limit was changed. */
    readonly limits: RepricingLimitsForm | null;
    readonly sellers: EditOwnSellers['marketplaces'];
  } | null;
  setLimit(name: LimitName, text: string): void;
  setNames(marketplace: Marketplace, names: readonly string[]): void;
  discard(): void;
}

/** Keeps unsaved edits apart from the stored values: after a save only edits made during it remain. */
export function useSettingsDraft({
  limits,
  sellers,
}: Pick<StoredSettings, 'limits' | 'sellers'>): SettingsDraft {
  const [edits, setEdits] = useState<Edits>(NO_EDITS);
  const texts = Object.fromEntries(
    LIMIT_FIELDS.map((field) => [field.name, edits.limits[field.name] ?? limitText(field, limits)]),
  ) as Record<LimitName, string>;
  const read = LIMIT_FIELDS.map((field) => ({ field, ...readLimit(field, texts[field.name]) }));
  const changedLimits = read.filter(({ field, value }) => value !== limits[field.name]);
  const namesOf = (marketplace: Marketplace): readonly string[] =>
    sellers.find((each) => each.marketplace === marketplace)?.names ?? [];
  const changedSellers = sellers.flatMap(({ marketplace, names }) => {
    const wanted = edits.sellers[marketplace];
    return wanted === undefined || isSame(wanted, names) ? [] : [{ marketplace, names: [...wanted] }];
  });
  const problems = Object.fromEntries(
    changedLimits.flatMap(({ field, problem }) => (problem === null ? [] : [[field.name, problem]])),
  );
  const isGuarded = changedLimits.length > 0;
  const values = Object.fromEntries(read.map(({ field, value }) => [field.name, value]));
  const wanted = RepricingLimits.safeParse({ ...limits, ...values });
  return {
    guardTexts: texts,
    problems,
    namesOn: (marketplace) => edits.sellers[marketplace] ?? namesOf(marketplace),
    changed: [
      ...changedLimits.map(({ field }) => field.label),
      ...changedSellers.map(({ marketplace }) => `Your sellers on ${MARKETPLACE_NAMES[marketplace]}`),
    ],
    hasChangedLimits: isGuarded,
    hasChangedSellers: changedSellers.length > 0,
    change: wanted.success ? { limits: isGuarded ? wanted.data : null, sellers: changedSellers } : null,
    setLimit: (name, text) => setEdits((old) => ({ ...old, limits: { ...old.limits, [name]: text } })),
    setNames: (marketplace, names) =>
      setEdits((old) => ({ ...old, sellers: { ...old.sellers, [marketplace]: names } })),
    discard: () => setEdits(NO_EDITS),
  };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
