import type { ChangeFilter } from '#contract/undo-changes.ts';
import type { Db } from '#db/client.ts';
import { findRuleName } from '#db/queries/repricing/rules.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { instant } from '#domain/units.ts';
import { minute } from '#usecases/repricing/pricing/api-values.ts';

/** Origin of the changes, where the set has one source. */
const BY = {
  ours: null,
  repricing: 'made automatically or applied from recommendations',
  rule: 'made automatically',
  person: 'set manually',
  apply: 'applied from recommendations',
  undo: 'made by undo',
  repair: 'made by repairs',
  import: 'made by imports',
  observed: 'made on the marketplace',
} as const satisfies Record<NonNullable<ChangeFilter['source']>, string | null>;

/**
 * Describes a set of price changes, for the reason of each undone price: "the changes of runs on 2026-11-21 by the rule
 * Match Walmart on Walmart". Contains every part of the filter.
 */
export async function changeSetText(db: Db, filter: ChangeFilter): Promise<string> {
  const { ofRuns, days, run, rule, marketplace, source, changedBy, q, listing } = filter;
  const parts = [
    'the changes',
    ofRuns === undefined ? null : 'of runs',
    source === undefined ? null : BY[source],
    timeText(filter),
    days === undefined ? null : `of the last ${days} days`,
    run === undefined ? null : `of run ${run}`,
    rule === undefined ? null : await ruleText(db, rule),
    marketplace === undefined ? null : `on ${MARKETPLACE_NAMES[marketplace]}`,
    changedBy ? `by "${changedBy}"` : null,
    q ? `of listings with "${q}"` : null,
    listing === undefined ? null : 'of this listing',
  ];
  return parts.filter((part) => part !== null).join(' ');
}

/** Days are in the given time zone; times are in UTC. */
function timeText({ from, to, zone, since, until }: ChangeFilter): string | null {
  const words = [dayText(from, to, zone), timestampText(since, until)].filter((part) => part !== null);
  return words.length === 0 ? null : words.join(' ');
}

function dayText(from: string | undefined, to: string | undefined, zone: string): string | null {
  const where = zone === 'UTC' ? '' : ` (${zone})`;
  if (from === undefined) return to === undefined ? null : `up to ${to}${where}`;
  if (to === undefined) return `since ${from}${where}`;
  return from === to ? `on ${from}${where}` : `from ${from} to ${to}${where}`;
}

function timestampText(since: string | undefined, until: string | undefined): string | null {
  const at = (moment: string): string => minute(instant(Date.parse(moment)));
  if (since === undefined) return until === undefined ? null : `before ${at(until)}`;
  return until === undefined ? `since ${at(since)}` : `from ${at(since)} to ${at(until)}`;
}

async function ruleText(db: Db, rule: string): Promise<string> {
  if (rule === 'none') return 'made manually';
  const name = await findRuleName(db, Number(rule));
  return name === null ? `by rule ${rule}` : `by the rule "${name}"`;
}
