import { describe, expect, test } from 'vitest';
import { decide } from '#domain/decision/decide.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { pct } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { storiesWithLines } from '#tests/builders/line-stories.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { refusedLine } from './check-lines.ts';
import { RULE_TEMPLATES } from './templates.ts';
import { type WarnedRule, warningsOf } from './warn-lines.ts';

const warned = (lines: string, over: Partial<WarnedRule> = {}) =>
  warningsOf({
    lines: linesOf(lines),
    targetMargin: pct(35),
    marketplaceTargets: {},
    minimumMargin: pct(15),
    marketplaceMargins: {},
    marketplaces: ['amazon'],
    known: null,
    ...over,
  }).map(({ code, line }) => (line === null ? code : `${code} ${line}`));
const on = (...marketplaces: Marketplace[]) => ({ marketplaces });

describe('warnings', () => {
  test.each([
    ['winning: hold; the lowest; floor', []],
    // A price that may be unknown, or too low, passes on; a line that rests does too.
    ['floor; the lowest', ['unreachable 2']],
    ['the lowest; floor', []],
    ['own price; floor', []],
    ['floor, not under own price; ceiling', []],
    ['floor, else next line; ceiling', []],
    ['floor, for 24 h then not for 48 h; ceiling', []],
    ['hold; floor', ['unreachable 2']],
    ['raise 1% every 24 h up to floor; floor', ['unreachable 2']],
    ['winning or losing: hold; losing for 48 h: floor; the lowest', ['unreachable 2']],
    ['losing for 24 h: hold; losing for 48 h: floor; the lowest', ['unreachable 2']],
    ['losing for 48 h: hold; losing for 24 h: floor; the lowest', []],
    ['buy box share under 20%: hold; buy box share under 10% and losing: floor', ['unreachable 2']],
    ['buy box share under 10%: hold; buy box share under 20%: floor', []],
    ['stock 5 or less: hold; stock 3 or less: floor; the lowest', ['unreachable 2']],
    [
      'lowest competitor 5% or more above me: hold; lowest competitor 9% or more above me: floor',
      ['unreachable 2'],
    ],
    // While competitors are not read, only a line that says so may decide.
    ['hold; not read: own price; losing: the lowest', ['unreachable 3']],
    ['not read or losing: hold; not read: own price; the lowest', ['unreachable 2']],
  ])('%s: %j', (lines, expected) => {
    expect(warned(lines)).toEqual(expected);
  });

  test.each([
    ['the buy box', on('etsy'), ['no_buy_box 1', 'no_competitors']],
    ['the buy box', on('etsy', 'walmart'), []],
    ['buy box share 20% or more: floor; hold', on('ebay'), ['no_buy_box 1']],
    ['featured price', on('walmart'), ['no_featured_price 1']],
    ['featured price', on('amazon'), []],
    ['4% under the lowest (12% under faster)', on('walmart'), ['shipper_unknown 1']],
    ['4% under the lowest (12% under faster)', on('walmart', 'amazon'), []],
    ['winning: raise 1% every 24 h; the lowest', on('amazon'), ['endless_raise 1']],
    ['winning: raise 1% every 24 h; the lowest', on('walmart'), []],
    ['winning: raise 1% every 24 h up to own price; the lowest', on('amazon'), []],
    ['winning: hold; alone: own price', on('amazon'), ['no_losing_line']],
    ['own price', on('amazon'), []],
  ])('%s on %j: %j', (lines, where, expected) => {
    expect(warned(lines, where)).toEqual(expected);
  });

  test('a target below the minimum margin, where a line asks for it', () => {
    expect(warned('target margin', { targetMargin: pct(10) })).toEqual(['target_below_minimum']);
    expect(warned('target margin', { marketplaceMargins: { amazon: pct(40) } })).toEqual([
      'target_below_minimum',
    ]);
    expect(
      warned('target margin', { targetMargin: pct(10), marketplaceTargets: { amazon: pct(20) } }),
    ).toEqual([]);
    expect(warned('margin 20%', { targetMargin: pct(10) })).toEqual([]);
  });

  test('a figure that most listings do not know', () => {
    const known = { listings: 10, stock: 4, supply: 5, stockAge: 0, sales: 9 };
    expect(warned('stock 5 or less: hold; floor', { known })).toEqual(['rarely_known 1']);
    expect(warned('supply 5 days or less: hold; floor', { known })).toEqual([]);
    expect(warned('sold 1 or less in 7 days: hold; floor', { known })).toEqual([]);
  });

  test('no template has one on Amazon but those that say so', () => {
    const withWarnings = RULE_TEMPLATES.flatMap(({ name, lines }) =>
      warned(lines).map((warning) => `${name}: ${warning}`),
    );
    expect(withWarnings).toEqual(['Box winner only: endless_raise 2']);
  });

  law(
    'a line that can never decide never does',
    storiesWithLines,
    ({ facts, choice, policy }) => {
      const lines = choice.rule?.lines ?? null;
      if (lines === null || choice.rule === null) return;
      const warnings = warningsOf({ ...choice.rule, lines, marketplaces: MARKETPLACES, known: null });
      const never = warnings.flatMap(({ code, line }) => (code === 'unreachable' ? [line] : []));
      expect(never).not.toContain(decide(facts, choice, policy).line?.number ?? 0);
    },
    0.3,
  );
});

test.each([
  ['winning or losing and losing or alone and alone or winning: hold', 'exclude each other'],
  ['hours 8 to 12 and hours 12 to 18: hold', 'exclude each other'],
  ['hours 8 to 12 and hours 22 to 9: hold', null],
  ['hours 22 to 4 and hours 4 to 22: hold', 'exclude each other'],
  ['days mon to wed and days thu to sun: hold', 'exclude each other'],
  ['days sat to mon and days mon to wed: hold', null],
  ['buy box held by "Acme" and buy box held by "Other": hold', 'exclude each other'],
  ['buy box held by "Acme" and buy box held by "ACME": hold', null],
  ['alone and 1 or more competitors: hold', 'exclude each other'],
  ['alone and 0 or more competitors: hold', null],
  ['seller "Acme" present and alone or not read: hold', 'exclude each other'],
  ['alone or losing and lowest competitor under my floor: hold', null],
])('%s is refused: %j', (lines, problem) => {
  const refused = refusedLine(linesOf(lines), { targetMargin: null, marketplaceTargets: {} }, 6);
  if (problem === null) expect(refused).toBeNull();
  else expect(refused?.problem).toContain(problem);
});
