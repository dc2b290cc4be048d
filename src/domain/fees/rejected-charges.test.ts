import { describe, expect, it } from 'vitest';
import { hours, instant } from '#domain/units.ts';
import { aCharge } from '#tests/builders/costs.ts';
import { usd } from '#tests/builders/facts.ts';
import { isSameAnswer } from './fee-fact.ts';
import { fulfillmentJump } from './fee-jump.ts';
import type { FulfillmentAnswer } from './fulfillment-answer.ts';
import { chargesToReject } from './rejected-charges.ts';

const NOW = instant(Date.UTC(2026, 6, 1));
const daysAgo = (count: number) => instant(NOW - count * hours(24));
const charged = (fee: number, days: number, price = 25): FulfillmentAnswer =>
  aCharge(fee, daysAgo(days), { askedPrice: usd(price) });
const FBA = { marketplace: 'amazon', feeCategory: null, isHazardous: false, now: NOW } as const;
const rejected = (
  answers: readonly FulfillmentAnswer[],
  { since = daysAgo(10), hasJumped = true, published = null as number | null } = {},
) =>
  chargesToReject(
    { ...FBA, answers, since, hasJumped },
    published === null ? null : [{ upTo: null, fee: usd(published) }],
  ).map(({ fee }) => fee / 100);

const BEFORE = [charged(4.35, 50), charged(4.35, 45)];
const MIXED = [charged(2.5, 9), charged(12, 7), charged(2.5, 5), charged(2.5, 3)];

it('jumps since the first one in any direction', () => {
  const isNew = (answer: Parameters<typeof isSameAnswer>[0]) =>
    MIXED.some((each) => isSameAnswer(each, answer));
  expect(fulfillmentJump({ ...FBA, answers: [...BEFORE, ...MIXED] }, isNew)).toMatchObject({
    fees: { before: usd(4.35), reported: usd(12) },
    since: daysAgo(9),
  });
});

describe('charges that a rejected reading sets aside', () => {
  it('are both halves of one that mixed up its rows', () => {
    expect(rejected([...BEFORE, ...MIXED], { since: daysAgo(9) })).toEqual([2.5, 12, 2.5, 2.5]);
  });

  it('are lower ones of a listing without a jump, but not its rises', () => {
    const dear = [charged(4.62, 50, 99), charged(4.62, 45, 99)];
    const fall = [charged(2.7, 9, 99), charged(2.7, 7, 99), charged(2.7, 5, 99)];
    expect(rejected([...dear, ...fall], { hasJumped: false })).toEqual([2.7, 2.7, 2.7]);
    const rise = [charged(4.8, 9), charged(6, 7), charged(4.35, 5), charged(4.34, 3)];
    expect(rejected([...BEFORE, ...rise], { hasJumped: false })).toEqual([]);
    // Of one with a jump smaller rises stay: they are the safe side.
    expect(rejected([...BEFORE, ...rise])).toEqual([6]);
  });

  it('are compared with the fee of their own price band', () => {
    const both = [...BEFORE, charged(3.38, 50, 9.49), charged(3.38, 45, 9.49)];
    expect(rejected([...both, charged(6, 9, 9.49), charged(4.35, 7)])).toEqual([6]);
  });

  it('are below the published fee where their price band was not charged before', () => {
    const fresh = [charged(2.5, 9), charged(2.5, 7), charged(9, 5)];
    expect(rejected(fresh, { published: 4.35 })).toEqual([2.5, 2.5]);
    expect(rejected(fresh)).toEqual([]);
    expect(rejected([...BEFORE, charged(4, 9, 60)])).toEqual([4]);
  });

  it('are compared with the published fee where another package was charged before, so that a lightened one keeps its fee', () => {
    const heavy = BEFORE.map((charge) => ({ ...charge, isOfOtherPackage: true as const }));
    const light = [charged(2.9, 9), charged(2.9, 7), charged(1.4, 5)];
    expect(rejected([...heavy, ...light], { published: 2.9 })).toEqual([1.4]);
    expect(rejected([...BEFORE, ...light], { published: 2.9 })).toEqual([2.9, 2.9, 1.4]);
  });

  it('are none that were accepted or charged before', () => {
    expect(rejected([...BEFORE, { ...charged(2.5, 9), isAccepted: true }])).toEqual([]);
    expect(rejected([...BEFORE, charged(2.5, 11)])).toEqual([]);
  });
});
