import { parseArgs } from 'node:util';
import { decide } from '#domain/decision/decide.ts';
import { explain } from '#domain/decision/explain.ts';
import { type Comparable, comparableAmong } from './comparable.ts';
import { type DecideCase, decideCases, lineCases } from './decide-cases.ts';
import { jsonRulesPeer } from './json-rules-engine-peer.ts';
import { type Candidate, type Rates, spreadOf, takeTurns, type Work } from './rounds.ts';
import { manyRules, ruleQuestions } from './rule-choice-cases.ts';
import { type Goal, type Line, printTable, ratioLine } from './table.ts';
import { zenExpressionPrice, zenPeer } from './zen-peer.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    listings: { type: 'string', default: '4000' },
    /** Compare the answers, measure nothing. */
    check: { type: 'boolean', default: false },
  },
});

/** How many decisions ZEN is handed at a time: the best of 1, 16, 64 and 256 when this was written. */
const AT_A_TIME = 64;

/** As many as are decided together, their facts read a moment before: they fit into a core's own cache. */
const BATCH = 1_000;

/** The rules with lines that are measured: the templates that are recommended, or were the first. */
const TEMPLATES = ['Back up at night', 'Win and hold', 'Win and climb'] as const;

/** For the first lines of the result, in their order: the engine alone, before the lines that are compared. */
const GOALS: readonly (Goal | null)[] = [
  { atLeast: 3_000_000 },
  { atLeast: 500_000 },
  null,
  ...TEMPLATES.map(() => ({ atLeast: 2_000_000 })),
  { atLeast: 400_000 },
  { atLeast: 1_000_000 },
];

/**
 * What json-rules-engine made a second on the machine that these goals are meant for: the 4,062,002
 * decisions of version 1.3.0 were 98 times as many.
 */
const PEER_THERE = 41_000;

const jsonRules = jsonRulesPeer();
const zen = zenPeer();
const cases = decideCases(Number(values.listings));
const book = manyRules();
const requested = ruleQuestions(BATCH);
const comparable = comparableAmong(cases);
await expectSamePrices(comparable);
console.log(`All engines reach the same price on ${comparable.length} of ${cases.length} listings.`);
if (!values.check) printRates(await takeTurns(candidates(), Number(values.rounds)));
zen.close();

async function expectSamePrices(questions: readonly Comparable[]): Promise<void> {
  if (questions.length === 0) throw new Error('No listing can be compared: nothing would be measured.');
  for (const { question, listing } of questions) {
    const ours = priceOf(question);
    const theirs = {
      jsonRules: await jsonRules(listing),
      zen: await zen.price(listing),
      zenExpression: zenExpressionPrice(listing),
    };
    if (Object.values(theirs).some((price) => price !== ours)) {
      throw new Error(
        `Different prices: decide ${ours}, ${JSON.stringify(theirs)} for ${JSON.stringify(listing)}`,
      );
    }
  }
}

/** The order of the lines in the result, and of the turns. */
function candidates(): Candidate[] {
  const questions = comparable.map(({ question }) => question);
  const listings = comparable.map(({ listing }) => listing);
  const batch = cases.slice(0, BATCH);
  const expected = sumOf(questions);
  return [
    {
      name: `decide(), batches of ${batch.length}`,
      expected: sumOf(batch) * 500,
      run: () => decideAll(batch, 500),
    },
    {
      name: `explain(), batches of ${batch.length}`,
      expected: sumOf(batch) * 120,
      run: () => explainAll(batch, 120),
    },
    {
      name: `decide(), all ${cases.length} in turn`,
      expected: sumOf(cases) * 125,
      run: () => decideAll(cases, 125),
    },
    ...TEMPLATES.map((template): Candidate => {
      const byLines = lineCases(template, batch.length);
      return {
        name: `decide(), lines of ${template}, batches of ${byLines.length}`,
        expected: sumOf(byLines) * 500,
        run: () => decideAll(byLines, 500),
      };
    }),
    explainedLines(batch.length),
    {
      name: 'choice among 200 rules',
      expected: chooseAll(1).sum * 300,
      run: () => chooseAll(300),
    },
    {
      name: 'decide(), comparable listings',
      expected: expected * 250,
      run: () => decideAll(questions, 250),
    },
    { name: 'json-rules-engine 7.3.1', expected, run: () => oneByOne(listings, jsonRules) },
    { name: `ZEN 0.54.0, decision, ${AT_A_TIME} at a time`, expected, run: () => zenBatches() },
    { name: 'ZEN 0.54.0, one expression', expected, run: () => oneByOne(listings, zenExpressionPrice) },
  ];
}

function explainedLines(count: number): Candidate {
  const [, template] = TEMPLATES;
  const byLines = lineCases(template, count);
  return {
    name: `explain(), lines of ${template}, batches of ${byLines.length}`,
    expected: sumOf(byLines) * 120,
    run: () => explainAll(byLines, 120),
  };
}

function decideAll(questions: readonly DecideCase[], times: number): Work {
  let sum = 0;
  for (let time = 0; time < times; time += 1) {
    for (const { facts, choice, policy } of questions) sum += decide(facts, choice, policy).price ?? 0;
  }
  return { pieces: questions.length * times, sum };
}

function chooseAll(times: number): Work {
  let sum = 0;
  for (let time = 0; time < times; time += 1) {
    for (const question of requested) sum += Number(book.choose(question).rule?.order ?? 0);
  }
  return { pieces: requested.length * times, sum };
}

function explainAll(questions: readonly DecideCase[], times: number): Work {
  let sum = 0;
  for (let time = 0; time < times; time += 1) {
    for (const { facts, choice, policy } of questions)
      sum += explain(facts, choice, policy).decision.price ?? 0;
  }
  return { pieces: questions.length * times, sum };
}

async function oneByOne<T>(listings: readonly T[], price: (listing: T) => number | Promise<number>) {
  let sum = 0;
  for (const listing of listings) {
    const answer = price(listing);
    sum += typeof answer === 'number' ? answer : await answer;
  }
  return { pieces: listings.length, sum };
}

async function zenBatches(): Promise<Work> {
  let sum = 0;
  for (let start = 0; start < comparable.length; start += AT_A_TIME) {
    const batch = comparable.slice(start, start + AT_A_TIME);
    for (const price of await Promise.all(batch.map(({ listing }) => zen.price(listing)))) sum += price;
  }
  return { pieces: comparable.length, sum };
}

function priceOf({ facts, choice, policy }: DecideCase): number {
  return decide(facts, choice, policy).price ?? 0;
}

function sumOf(questions: readonly DecideCase[]): number {
  return questions.reduce((sum, question) => sum + priceOf(question), 0);
}

function printRates(rates: readonly Rates[]): void {
  console.log(`\n${values.rounds} rounds in turn, ${cases.length} listings, 5 offers each, every guard on.`);
  printMeasure('Per second of one core', rates, ({ perCpuSecond }) => perCpuSecond);
  printMeasure('Per second by the clock', rates, ({ perSecond }) => perSecond);
}

function printMeasure(
  heading: string,
  rates: readonly Rates[],
  measure: (rates: Rates) => readonly number[],
) {
  const lines = rates.map((rate, index): Line => {
    const goal = GOALS[index] ?? null;
    return {
      name: rate.name,
      spread: spreadOf(measure(rate)),
      unit: '/s',
      ...(goal === null ? {} : { goal }),
    };
  });
  const [ours, rules, zenDecision, zenExpression] = rates.slice(GOALS.length).map(measure);
  if (!ours || !rules || !zenDecision || !zenExpression) throw new Error('A contender has no figures.');
  // Not the same work: the peer has no lines and explains nothing. Such a ratio moves with our code, not with the machine.
  const nextToRules = rates.flatMap((rate, index) => {
    if (!rate.name.startsWith('explain()') && !rate.name.includes('lines of')) return [];
    const goal = { atLeast: Math.round((GOALS[index]?.atLeast ?? 0) / PEER_THERE) };
    return ratioLine(`${rate.name.split(', batches')[0]} / json-rules-engine`, measure(rate), rules, goal);
  });
  printTable(heading, [
    ...lines,
    ...nextToRules,
    ratioLine('decide() / json-rules-engine', ours, rules, { atLeast: 20 }),
    ratioLine('decide() / ZEN, decision', ours, zenDecision, { atLeast: 10 }),
    ratioLine('decide() / ZEN, one expression', ours, zenExpression, { atLeast: 10 }),
  ]);
}
