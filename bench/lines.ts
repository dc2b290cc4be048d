import { parseArgs } from 'node:util';
import { decide } from '#domain/decision/decide.ts';
import { explain } from '#domain/decision/explain.ts';
import { RULE_TEMPLATES } from '#domain/lines/templates.ts';
import { type DecideCase, decideCases, lineCases } from './decide-cases.ts';
import { COMPARED, type ComparableLines, comparableLines } from './line-comparable.ts';
import { jsonLinesPeer, zenLinesPeer } from './line-peers.ts';
import { type Candidate, type Rates, spreadOf, takeTurns, type Work } from './rounds.ts';
import { printTable, ratioLine } from './table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    listings: { type: 'string', default: '4000' },
    /** Compare the answers, measure nothing. */
    check: { type: 'boolean', default: false },
  },
});

/** How many decisions ZEN is handed at a time. */
const AT_A_TIME = 64;
/** As many as are decided together: they fit into a core's own cache. */
const BATCH = 1_000;

const jsonRules = jsonLinesPeer();
const zen = zenLinesPeer();
const cases = lineCases(COMPARED, Number(values.listings));
const comparable = comparableLines(cases, lineCases('Target margin', cases.length));
await expectSamePrices();
console.log(`All engines reach the same price on ${comparable.length} of ${cases.length} listings.`);
console.log(`Of them decide: ${linesThatDecide(comparable)}.`);
if (!values.check) printRates(await takeTurns(candidates(), Number(values.rounds)));
zen.close();

async function expectSamePrices(): Promise<void> {
  if (comparable.length === 0) throw new Error('No listing can be compared: nothing would be measured.');
  for (const { question, listing } of comparable) {
    const ours = priceOf(question);
    const theirs = { jsonRules: await jsonRules(listing), zen: await zen.price(listing) };
    if (Object.values(theirs).some((price) => price !== ours)) {
      throw new Error(
        `Different prices: decide ${ours}, ${JSON.stringify(theirs)} for ${JSON.stringify(listing)}`,
      );
    }
  }
}

/** "line 1 12, line 3 900": a comparison in which one line decides everything would say little. */
function linesThatDecide(questions: readonly ComparableLines[]): string {
  const counts = new Map<number, number>();
  for (const { question } of questions) {
    const number = decide(question.facts, question.choice, question.policy).line?.number ?? 0;
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return sorted.map(([number, count]) => `line ${number} ${count}`).join(', ');
}

/**
 * The compared engines first, then the strategies, then every template: one process decides by all of them in turn, like
 * that of a shop with many rules. The goals for single templates are in `decide`, which has fewer.
 */
function candidates(): Candidate[] {
  const questions = comparable.map(({ question }) => question);
  const listings = comparable.map(({ listing }) => listing);
  const strategies = decideCases(cases.length).slice(0, BATCH);
  const expected = sumOf(questions);
  return [
    {
      name: `decide(), ${COMPARED}, comparable listings`,
      expected: expected * 250,
      run: () => decideAll(questions, 250),
    },
    { name: 'json-rules-engine 7.3.1', expected, run: () => oneByOne(listings, jsonRules) },
    { name: `ZEN 0.54.0, decision, ${AT_A_TIME} at a time`, expected, run: () => inBatches(listings) },
    {
      name: 'decide(), strategies',
      expected: sumOf(strategies) * 300,
      run: () => decideAll(strategies, 300),
    },
    ...RULE_TEMPLATES.map(({ name }): Candidate => {
      const byLines = lineCases(name, BATCH);
      return {
        name: `decide(), ${name}`,
        expected: sumOf(byLines) * 100,
        run: () => decideAll(byLines, 100),
      };
    }),
    {
      name: `explain(), ${COMPARED}`,
      expected: sumOf(cases.slice(0, BATCH)) * 100,
      run: () => explainAll(cases.slice(0, BATCH), 100),
    },
  ];
}

function decideAll(questions: readonly DecideCase[], times: number): Work {
  let sum = 0;
  for (let time = 0; time < times; time += 1) {
    for (const { facts, choice, policy } of questions) sum += decide(facts, choice, policy).price ?? 0;
  }
  return { pieces: questions.length * times, sum };
}

function explainAll(questions: readonly DecideCase[], times: number): Work {
  let sum = 0;
  for (let time = 0; time < times; time += 1) {
    for (const { facts, choice, policy } of questions)
      sum += explain(facts, choice, policy).decision.price ?? 0;
  }
  return { pieces: questions.length * times, sum };
}

async function oneByOne<T>(listings: readonly T[], price: (listing: T) => Promise<number>): Promise<Work> {
  let sum = 0;
  for (const listing of listings) sum += await price(listing);
  return { pieces: listings.length, sum };
}

async function inBatches(listings: readonly ComparableLines['listing'][]): Promise<Work> {
  let sum = 0;
  for (let start = 0; start < listings.length; start += AT_A_TIME) {
    const batch = listings.slice(start, start + AT_A_TIME);
    for (const price of await Promise.all(batch.map((listing) => zen.price(listing)))) sum += price;
  }
  return { pieces: listings.length, sum };
}

function priceOf({ facts, choice, policy }: DecideCase): number {
  return decide(facts, choice, policy).price ?? 0;
}

function sumOf(questions: readonly DecideCase[]): number {
  return questions.reduce((sum, question) => sum + priceOf(question), 0);
}

function printRates(rates: readonly Rates[]): void {
  console.log(`\n${values.rounds} rounds in turn, 5 offers each, every guard on.`);
  printMeasure('Per second of one core', rates, ({ perCpuSecond }) => perCpuSecond);
  printMeasure('Per second by the clock', rates, ({ perSecond }) => perSecond);
}

function printMeasure(
  heading: string,
  rates: readonly Rates[],
  measure: (rates: Rates) => readonly number[],
) {
  const [ours, rules, zenDecision, strategies] = rates.map(measure);
  if (!ours || !rules || !zenDecision || !strategies) throw new Error('A contender has no figures.');
  printTable(heading, [
    ...rates.map((rate) => ({ name: rate.name, spread: spreadOf(measure(rate)), unit: '/s' })),
    ratioLine('lines / json-rules-engine, same lines', ours, rules, { atLeast: 20 }),
    ratioLine('lines / ZEN, same lines', ours, zenDecision, { atLeast: 10 }),
    ratioLine('lines / strategies', ours, strategies),
  ]);
}
