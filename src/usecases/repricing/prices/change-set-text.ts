import type { ChangeFilter } from '#contract/undo-changes.ts';
import type { Db } from '#db/client.ts';
import { findRuleName } from '#db/queries/repricing/rules.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { instant } from '#domain/units.ts';
import { minute } from '#usecases/repricing/explanations/api-values.ts';

/** Whose changes they are, where the set is of one source. */
const BY = {
  ours: null,
  rule: 'made automatically',
  person: 'set manually',
  apply: 'applied from recommendations',
  undo: 'made by undo',
  import: 'made by imports',
  observed: 'made on the marketplace',
} as const satisfies Record<NonNullable<ChangeFilter['source']>, string | null>;

/**
 * Which set of price changes it is, so that the reason of each price that goes back tells one set from another: "the changes
 * of runs on 2026-11-21 by the rule Match Walmart on Walmart". Every part of the filter is in it.
 */
export async function setWords(db: Db, filter: ChangeFilter): Promise<string> {
  const { ofRuns, days, run, rule, marketplace, source, changedBy, q, listing } = filter;
  const parts = [
    'the changes',
    ofRuns === undefined ? null : 'of runs',
    source === undefined ? null : BY[source],
    timeWords(filter),
    days === undefined ? null : `of the last ${days} days`,
    run === undefined ? null : `of run ${run}`,
    rule === undefined ? null : await ruleWords(db, rule),
    marketplace === undefined ? null : `on ${MARKETPLACE_NAMES[marketplace]}`,
    changedBy ? `by "${changedBy}"` : null,
    q ? `of listings with "${q}"` : null,
    listing === undefined ? null : 'of this listing',
  ];
  return parts.filter((part) => part !== null).join(' ');
}

/** Days are those of the zone; moments are in UTC. */
function timeWords({ from, to, zone, since, until }: ChangeFilter): string | null {
  const words = [dayWords(from, to, zone), momentWords(since, until)].filter((part) => part !== null);
  return words.length === 0 ? null : words.join(' ');
}

function dayWords(from: string | undefined, to: string | undefined, zone: string): string | null {
  const where = zone === 'UTC' ? '' : ` (${zone})`;
  if (from === undefined) return to === undefined ? null : `up to ${to}${where}`;
  if (to === undefined) return `since ${from}${where}`;
  return from === to ? `on ${from}${where}` : `from ${from} to ${to}${where}`;
}

function momentWords(since: string | undefined, until: string | undefined): string | null {
  const at = (moment: string): string => minute(instant(Date.parse(moment)));
  if (since === undefined) return until === undefined ? null : `before ${at(until)}`;
  return until === undefined ? `since ${at(since)}` : `from ${at(since)} to ${at(until)}`;
}

async function ruleWords(db: Db, rule: string): Promise<string> {
  if (rule === 'none') return 'made manually';
  const name = await findRuleName(db, Number(rule));
  return name === null ? `by rule ${rule}` : `by the rule "${name}"`;
}
