import type { RuleForm } from '#contract/rules.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { FIGURE_SCOPES, type FigureScope, LABEL_SCOPES } from '#domain/rules/segment.ts';

type Range = { from: string; to: string };

/** Which listings and when, as typed. */
export interface ScopeDraft {
  marketplaces: Marketplace[];
  brands: string[];
  categories: string[];
  tags: string[];
  suppliers: string[];
  ownPrice: Range;
  cost: Range;
  listedDays: Range;
  stockAgeDays: Range;
  stock: Range;
  priority: string;
  activeFrom: string;
  activeUntil: string;
  /** One per line, such as "mon-fri 08:00-18:00". */
  windows: string;
}

const ANY: Range = { from: '', to: '' };

export const BLANK_SCOPE: ScopeDraft = {
  marketplaces: [],
  brands: [],
  categories: [],
  tags: [],
  suppliers: [],
  ownPrice: ANY,
  cost: ANY,
  listedDays: ANY,
  stockAgeDays: ANY,
  stock: ANY,
  priority: '',
  activeFrom: '',
  activeUntil: '',
  windows: '',
};

type StoredScope = Pick<RuleForm, 'segment' | 'priority' | 'schedule'>;

/** The form for a stored scope. */
export function scopeDraftOf({ segment, priority, schedule }: StoredScope): ScopeDraft {
  const labels = Object.fromEntries(LABEL_SCOPES.map((field) => [field, segment?.[field] ?? []]));
  const range = (field: FigureScope): Range => {
    const { from, to } = segment?.[field] ?? {};
    return { from: String(from ?? ''), to: String(to ?? '') };
  };
  return {
    ...BLANK_SCOPE,
    ...labels,
    marketplaces: segment?.marketplaces ?? [],
    ownPrice: range('ownPrice'),
    cost: range('cost'),
    listedDays: range('listedDays'),
    stockAgeDays: range('stockAgeDays'),
    stock: range('stock'),
    priority: String(priority ?? ''),
    activeFrom: schedule?.activeFrom ?? '',
    activeUntil: schedule?.activeUntil ?? '',
    windows: (schedule?.windows ?? []).join('\n'),
  };
}

/** The scope of the request body. What cannot be read is NaN, which the contract refuses. */
export function scopeFormOf(scope: ScopeDraft, marketplace: Marketplace | ''): StoredScope {
  const money = ({ from, to }: Range) => setRange(figure(from) || null, figure(to) || null);
  const count = ({ from, to }: Range) => setRange(countOrNull(from), countOrNull(to));
  const windows = windowLines(scope.windows);
  const activeFrom = scope.activeFrom || null;
  const activeUntil = scope.activeUntil || null;
  return {
    segment: {
      // A rule for one marketplace is not for several.
      marketplaces: marketplace === '' ? scope.marketplaces : [],
      brands: scope.brands,
      categories: scope.categories,
      tags: scope.tags,
      suppliers: scope.suppliers,
      ownPrice: money(scope.ownPrice),
      cost: money(scope.cost),
      listedDays: count(scope.listedDays),
      stockAgeDays: count(scope.stockAgeDays),
      stock: count(scope.stock),
    },
    priority: countOrNull(scope.priority),
    schedule:
      activeFrom === null && activeUntil === null && windows.length === 0
        ? null
        : { activeFrom, activeUntil, windows },
  };
}

function windowLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The form's field for a path of the contract; null for one that is not of the scope. */
export function scopeFieldAt(path: string): string | null {
  const found = /^(?:segment\.|schedule\.)?(\w+)(\.(?:from|to))?/.exec(path);
  const [, field = '', end = ''] = found ?? [];
  if (!Object.hasOwn(BLANK_SCOPE, field)) return null;
  const isRange = (FIGURE_SCOPES as readonly string[]).includes(field);
  // A message for a range as a whole is shown at its first end.
  return `scope.${field}${isRange ? end || '.from' : ''}`;
}

function setRange<End>(from: End | null, to: End | null): { from: End | null; to: End | null } | null {
  return from === null && to === null ? null : { from, to };
}

function figure(typed: string): string {
  return typed.replace(/[$,\s]/g, '');
}

/** NaN for an invalid number: the contract then returns the error. */
function countOrNull(typed: string): number | null {
  const text = figure(typed);
  return text === '' ? null : Number(text);
}
