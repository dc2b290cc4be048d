/**
 * How fast fee tables are composed, of random bases: reported rates, schedules with bands and tax, fulfillment by price.
 *
 *   node --import tsx bench/compose.ts
 *   node --import tsx bench/compose.ts --tables 1000
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { composeFees } from '#domain/fees/compose-fees.ts';
import { feeBases } from '#tests/builders/scenarios.ts';
import { spreadOf, takeTurns } from './rounds.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: { tables: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' } },
});
const tables = Number(values.tables);
const bases = fc.sample(feeBases, { numRuns: 1_000, seed: 20_261_123 });

/** Composes all tables once. */
function compose(): { pieces: number; sum: number } {
  let sum = 0;
  for (let index = 0; index < tables; index += 1) {
    const basis = bases[index % bases.length];
    if (basis !== undefined) sum += composeFees(basis).pieces.length;
  }
  return { pieces: tables, sum };
}

const [rates] = await takeTurns(
  [{ name: 'composeFees', run: compose, expected: compose().sum }],
  Number(values.rounds),
);
const seconds = (perSecond: readonly number[] = []) => spreadOf(perSecond.map((rate) => tables / rate));
printTable(`composing ${tables.toLocaleString('en-US')} fee tables`, [
  { name: 'on the clock', spread: seconds(rates?.perSecond), unit: 's' },
  { name: 'processor time', spread: seconds(rates?.perCpuSecond), unit: 's', goal: { atMost: 1 } },
]);
