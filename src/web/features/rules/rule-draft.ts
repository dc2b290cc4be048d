import type { FieldErrors, FieldPath, Resolver } from 'react-hook-form';
import { type Rule, RuleFields, type RuleForm } from '#contract/rules.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import { RULE_TEMPLATES, type RuleTemplate } from '#domain/lines/templates.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { BelowFloor, NoCompetitor, RuleFulfillment, Strategy } from '#domain/rules/rule.ts';
import { shortPercent } from '#web/lib/format.ts';
import { BLANK_SCOPE, type ScopeDraft, scopeDraftOf, scopeFieldAt, scopeFormOf } from './scope-draft.ts';

/** The form as typed: text everywhere, "" for nothing. Same names as the contract, so that errors map to fields. */
export interface RuleDraft {
  name: string;
  marketplace: Marketplace | '';
  fulfillmentType: RuleFulfillment;
  strategy: Strategy;
  minimumMargin: string;
  competitorOffset: string;
  marketplaceMargins: Partial<Record<Marketplace, string>>;
  isActive: boolean;
  requiresReview: boolean;
  noCompetitor: NoCompetitor;
  belowFloor: BelowFloor;
  otherChannels: boolean;
  refuseCrossChannel: boolean;
  filter: {
    minRating: string;
    minRatingCount: string;
    maxHandlingDays: string;
    /** One seller per line. */
    ignoreSellers: string;
    fulfillmentType: FulfillmentType | '';
  };
  /** What decides. The lines are kept while the strategy does, and are then not saved. */
  way: 'strategy' | 'lines';
  /** As text, one line each. */
  lines: string;
  targetMargin: string;
  marketplaceTargets: Partial<Record<Marketplace, string>>;
  winShare: string;
  /** Null: as for a new rule, which is only without lines. */
  onlySameShipping: boolean | null;
  ignoreUnderFloor: string;
  scope: ScopeDraft;
}

export const BLANK_DRAFT: RuleDraft = {
  name: '',
  marketplace: '',
  fulfillmentType: 'All',
  strategy: 'Match Competitor',
  minimumMargin: '',
  competitorOffset: '',
  marketplaceMargins: {},
  isActive: true,
  requiresReview: false,
  noCompetitor: 'keep',
  belowFloor: 'floor',
  otherChannels: false,
  refuseCrossChannel: false,
  filter: { minRating: '', minRatingCount: '', maxHandlingDays: '', ignoreSellers: '', fulfillmentType: '' },
  way: 'strategy',
  lines: '',
  targetMargin: '',
  marketplaceTargets: {},
  winShare: '50',
  onlySameShipping: null,
  ignoreUnderFloor: '',
  scope: BLANK_SCOPE,
};

/** Margins of a template until the user sets others, in percent. */
const TARGET_MARGIN = '35';
const MINIMUM_MARGIN = '15';

/** A draft with the lines of a template, which decide with the terms of a new rule: those typed for others could stop one of them. */
export function withTemplate(draft: RuleDraft, { name, lines }: RuleTemplate): RuleDraft {
  const read = parseLines(lines).lines;
  const { winShare, onlySameShipping, ignoreUnderFloor } = BLANK_DRAFT;
  return {
    ...draft,
    winShare,
    onlySameShipping,
    ignoreUnderFloor,
    name: draft.name || name,
    way: 'lines',
    lines: read === null ? lines : printLines(read),
    targetMargin: draft.targetMargin || TARGET_MARGIN,
    minimumMargin: draft.minimumMargin || MINIMUM_MARGIN,
  };
}

const [RECOMMENDED] = RULE_TEMPLATES;

/** What a first rule can start from, the recommended one first. The key is in the address. */
export const STARTS = {
  recommended: {
    title: RECOMMENDED.name,
    text: RECOMMENDED.summary,
    draft: withTemplate(BLANK_DRAFT, RECOMMENDED),
  },
  beat: {
    title: 'Beat the lowest competitor, keep 15%',
    text: '$0.01 below the lowest offer, never below a 15% margin.',
    draft: {
      name: 'Beat the lowest competitor',
      strategy: 'Beat Competitor',
      minimumMargin: '15',
      competitorOffset: '0.01',
    },
  },
  fixed: {
    title: 'Keep a fixed margin',
    text: 'Always the lowest price that keeps a 20% margin. Needs no competitor data.',
    draft: { name: 'Keep 20%', strategy: 'Fixed Margin', minimumMargin: '20' },
  },
} as const satisfies Record<string, { title: string; text: string; draft: Partial<RuleDraft> }>;
export type Start = keyof typeof STARTS;

/** The form for a new rule. @param start from the address; an unknown one is blank */
export function newDraft(start: unknown): RuleDraft {
  const isKnown = typeof start === 'string' && Object.hasOwn(STARTS, start);
  return { ...BLANK_DRAFT, ...(isKnown ? STARTS[start as Start].draft : {}) };
}

/** The form for a stored rule. */
export function draftOf(rule: Rule): RuleDraft {
  const {
    name,
    fulfillmentType,
    strategy,
    isActive,
    requiresReview,
    noCompetitor,
    belowFloor,
    otherChannels,
  } = rule;
  const { filter, marketplace, refuseCrossChannel } = rule;
  // A rule for one marketplace has one margin: the effective one there.
  const single = marketplace === null ? undefined : rule.marketplaceMargins[marketplace];
  return {
    name,
    fulfillmentType,
    strategy,
    isActive,
    requiresReview,
    noCompetitor,
    belowFloor,
    otherChannels,
    refuseCrossChannel,
    marketplace: marketplace ?? '',
    minimumMargin: shortPercent(single ?? rule.minimumMargin),
    competitorOffset: rule.competitorOffset ?? '',
    marketplaceMargins: shortPercents(rule.marketplaceMargins),
    way: rule.lines === null ? 'strategy' : 'lines',
    lines: rule.lines ?? '',
    targetMargin: rule.targetMargin === null ? '' : shortPercent(rule.targetMargin),
    marketplaceTargets: shortPercents(rule.marketplaceTargets),
    winShare: shortPercent(rule.winShare),
    onlySameShipping: rule.onlySameShipping === (rule.lines === null) ? null : rule.onlySameShipping,
    ignoreUnderFloor: rule.ignoreUnderFloor === null ? '' : shortPercent(rule.ignoreUnderFloor),
    scope: scopeDraftOf(rule),
    filter: {
      minRating: filter.minRating === null ? '' : shortPercent(filter.minRating),
      minRatingCount: filter.minRatingCount === null ? '' : String(filter.minRatingCount),
      maxHandlingDays: filter.maxHandlingDays === null ? '' : String(filter.maxHandlingDays),
      ignoreSellers: filter.ignoreSellers.join('\n'),
      fulfillmentType: filter.fulfillmentType ?? '',
    },
  };
}

/** The request body. A blank margin is 0, as specified; other blanks are "not set". */
export function formOf(draft: RuleDraft): RuleForm {
  const { name, marketplace, fulfillmentType, strategy, isActive, requiresReview, noCompetitor } = draft;
  const { belowFloor, otherChannels, refuseCrossChannel, filter } = draft;
  return {
    name: name.trim(),
    fulfillmentType,
    strategy,
    isActive,
    requiresReview,
    noCompetitor,
    belowFloor,
    otherChannels,
    refuseCrossChannel,
    marketplace: marketplace === '' ? null : marketplace,
    minimumMargin: plain(draft.minimumMargin) || '0',
    competitorOffset: strategy === 'Fixed Margin' ? null : plain(draft.competitorOffset) || null,
    marketplaceMargins: marketplace === '' ? marginsOf(draft.marketplaceMargins) : {},
    lines: draft.way === 'lines' ? draft.lines.trim() || null : null,
    targetMargin: plain(draft.targetMargin) || null,
    marketplaceTargets: marginsOf(draft.marketplaceTargets),
    winShare: plain(draft.winShare) || '50',
    ...(draft.onlySameShipping !== null && { onlySameShipping: draft.onlySameShipping }),
    ignoreUnderFloor: plain(draft.ignoreUnderFloor) || null,
    ...scopeFormOf(draft.scope, marketplace),
    filter: {
      minRating: plain(filter.minRating) || null,
      minRatingCount: countOrNull(filter.minRatingCount),
      maxHandlingDays: countOrNull(filter.maxHandlingDays),
      ignoreSellers: filter.ignoreSellers
        .split('\n')
        .map((seller) => seller.trim())
        .filter((seller) => seller !== ''),
      fulfillmentType: filter.fulfillmentType === '' ? null : filter.fulfillmentType,
    },
  };
}

/** Validates the form against the contract; each error belongs to its field. */
export const resolveDraft: Resolver<RuleDraft> = (draft) => {
  if (draft.way === 'lines' && draft.lines.trim() === '')
    return { values: {}, errors: errorsAt([['lines', 'Write a line, or let the strategy decide']]) };
  const read = RuleFields.safeParse(formOf(draft));
  if (read.success) return { values: draft, errors: {} };
  const messages: [string, string][] = read.error.issues.map((issue) => [
    issue.path.join('.'),
    issue.message,
  ]);
  return { values: {}, errors: errorsAt(messages) };
};

/** The form's field for a path of the contract. */
export function fieldAt(path: string): FieldPath<RuleDraft> {
  const ofScope = scopeFieldAt(path);
  // The rule's own marketplace is a field of the form.
  if (ofScope !== null) return ofScope as FieldPath<RuleDraft>;
  // "filter.ignoreSellers.0" is one line of a field.
  return path.replace(/^(filter\.ignoreSellers).*/, '$1') as FieldPath<RuleDraft>;
}

type ErrorNode = { [name: string]: ErrorNode | string };

function errorsAt(messages: readonly [string, string][]): FieldErrors<RuleDraft> {
  const errors: ErrorNode = {};
  for (const [path, message] of messages) {
    const names = fieldAt(path).split('.');
    let node = errors;
    for (const name of names.slice(0, -1)) {
      node[name] ??= {};
      node = node[name] as ErrorNode;
    }
    node[names.at(-1) ?? ''] ??= { type: 'contract', message };
  }
  return errors as FieldErrors<RuleDraft>;
}

function shortPercents(margins: Partial<Record<Marketplace, string>>): Partial<Record<Marketplace, string>> {
  return Object.fromEntries(
    Object.entries(margins).map(([channel, margin]) => [channel, shortPercent(margin)]),
  );
}

function marginsOf(margins: Partial<Record<Marketplace, string>>): Partial<Record<Marketplace, string>> {
  const set = Object.entries(margins).map(([channel, margin]) => [channel, plain(margin ?? '')]);
  return Object.fromEntries(set.filter(([, margin]) => margin !== ''));
}

/** "$1,204.50", "+0.10", "15 %" and a typographic minus in the contract's form. */
function plain(typed: string): string {
  return typed
    .replace(/[$%,\s]/g, '')
    .replace('\u2212', '-')
    .replace(/^\+/, '');
}

/** NaN for an invalid number: the contract then returns the error. */
function countOrNull(typed: string): number | null {
  const text = plain(typed);
  return text === '' ? null : Number(text);
}
