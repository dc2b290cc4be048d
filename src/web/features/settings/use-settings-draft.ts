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

/** What a person changed and did not save yet. What is not here shows what is stored. */
interface Edits {
  readonly guards: Partial<Record<LimitName, string>>;
  readonly sellers: Partial<Record<Marketplace, readonly string[]>>;
}

const NO_EDITS: Edits = { guards: {}, sellers: {} };

/** The guards and own sellers of the page: what is stored with the edits over it. */
export interface SettingsDraft {
  readonly guardTexts: Readonly<Record<LimitName, string>>;
  /** Of changed fields that cannot be read. */
  readonly problems: Partial<Readonly<Record<LimitName, string>>>;
  namesOn(marketplace: Marketplace): readonly string[];
  /** Names of the changed fields, as the page calls them. */
  readonly changed: readonly string[];
  /** What to send; null while a field cannot be read. */
  readonly change: {
    /** Null when no guard was changed. */
    readonly guards: RepricingLimitsForm | null;
    readonly sellers: EditOwnSellers['marketplaces'];
  } | null;
  setGuard(name: LimitName, text: string): void;
  setNames(marketplace: Marketplace, names: readonly string[]): void;
  discard(): void;
}

/** Keeps unsaved edits apart from what is stored: after a save only edits made meanwhile are left. */
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
