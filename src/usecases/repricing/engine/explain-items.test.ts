import { expect, test } from 'vitest';
import type { RunItemRow } from '#db/queries/repricing/run-views.ts';
import { groupCases } from '#domain/decision/decide-group.ts';
import { storeCase } from '#domain/decision/stored-case.ts';
import type { Cents } from '#domain/units.ts';
import { aCost, aListing, anOffer, aPolicy, chosen, pct, usd } from '#tests/builders/facts.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { explainItems } from './explain-items.ts';

/** B, whose cost is lower, takes the price of A. */
function itemsOf(ruleOfB: string): RunItemRow[] {
  const aMember = (sku: string, cost: number, rule: string, lines: string | null) => ({
    facts: aListing({ sku, cost: aCost(cost), offers: [anOffer(19)], currentPrice: usd(20) as Cents }),
    choice: chosen({ id: rule, minimumMargin: pct(15), lines: lines === null ? null : linesOf(lines) }),
    policy: aPolicy(),
  });
  const lines = 'winning: hold; 1% under the lowest';
  const members = [aMember('A', 13, '1', lines), aMember('B', 11, ruleOfB, ruleOfB === '1' ? lines : null)];
  return groupCases(members).map((one) => {
    const facts: unknown = JSON.parse(JSON.stringify(storeCase(one)));
    return { outcome: 'change', reasonCode: 'line', facts } as unknown as RunItemRow;
  });
}

test('a decision has the line and the situation of the rule that the row names', () => {
  const decided = { line: 2, situation: 'losing' };
  expect(explainItems(itemsOf('1'))).toMatchObject([decided, decided]);
});

test('neither is there for a listing that shares its price with one of another rule', () => {
  expect(explainItems(itemsOf('2'))).toMatchObject([
    { line: 2, situation: 'losing' },
    { line: null, situation: null },
  ]);
});
