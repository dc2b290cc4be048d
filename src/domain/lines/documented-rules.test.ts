import { describe, expect, test } from 'vitest';
import { decide } from '#domain/decision/decide.ts';
import { bps } from '#domain/units.ts';
import { DOCUMENTED_RULES, WORKED_PAGES } from '#tests/builders/documented-rules.ts';
import { aCost, aListing, anOffer, aPolicy, chosen, usd } from '#tests/builders/facts.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { refusedLine } from './check-lines.ts';
import { printLines } from './print-lines.ts';

const PRICE_WAR = 6;
const NO_TARGET = { targetMargin: null, marketplaceTargets: {} };

describe('rules that other repricers document', () => {
  const said = DOCUMENTED_RULES.flatMap(({ by, rule, lines }) =>
    lines === null ? [] : [{ by, rule, lines }],
  );

  test('most of them can be said in lines, and of the others it is known why not', () => {
    expect([said.length, DOCUMENTED_RULES.length]).toEqual([56, 64]);
    expect(DOCUMENTED_RULES.filter(({ lines, note }) => lines === null && note === null)).toEqual([]);
  });

  test.each(said)('$by: $rule', ({ lines }) => {
    const parsed = linesOf(lines);
    expect(refusedLine(parsed, NO_TARGET, PRICE_WAR)).toBe(null);
    expect(linesOf(printLines(parsed))).toEqual(parsed);
  });

  test.each(WORKED_PAGES)('$lines at $ours goes to $price, as the page says', (worked) => {
    const { lines, ours, shipping, floor, competitors, hasBox, price } = worked;
    const facts = aListing({
      currentPrice: usd(ours),
      shippingCharge: usd(shipping),
      minPrice: usd(floor),
      cost: aCost(1),
      offers: [
        anOffer(ours, { by: 'Us', isOurs: true, isFeatured: hasBox }),
        ...competitors.map((landed, index) => anOffer(landed, { by: `Seller ${index}` })),
      ],
    });
    // The step limit is ours: no page has one.
    const policy = aPolicy({ maxStep: bps(10_000), maxDailyChange: bps(10_000) });
    const { price: decided } = decide(
      facts,
      chosen({ lines: linesOf(lines), onlySameShipping: false }),
      policy,
    );
    expect(decided).toBe(usd(price));
  });
});
