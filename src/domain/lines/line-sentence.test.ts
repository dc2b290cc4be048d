import { expect, test } from 'vitest';
import { evaluate } from '#domain/decision/decide.ts';
import { explain } from '#domain/decision/explain.ts';
import { type ListingFacts, NO_SIGNALS } from '#domain/decision/facts.ts';
import { hours, type Instant } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, aRule, NOW, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { storiesWithLines } from '#tests/builders/line-stories.ts';
import { linesOf } from '#tests/builders/lines.ts';
import type { LineStep } from './lines-price.ts';

const ago = (time: number): Instant => (NOW - hours(time)) as Instant;
const FASTER = { offers: [anOffer(16, { by: 'BestGoods', fulfillmentType: 'FBA/WFS' })] };
const UNDER = '12% under the lowest';

function sentenceOf(lines: string, facts: Partial<ListingFacts>): string {
  const rule = aRule({ lines: linesOf(lines), targetMargin: pct(35) });
  const listing = aListing({ readAt: ago(1), ownPrices: [usd(20)], ...facts });
  return explain(listing, { kind: 'matched', rule, minimumMargin: pct(15) }, aPolicy()).sentence;
}

test.each<[string, string, Partial<ListingFacts>, RegExp]>([
  [
    'the offer, how it ships and the price',
    UNDER,
    FASTER,
    /^Losing: 12% under BestGoods's \$16\.00 \(ships faster\) is \$14\.08, /,
  ],
  [
    'which line passed on, with its prices, and which decides',
    `${UNDER}, else next line; 10% over own price`,
    { ...FASTER, currentPrice: usd(15), anchorPrice: usd(20) },
    /would be \$14\.08, below \$14\.29, .* so line 2 applies: 10% over your own price of \$20\.00 is \$22\.00, moved to \$17\.25/,
  ],
  [
    'the price before its cap, and the cap',
    'own price, not over 5% under external price',
    { anchorPrice: usd(20), signals: { ...NO_SIGNALS, externalPrice: { price: usd(20), at: ago(1) } } },
    /^Your own price of \$20\.00 is \$20\.00, not over \$19\.00/,
  ],
  [
    'no lower bound that is below the floor, as the price before it is',
    'own price, not under external price',
    {
      currentPrice: usd(16),
      anchorPrice: usd(13),
      signals: { ...NO_SIGNALS, externalPrice: { price: usd(11), at: ago(1) } },
    },
    /^Your own price of \$13\.00 is \$13\.00, limited to your 15% margin floor of \$14\.29\.$/,
  ],
  [
    'the lower bound where it is above the price',
    'own price, not under external price',
    {
      currentPrice: usd(16),
      anchorPrice: usd(13),
      signals: { ...NO_SIGNALS, externalPrice: { price: usd(15.5), at: ago(1) } },
    },
    /^Your own price of \$13\.00 is \$13\.00, not under \$15\.50\.$/,
  ],
  [
    'why nothing is asked',
    `${UNDER}, else keep`,
    FASTER,
    /would be \$14\.08, below \$14\.29, .*: the price stays\.$/,
  ],
  [
    'where a raise goes',
    'hours 1 to 2: hold; raise 1% every 24 h',
    {},
    /^Raised to \$20\.20, by up to 1% every 24 h \(line 2\)\.$/,
  ],
  [
    'when the next step is due',
    'raise 1% every 24 h',
    { lastChangedAt: ago(3) },
    /^The next raise of 1% is due in 21 hours\.$/,
  ],
  [
    'when competitors were read',
    'alone: target margin',
    { currentPrice: usd(19), anchorPrice: usd(20) },
    /^No competitor \(read 1 hour ago\): .*your 35% margin is \$20\.00\.$/,
  ],
  [
    'how long a line applies',
    'floor, for 24 h then not for 48 h',
    {},
    /is \$14\.29, for 24 h; then this line rests for 48 h, moved/,
  ],
  ['that no line applies', 'suppressed: hold', FASTER, /^No line of rule Match applies/],
])('names %s', (_, lines, facts, sentence) => {
  expect(sentenceOf(lines, facts)).toMatch(sentence);
});

test('the steps begin with the price of the line, or with its lower bound where that is higher', () => {
  const rule = aRule({ lines: linesOf('own price, not under external price') });
  const first = (bound: number) => {
    const signals = { ...NO_SIGNALS, externalPrice: { price: usd(bound), at: ago(1) } };
    const facts = aListing({ currentPrice: usd(16), anchorPrice: usd(13), signals });
    return explain(facts, { kind: 'matched', rule, minimumMargin: pct(15) }, aPolicy()).trace.steps[0];
  };
  expect(first(11)).toMatchObject({ step: 'strategy_price', to: usd(13) });
  expect(first(15.5)).toMatchObject({ step: 'strategy_price', to: usd(15.5) });
});

test('a buy box of a seller that the rule ignores is lost, for the lines and for what is known alike', () => {
  const rule = aRule({ lines: linesOf('losing: own price'), ignoreUnderFloor: pct(0) });
  const offers = [anOffer(5, { by: 'Acme', isFeatured: true })];
  const facts = aListing({ coverage: 'box', offers });
  const { trace } = explain(facts, { kind: 'matched', rule, minimumMargin: pct(15) }, aPolicy());
  expect(trace.lines?.situation).toBe('losing');
  expect(trace.competition).toMatchObject({ status: 'competitors', because: null });
});

test('a share of the buy box is won from competitors, also where the rule ignores the one that is shown', () => {
  const rule = aRule({ lines: linesOf('winning: own price'), ignoreUnderFloor: pct(0) });
  const offers = [anOffer(5, { by: 'Acme', isFeatured: true })];
  const signals = { ...NO_SIGNALS, boxShare: pct(70) };
  const facts = aListing({ coverage: 'box', offers, signals });
  const { trace } = explain(facts, { kind: 'matched', rule, minimumMargin: pct(15) }, aPolicy());
  expect(trace.lines?.situation).toBe('winning');
  expect(trace.competition).toMatchObject({ status: 'competitors', because: null, isOnlyOurs: false });
});

law(
  'names the line that decides, and no amount that is not in the decision, its steps or what it knew',
  storiesWithLines,
  ({ facts, choice, policy }) => {
    const { decision, sentence, trace } = explain(facts, choice, policy);
    const lines = choice.rule?.lines ?? [];
    const { number = 0 } = decision.line ?? {};
    const isByLine = ['line', 'line_hold', 'line_waits'].includes(decision.reason);
    if (isByLine && lines.length > 1) expect(sentence).toMatch(new RegExp(`\\bline ${number}\\b`));
    const steps: LineStep[] = [];
    evaluate(facts, choice, policy, steps);
    const landed = [...facts.elsewhere, ...(facts.signals?.sisters ?? [])].map(
      ({ price, shippingCharge }) => price + shippingCharge,
    );
    const all = { facts, policy, landed, decision, trace, steps, lines };
    const known = new Set(JSON.stringify(all).match(/\d+/g));
    for (const [, dollars = '', rest = ''] of sentence.matchAll(/\$([\d,]+)\.(\d\d)/g)) {
      const amount = String(Number(dollars.replaceAll(',', '') + rest));
      if (!known.has(amount)) expect.fail(`${amount} is in no fact: ${sentence}`);
    }
  },
  0.3,
);
