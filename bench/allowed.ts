/**
 * Whether every price of a rule with lines is allowed, and every change within the move range: millions of decisions
 * against a second calculation that shares no code with the engine (`tests/builders/quick-oracle.ts`).
 *
 *   npm run proof:allowed                               10,000,000 decisions
 *   npm run proof:allowed -- --decisions 100000 --seed 2
 *
 * Listings, rules and limits are the random ones of the tests; each decision combines parts of three and moves the
 * current price, so that none is decided twice. Exit code 1 where a price is not allowed, or too few decisions were
 * changes by lines to prove anything.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { decide } from '#domain/decision/decide.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import type { Cents } from '#domain/units.ts';
import { storiesWithLines } from '#tests/builders/line-stories.ts';
import { isWithinReach } from '#tests/builders/oracle.ts';
import { intervalsOf, isAllowedQuickly } from '#tests/builders/quick-oracle.ts';
import { type Story, termsOf } from '#tests/builders/scenarios.ts';
import { seeded } from './seeded.ts';

const { values } = parseArgs({
  options: {
    decisions: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '1' },
  },
});
const decisions = Number(values.decisions);
const seed = Number(values.seed);
if (!Number.isInteger(decisions) || decisions < 1 || !Number.isInteger(seed)) {
  console.error('--decisions is a whole number from 1, --seed one of any size.');
  process.exit(2);
}

/** How many stories are drawn; their parts are combined. */
const STORIES = Math.min(10_000, Math.max(500, Math.ceil(decisions / 100)));
/** Of the decisions at least these many in a hundred have to be changes by lines. */
const LEAST_CHANGES = 10;

const stories = fc.sample(storiesWithLines, { seed, numRuns: STORIES }).map((story) => ({
  ...story,
  intervals: intervalsOf(story.schedule),
}));
const random = seeded(seed);
const counts = { changes: 0, byLines: 0, repairs: 0, recommended: 0, kept: 0, blocked: 0 };

for (let made = 0; made < decisions; made += 1) {
  const listing = one();
  const rules = one();
  const { policy } = one();
  const choice = choiceOf(rules.choice, one().choice);
  const facts = movedFacts(listing.facts, rules.facts);
  const decision = decide(facts, choice, policy);
  if (decision.kind === 'blocked') counts.blocked += 1;
  else if (decision.kind === 'keep') counts.kept += 1;
  else {
    const story: Story = { facts, choice, policy, schedule: listing.schedule };
    const terms = termsOf(story);
    const isWithin =
      decision.kind === 'recommend' ||
      isWithinReach(decision.price, facts.currentPrice ?? 0, facts.priceDayAgo, policy);
    if (terms === null || !isWithin || !isAllowedQuickly(decision.price, terms, listing.intervals)) {
      console.error(
        `Decision ${made + 1} of seed ${seed} is wrong: ${JSON.stringify({ decision, ...story })}`,
      );
      process.exit(1);
    }
    if (decision.kind === 'recommend') counts.recommended += 1;
    else counts.changes += 1;
    if (decision.reason === 'repair') counts.repairs += 1;
    else if (decision.kind === 'change') counts.byLines += 1;
  }
}

console.log(
  `${decisions} decisions, seed ${seed}: ${counts.changes} changes, ${counts.byLines} of them by a line; ` +
    `${counts.recommended} recommended; ${counts.repairs} of both correct a price that is not allowed; ` +
    `${counts.kept} kept; ${counts.blocked} blocked. Every price was allowed and within reach.`,
);
if (counts.byLines * 100 < decisions * LEAST_CHANGES) {
  console.error(`Less than ${LEAST_CHANGES} in 100 decisions were changes by lines: this proves too little.`);
  process.exit(1);
}

function one(): (typeof stories)[number] {
  return stories[random.whole(0, stories.length - 1)] as (typeof stories)[number];
}

/** The lines of one rule with the minimum margin of another one. */
function choiceOf(choice: RuleChoice, other: RuleChoice): RuleChoice {
  if (choice.rule === null || choice.minimumMargin === null || other.minimumMargin === null) return choice;
  return { ...choice, minimumMargin: other.minimumMargin };
}

/** A listing at another price, with what lines remember of another one. */
function movedFacts(facts: ListingFacts, { signals }: ListingFacts): ListingFacts {
  const current = facts.currentPrice ?? 1;
  const near = (low: number, high: number): Cents =>
    Math.max(1, Math.round(current * (low + (high - low) * random.fraction()))) as Cents;
  return {
    ...facts,
    currentPrice: near(0.75, 1.25),
    priceDayAgo: random.chance(0.4) ? near(0.7, 1.3) : null,
    signals,
  };
}
