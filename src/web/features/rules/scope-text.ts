import type { RuleForm } from '#contract/rules.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { FIGURE_SCOPES, LABEL_SCOPES } from '#domain/rules/segment.ts';
import { formatMoney } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';

type Scope = Pick<RuleForm, 'marketplace' | 'fulfillmentType' | 'segment' | 'priority' | 'schedule'>;

const LABEL_WORDS = { brands: 'brand', categories: 'category', tags: 'tag', suppliers: 'supplier' } as const;
const RANGE_WORDS = {
  ownPrice: 'own price',
  cost: 'cost',
  listedDays: 'days since listing',
  stockAgeDays: 'days in stock',
  stock: 'stock',
} as const;

/**
 * Which listings a rule is for, when, and in which order, in one sentence.
 * @param zone in which its times count
 */
export function scopeText(scope: Scope, zone: string): string {
  const { marketplace, fulfillmentType, segment, priority } = scope;
  const kind = fulfillmentType === 'All' ? 'All listings' : `All ${fulfillmentType} listings`;
  const named = marketplace ? [marketplace] : (segment?.marketplaces ?? []);
  const parts = [
    `${kind} on ${named.length === 0 ? 'every marketplace' : anyOf(named.map(nameOf))}`,
    ...LABEL_SCOPES.flatMap((field) => {
      const labels = segment?.[field] ?? [];
      return labels.length === 0 ? [] : [`${LABEL_WORDS[field]} ${anyOf(labels)}`];
    }),
    ...FIGURE_SCOPES.flatMap((field) => {
      const shown = (end: string | number): string =>
        field === 'ownPrice' || field === 'cost' ? formatMoney(String(end)) : String(end);
      const text = rangeText(segment?.[field] ?? null, shown);
      return text === null ? [] : [`${RANGE_WORDS[field]} ${text}`];
    }),
    ...scheduleParts(scope.schedule ?? null, zone),
    ...(typeof priority === 'number' ? [`priority ${priority}`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** Whether more than its marketplace and fulfillment type say which listings, when, and in which order. */
export function isNarrowed(scope: Scope): boolean {
  const whole = { ...scope, segment: undefined, priority: null, schedule: null };
  return scopeText(scope, '') !== scopeText(whole, '');
}

type Range = { from?: string | number | null | undefined; to?: string | number | null | undefined };

function rangeText(range: Range | null, shown: (end: string | number) => string): string | null {
  const from = range?.from ?? null;
  const to = range?.to ?? null;
  if (from === null) return to === null ? null : `up to ${shown(to)}`;
  return to === null ? `${shown(from)} or more` : `${shown(from)} to ${shown(to)}`;
}

/** "from Nov 20, mon-fri 08:00-18:00 in America/New_York" */
function scheduleParts(schedule: NonNullable<Scope['schedule']> | null, zone: string): string[] {
  const { activeFrom, activeUntil, windows = [] } = schedule ?? {};
  const times = [
    ...(activeFrom ? [`from ${formatDay(activeFrom)}`] : []),
    ...(activeUntil ? [`until ${formatDay(activeUntil)}`] : []),
    ...(windows.length > 0 ? [windows.join(' and ')] : []),
  ];
  return times.length === 0 ? [] : [`${times.join(', ')} in ${zone}`];
}

function nameOf(marketplace: Marketplace): string {
  return MARKETPLACE_NAMES[marketplace];
}

/** "Acme, Bluebird or 4 more" */
function anyOf(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}
