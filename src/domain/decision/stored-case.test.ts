import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileFees } from '#domain/fees/compose-fees.ts';
import type { FeeSource } from '#domain/fees/fee-basis.ts';
import { type FeeSchedule, PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { type Rule, WITHOUT_SCOPE } from '#domain/rules/rule.ts';
import type { Bps } from '#domain/units.ts';
import { aListing, aPolicy, chosen } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { storiesWithLines } from '#tests/builders/line-stories.ts';
import { NOON } from '#tests/builders/rule-scopes.ts';
import { stories } from '#tests/builders/scenarios.ts';
import { explain } from './explain.ts';
import { NO_SIGNALS } from './facts.ts';
import { type DecisionCase, readStoredCase, type StoredCase, storeCase } from './stored-case.ts';

/** Cases stored in a former form, with their explanations at that time. */
const recorded = (form: 1 | 2 | 3 | 4) =>
  readFileSync(`tests/builders/stored-cases-form-${form}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({
      form,
      ...(JSON.parse(line) as { title: string; stored: unknown; explained: object }),
    }));
const RECORDED = [...recorded(1), ...recorded(2), ...recorded(3), ...recorded(4)];

/** As before readings of competitors were stored. */
const UNRECORDED = { readAt: null, coverage: 'unrecorded', ownPrices: [], featuredPrice: null } as const;

/** As stories were before fees on the total with tax and for each unit, and before band edges were avoided. */
const formerStories = stories.map((story) => {
  const bands = story.schedule.bands.map((band) => ({ ...band, ...PLAIN_BAND }));
  const schedule: FeeSchedule = { ...story.schedule, edgeBase: 'revenue', bands };
  return {
    ...story,
    schedule,
    facts: {
      ...story.facts,
      ...UNRECORDED,
      sendPause: null,
      marketplaceLimits: null,
      greatestDiscount: 0 as Bps,
      fees: compileFees(schedule, 0 as Bps),
    },
    policy: { ...story.policy, avoidBandEdges: false },
  };
});

law('a case that was stored as JSON has exactly the same explanation', stories, (story) => {
  expect(explainStored(storeCase(story))).toEqual(explain(story.facts, story.choice, story.policy));
});

law(
  'a case of a rule with lines that was stored as JSON has exactly the same explanation',
  storiesWithLines,
  (story) => {
    expect(explainStored(storeCase(story))).toEqual(explain(story.facts, story.choice, story.policy));
  },
);

law('a case that was stored in form 4 has exactly the same explanation', stories, (story) => {
  expect(explainStored(inForm4(storeCase(story)))).toEqual(explain(story.facts, story.choice, story.policy));
});

law('a case that was stored in form 3 has exactly the same explanation', stories, (story) => {
  const inForm3 = { ...inForm4(storeCase(story)), form: 3, facts: formerFacts(storeCase(story)) };
  const then = { ...story.facts, ...UNRECORDED, greatestDiscount: 0 as Bps };
  expect(explainStored(inForm3)).toEqual(explain(then, story.choice, story.policy));
});

law('a case that was stored in form 1 or 2 has exactly the same explanation', formerStories, (story) => {
  const now = explain(story.facts, story.choice, story.policy);
  const inForm2 = {
    ...inForm4(storeCase(story)),
    form: 2,
    facts: formerFacts(storeCase(story)),
    fees: formerSchedule(story.schedule),
  };
  expect(explainStored(inForm2)).toEqual(now);
  expect(explainStored(inForm1(storeCase(story)))).toEqual(now);
});

test.each(RECORDED)(
  'a row of form $form has the same explanation as when it was written: $title',
  ({ stored, explained }) => {
    const { decision, restEndsAt, trace } = explainStored(stored);
    expect({
      decision: [
        decision.kind,
        decision.price,
        decision.reason,
        decision.reviewReason,
        decision.bindingLimit,
        decision.marginFloor,
        decision.reference,
      ],
      restEndsAt,
      offers: trace.offers.map(({ status }) => status),
      steps: trace.steps.map(({ from, to }) => [from, to]),
      channelGap: trace.channelGap,
      margin: trace.margin,
    }).toEqual(explained);
  },
);

test('rows of form 1 have the names that the property maps', () => {
  const { stored } = RECORDED[0] as { stored: StoredCase };
  const again = inForm1(storeCase(readStoredCase(stored) as DecisionCase, stored.against));
  expect(JSON.parse(JSON.stringify(again))).toEqual(stored);
});

test('the time of the shop is stored where the lines of the rule ask for it', () => {
  const caseOf = (lines: string): DecisionCase => ({
    facts: aListing(),
    choice: chosen({ lines: parseLines(lines).lines }),
    policy: aPolicy({ local: NOON }),
  });
  const localAfter = (lines: string) =>
    readStoredCase(JSON.parse(JSON.stringify(storeCase(caseOf(lines)))))?.policy.local;
  expect(localAfter('hours 22 to 4: hold; otherwise: floor')).toEqual(NOON);
  expect(localAfter('otherwise: floor')).toBeNull();
});

test('a stored listing without an age, of an earlier release, is old enough for its lines', () => {
  const signals = { ...NO_SIGNALS, sold: { d1: 0, d7: 0, d30: 0 } };
  const lines = parseLines('no sale for 30 days: floor').lines;
  const stored = storeCase({ facts: aListing({ signals }), choice: chosen({ lines }), policy: aPolicy() });
  const { listedAt: _, ...former } = signals;
  const row = JSON.parse(JSON.stringify({ ...stored, facts: { ...stored.facts, signals: former } }));
  expect(explainStored(row).decision.line?.number).toBe(1);
  expect(explainStored(JSON.parse(JSON.stringify(stored))).decision.line?.number).toBe(0);
});

test('a stored rule without a scope, of an earlier release, is for every listing at any time', () => {
  const { choice } = storeCase({ facts: aListing(), choice: chosen(), policy: aPolicy() });
  const { segment: _, priority: __, schedule: ___, ...former } = choice.rule as object as Rule;
  const row = { ...storeCase({ facts: aListing(), choice: chosen(), policy: aPolicy() }) };
  const read = readStoredCase({ ...row, choice: { ...choice, rule: former } });
  expect(read?.choice.rule).toMatchObject(WITHOUT_SCOPE);
});

test('an invalid stored case, or one of a later form, is rejected', () => {
  for (const value of [null, undefined, 42, 'form', {}, { form: 6 }, []]) {
    expect(readStoredCase(value)).toBeNull();
  }
});

function explainStored(stored: unknown): ReturnType<typeof explain> {
  const read = readStoredCase(JSON.parse(JSON.stringify(stored)));
  if (read === null) throw new Error('It is no stored case.');
  return explain(read.facts, read.choice, read.policy);
}

function scheduleOf(source: FeeSource): FeeSchedule {
  if (source.kind !== 'schedule') throw new Error('Former forms have the schedule alone.');
  return source.schedule;
}

function formerSchedule({ marketplace, category, effectiveFrom, bandKind, bands }: FeeSchedule): object {
  const rows = bands.map(({ upTo, percent, fixed, minimum }) => ({ upTo, percent, fixed, minimum }));
  return { marketplace, category, effectiveFrom, bandKind, bands: rows };
}

/** The case in form 4. */
function inForm4(
  stored: StoredCase,
): Omit<StoredCase, 'form' | 'choice' | 'facts' | 'policy'> & { form: 4 } & object {
  const { facts, choice, policy } = stored;
  const { signals: _, ...sameFacts } = facts;
  const { local: __, otherOfferAges: _ages, ...samePolicy } = policy;
  const rule = choice.rule === null ? null : withoutLines(choice.rule);
  return { ...stored, form: 4, facts: sameFacts, choice: { ...choice, rule }, policy: samePolicy } as never;
}

function withoutLines(rule: NonNullable<StoredCase['choice']['rule']>) {
  const { lines: _, targetMargin: __, marketplaceTargets: ___, winShare: ____, ...rest } = rule;
  const { onlySameShipping: _____, ignoreUnderFloor: ______, ...scoped } = rest;
  const { segment: _______, priority: ________, schedule: _________, ...same } = scoped;
  return same;
}

/** The fields of form 1 and 2. */
function formerFacts({ facts }: StoredCase): object {
  const {
    readAt: _,
    coverage: __,
    ownPrices: ___,
    featuredPrice: ____,
    signals: _____,
    group: ______,
    greatestDiscount: _discount,
    ...former
  } = facts;
  return former;
}

/** The case in form 1. */
function inForm1({ facts, choice, policy, fees, ...same }: StoredCase): object {
  const {
    isMissing,
    isPriceUnverified,
    priceWarStreak,
    sendPause: _pause,
    marketplaceLimits: _limits,
    group: _group,
    greatestDiscount: _discount,
    ...latest
  } = facts;
  const {
    readAt: _at,
    coverage: _what,
    ownPrices: _own,
    featuredPrice: _price,
    signals: _signals,
    ...sameFacts
  } = latest;
  const { maxDailyChange, priceWarThreshold, priceWarPause, areOwnSellersKnown, mode, ...laterPolicy } =
    policy;
  const { avoidBandEdges: _, local: _local, otherOfferAges: _ages, ...samePolicy } = laterPolicy;
  return {
    ...same,
    form: 1,
    fees: fees === null ? null : formerSchedule(scheduleOf(fees.basis.source)),
    facts: { ...sameFacts, isGone: isMissing, isUnread: isPriceUnverified, lowered: priceWarStreak },
    choice: { ...choice, rule: choice.rule === null ? null : ruleInForm1(choice.rule) },
    policy: {
      ...samePolicy,
      maxDrift: maxDailyChange,
      warLimit: priceWarThreshold,
      warHold: priceWarPause,
      ownOffersKnown: areOwnSellersKnown,
      engine: { live: 'armed', recommend_only: 'observe', paused: 'paused', read_only: 'read_only' }[mode],
    },
  };
}

function ruleInForm1(rule: NonNullable<StoredCase['choice']['rule']>): object {
  const { requiresReview, ...same } = withoutLines(rule);
  return { ...same, askFirst: requiresReview };
}
