import { type Rule, STRATEGIES, WITHOUT_LINES, WITHOUT_SCOPE } from '#domain/rules/rule.ts';
import type { Bps } from '#domain/units.ts';
import { count, listOf, type Members, objectOf, oneOf, signedAmount, text } from './json-members.ts';
import { periods } from './policy-observation.ts';
import type { PolicyState } from './policy-state.ts';

/** What the command remembers of a listing between its observations. */
export interface Remembered {
  readonly state: PolicyState;
  /** Units, as the observations reported them. */
  readonly sold: number;
}

/** A run that a simulator began with a line `{"init": {...}}`: the command remembers, not the simulator. */
export interface PolicySession {
  /** The strategy that decides without a rules file; its minimum margin comes with each observation. */
  readonly rule: Rule;
  /** Members that observations of a listing need not repeat. */
  membersOf(listingId: unknown): object;
  readonly remembered: Map<string, Remembered>;
}

/** @throws MemberError naming the member that cannot be read */
export function sessionOf(init: Members): PolicySession {
  const periodsPerDay = init.find('periodsPerDay', periods);
  const listings = new Map(init.find('listings', listOf(objectOf(listingOf))) ?? []);
  const strategy = init.find('strategy', oneOf(STRATEGIES)) ?? 'Dynamic Pricing';
  // Nothing is drawn at random yet; a seed that is none is a mistake all the same.
  init.find('seed', count);
  return {
    rule: { ...PLAIN_RULE, name: strategy, strategy, competitorOffset: init.find('offset', signedAmount) },
    membersOf: (listingId) => ({
      ...(periodsPerDay === null ? {} : { periodsPerDay }),
      ...(typeof listingId === 'string' ? listings.get(listingId) : {}),
    }),
    remembered: new Map(),
  };
}

function listingOf(members: Members): [string, object] {
  const known = ['marketplace', 'fulfilment', 'fulfillment'] as const;
  const written = known.flatMap((name) => (members.has(name) ? [[name, members.get(name, text)]] : []));
  return [members.get('id', text), Object.fromEntries(written)];
}

const PLAIN_RULE: Rule = {
  id: 'init',
  name: '',
  marketplace: null,
  fulfillmentType: 'All',
  strategy: 'Dynamic Pricing',
  minimumMargin: 0 as Bps,
  marketplaceMargins: {},
  competitorOffset: null,
  isActive: true,
  requiresReview: false,
  noCompetitor: 'keep',
  belowFloor: 'floor',
  otherChannels: false,
  refuseCrossChannel: false,
  filter: null,
  order: 1,
  ...WITHOUT_LINES,
  ...WITHOUT_SCOPE,
};
