import { decimalFromCents } from '#domain/decimal.ts';
import type { Span } from '#domain/lines/line.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { MAX_PRIORITY, type ScopeTerms } from '#domain/rules/rule.ts';
import {
  MAX_WINDOWS,
  parseWindow,
  type Schedule,
  type ScheduleWindow,
  WINDOW_EXAMPLE,
  windowText,
} from '#domain/rules/schedule.ts';
import {
  FIGURE_SCOPES,
  type FigureScope,
  LABEL_SCOPES,
  type LabelScope,
  MAX_SCOPE_LABEL,
  MAX_SCOPE_LABELS,
} from '#domain/rules/segment.ts';
import type { Cents } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { MARKETPLACE_KEYWORDS } from './keywords.ts';
import { momentFrom } from './timestamps.ts';

/** The columns of each range of a segment. */
const RANGE_COLUMNS = {
  ownPrice: ['ownPriceFrom', 'ownPriceTo'],
  cost: ['costFrom', 'costTo'],
  listedDays: ['listedDaysFrom', 'listedDaysTo'],
  stockAgeDays: ['stockAgeFrom', 'stockAgeTo'],
  stock: ['stockFrom', 'stockTo'],
} as const satisfies Record<FigureScope, readonly [string, string]>;

/** The columns of the rules file that say which listings a rule is for, when, and in which order. */
export const SCOPE_COLUMNS = [
  'priority',
  ...LABEL_SCOPES,
  ...FIGURE_SCOPES.flatMap((field) => RANGE_COLUMNS[field]),
  'activeFrom',
  'activeUntil',
  'windows',
] as const;
export type ScopeColumn = (typeof SCOPE_COLUMNS)[number] | 'marketplace';

/** Between the values of one cell. */
const SEPARATOR = '|';

/** What a row says about the listings of its rule. Null in `marketplace`: those of the segment, or all. */
export type ScopeRow = ScopeTerms & { readonly marketplace: Marketplace | null };

/** Reads the columns of the current row; what cannot be read is reported, and wider than it was meant. */
export function readScope(cells: Cells<ScopeColumn>): ScopeRow {
  const named = readMarketplaces(cells);
  const isOne = named.length === 1;
  return {
    marketplace: isOne ? (named[0] as Marketplace) : null,
    priority: readPriority(cells),
    segment: {
      marketplaces: isOne || named.length === MARKETPLACES.length ? [] : named,
      brands: readLabels(cells, 'brands'),
      categories: readLabels(cells, 'categories'),
      tags: readLabels(cells, 'tags'),
      suppliers: readLabels(cells, 'suppliers'),
      ownPrice: readRange<Cents>(cells, 'ownPrice', (name) => cells.amount(name)),
      cost: readRange<Cents>(cells, 'cost', (name) => cells.amount(name)),
      listedDays: readRange(cells, 'listedDays', (name) => cells.count(name)),
      stockAgeDays: readRange(cells, 'stockAgeDays', (name) => cells.count(name)),
      stock: readRange(cells, 'stock', (name) => cells.count(name)),
    },
    schedule: readSchedule(cells),
  };
}

/** The cells of a rule, which read back as the same. */
export function scopeCells({
  marketplace,
  segment,
  priority,
  schedule,
}: ScopeRow): Record<ScopeColumn, string | null> {
  const ranges = FIGURE_SCOPES.flatMap((field) => {
    const isMoney = field === 'ownPrice' || field === 'cost';
    const text = (end: number | null | undefined): string | null =>
      end == null ? null : isMoney ? decimalFromCents(end as Cents) : String(end);
    const [from, to] = RANGE_COLUMNS[field];
    const span: Span | null = segment[field];
    return [
      [from, text(span?.min)],
      [to, text(span?.max)],
    ];
  });
  const labels = LABEL_SCOPES.map((field) => [field, segment[field].join(SEPARATOR) || null]);
  return {
    marketplace: marketplace ?? (segment.marketplaces.join(SEPARATOR) || null),
    priority: priority === null ? null : String(priority),
    ...(Object.fromEntries([...labels, ...ranges]) as Record<
      LabelScope | (typeof RANGE_COLUMNS)[FigureScope][number],
      string | null
    >),
    activeFrom: schedule?.activeFrom ?? null,
    activeUntil: schedule?.activeUntil ?? null,
    windows: schedule?.windows.map(windowText).join(SEPARATOR) || null,
  };
}

function partsOf(cells: Cells<ScopeColumn>, name: ScopeColumn): string[] {
  const parts = (cells.text(name) ?? '').split(SEPARATOR).map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function readMarketplaces(cells: Cells<ScopeColumn>): Marketplace[] {
  const named = partsOf(cells, 'marketplace').map((part) => MARKETPLACE_KEYWORDS.findText(part));
  if (named.includes(null)) {
    cells.reject('marketplace', 'is not a known word here', MARKETPLACE_KEYWORDS.fix);
    return [];
  }
  return MARKETPLACES.filter((marketplace) => named.includes(marketplace));
}

function readPriority(cells: Cells<ScopeColumn>): number | null {
  const priority = cells.count('priority');
  if (priority === null || (priority >= 1 && priority <= MAX_PRIORITY)) return priority;
  cells.reject('priority', `is not from 1 to ${MAX_PRIORITY}`, 'Leave it blank for no priority.');
  return null;
}

function readLabels(cells: Cells<ScopeColumn>, name: LabelScope): string[] {
  const labels = [...new Set(partsOf(cells, name))];
  if (labels.length > MAX_SCOPE_LABELS) {
    cells.reject(name, `has more than ${MAX_SCOPE_LABELS} values`, 'Use two rules.');
    return [];
  }
  if (labels.every((label) => label.length <= MAX_SCOPE_LABEL)) return labels;
  const fix = `Shorten it, or put ${SEPARATOR} between values.`;
  cells.reject(name, `has a value longer than ${MAX_SCOPE_LABEL} characters`, fix);
  return [];
}

function readRange<Unit extends number>(
  cells: Cells<ScopeColumn>,
  field: FigureScope,
  read: (name: ScopeColumn) => Unit | null,
): Span<Unit> | null {
  const [from, to] = RANGE_COLUMNS[field];
  const [min, max] = [read(from), read(to)];
  if (min === null && max === null) return null;
  if (min === null || max === null || min <= max) return { min, max };
  cells.reject(to, `is below ${from}`, 'Swap the two values.');
  return null;
}

function readSchedule(cells: Cells<ScopeColumn>): Schedule | null {
  const [activeFrom, activeUntil] = [readDay(cells, 'activeFrom'), readDay(cells, 'activeUntil')];
  const windows = readWindows(cells);
  if (activeFrom !== null && activeUntil !== null && activeFrom >= activeUntil) {
    cells.reject('activeUntil', 'is not after activeFrom', 'It is the first day without the rule.');
  }
  if (activeFrom === null && activeUntil === null && windows.length === 0) return null;
  return { activeFrom, activeUntil, windows };
}

function readDay(cells: Cells<ScopeColumn>, name: 'activeFrom' | 'activeUntil'): string | null {
  const text = cells.text(name);
  if (text === null || (/^20\d\d-\d\d-\d\d$/.test(text) && momentFrom(text) !== null)) return text;
  cells.reject(name, 'is not a day', 'Write it as 2026-11-20.');
  return null;
}

function readWindows(cells: Cells<ScopeColumn>): ScheduleWindow[] {
  const parts = partsOf(cells, 'windows');
  const windows = parts.flatMap((part) => parseWindow(part) ?? []);
  const fix = `Write days and times such as ${WINDOW_EXAMPLE}, with ${SEPARATOR} between windows.`;
  if (windows.length < parts.length) cells.reject('windows', 'is not understood', fix);
  else if (windows.length > MAX_WINDOWS) {
    cells.reject('windows', `has more than ${MAX_WINDOWS} windows`, 'Leave some out.');
  }
  return windows;
}
