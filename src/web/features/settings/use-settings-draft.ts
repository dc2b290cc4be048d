import { useState } from 'react';
import {
  type EditOwnSellers,
  type LimitName,
  RepricingLimits,
  type RepricingLimitsForm,
} from '#contract/repricing-limits.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { GUARD_FIELDS, guardText, readGuard } from './limit-fields.ts';
import type { StoredSettings } from './queries.ts';

/** Unsaved edits. All other fields show the stored value. */
interface Edits {
  readonly guards: Partial<Record<LimitName, string>>;
  readonly sellers: Partial<Record<Marketplace, readonly string[]>>;
}

const NO_EDITS: Edits = { guards: {}, sellers: {} };

/** Repricing limits and own sellers: the stored values with the edits applied. */
export interface SettingsDraft {
  readonly guardTexts: Readonly<Record<LimitName, string>>;
  /** Errors of changed fields. */
  readonly problems: Partial<Readonly<Record<LimitName, string>>>;
  namesOn(marketplace: Marketplace): readonly string[];
  /** Labels of the changed fields. */
  readonly changed: readonly string[];
  readonly hasChangedGuards: boolean;
  readonly hasChangedSellers: boolean;
  /** The request body; null while a field is invalid. */
  readonly change: {
    /** Null if no limit was changed. */
    readonly guards: RepricingLimitsForm | null;
    readonly sellers: EditOwnSellers['marketplaces'];
  } | null;
  setGuard(name: LimitName, text: string): void;
  setNames(marketplace: Marketplace, names: readonly string[]): void;
  discard(): void;
}

/** Keeps unsaved edits apart from the stored values: after a save only edits made during it remain. */
export function useSettingsDraft({
  guards,
  sellers,
}: Pick<StoredSettings, 'guards' | 'sellers'>): SettingsDraft {
  const [edits, setEdits] = useState<Edits>(NO_EDITS);
  const texts = Object.fromEntries(
    GUARD_FIELDS.map((field) => [field.name, edits.guards[field.name] ?? guardText(field, guards)]),
  ) as Record<LimitName, string>;
  const read = GUARD_FIELDS.map((field) => ({ field, ...readGuard(field, texts[field.name]) }));
  const changedGuards = read.filter(({ field, value }) => value !== guards[field.name]);
  const namesOf = (marketplace: Marketplace): readonly string[] =>
    sellers.find((each) => each.marketplace === marketplace)?.names ?? [];
  const changedSellers = sellers.flatMap(({ marketplace, names }) => {
    const wanted = edits.sellers[marketplace];
    return wanted === undefined || isSame(wanted, names) ? [] : [{ marketplace, names: [...wanted] }];
  });
  const problems = Object.fromEntries(
    changedGuards.flatMap(({ field, problem }) => (problem === null ? [] : [[field.name, problem]])),
  );
  const isGuarded = changedGuards.length > 0;
  const values = Object.fromEntries(read.map(({ field, value }) => [field.name, value]));
  const wanted = RepricingLimits.safeParse({ ...guards, ...values });
  return {
    guardTexts: texts,
    problems,
    namesOn: (marketplace) => edits.sellers[marketplace] ?? namesOf(marketplace),
    changed: [
      ...changedGuards.map(({ field }) => field.label),
      ...changedSellers.map(({ marketplace }) => `Your sellers on ${MARKETPLACE_NAMES[marketplace]}`),
    ],
    hasChangedGuards: isGuarded,
    hasChangedSellers: changedSellers.length > 0,
    change: wanted.success ? { guards: isGuarded ? wanted.data : null, sellers: changedSellers } : null,
    setGuard: (name, text) => setEdits((old) => ({ ...old, guards: { ...old.guards, [name]: text } })),
    setNames: (marketplace, names) =>
      setEdits((old) => ({ ...old, sellers: { ...old.sellers, [marketplace]: names } })),
    discard: () => setEdits(NO_EDITS),
  };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
