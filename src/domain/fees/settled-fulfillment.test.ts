import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { aCharge } from '#tests/builders/costs.ts';
import { usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import type { FulfillmentStep } from './fee-basis.ts';
import { type FeeFact, isSameAnswer, timeOf } from './fee-fact.ts';
import { fulfillmentJump } from './fee-jump.ts';
import { type FulfillmentAnswer, fulfillmentAnswers } from './fulfillment-answer.ts';
import { heldFulfillment, reportedFulfillment, reportedSteps } from './reported-fulfillment.ts';
import { countingFulfillment, decidingCharges } from './settled-fulfillment.ts';
import { feeAtPrice, stepAtPrice } from './warehouse-fee.ts';

const NOW = instant(Date.UTC(2026, 6, 1));
const DAY = hours(24);
const daysAgo = (count: number) => instant(NOW - count * DAY);
const charged = (fee: number, days: number, units = 1, price = 20): FulfillmentAnswer =>
  aCharge(fee, daysAgo(days), { units, askedPrice: usd(price) });
const WFS = { marketplace: 'walmart', doubtedSince: null, now: NOW } as const;
const stepsOf = (
  answers: readonly FulfillmentAnswer[],
  over: { now?: Instant; doubtedSince?: Instant } = {},
) => {
  const known = { ...WFS, ...over };
  const evidence = { ...known, feeCategory: null, isHazardous: false };
  const counting = countingFulfillment({ ...known, answers }, null);
  return counting.length === 0 ? null : reportedSteps({ ...evidence, answers: counting }, null);
};
/** The fee in force at $20.00, in dollars; null without any. */
const feeOf = (answers: readonly FulfillmentAnswer[], over: { now?: Instant } = {}) => {
  const steps = stepsOf(answers, over);
  return steps === null ? null : (feeAtPrice(steps, usd(20)) ?? 0) / 100;
};
const heldOf = (answers: readonly FulfillmentAnswer[]) => {
  const evidence = { ...WFS, feeCategory: null, isHazardous: false };
  return heldFulfillment({ ...evidence, answers: countingFulfillment({ ...WFS, answers }, null) });
};

describe('what was charged for units of sales', () => {
  it('is the median of the units, not of the sales, and of two in the middle the higher one', () => {
    const higher = [charged(4, 9), charged(5, 7, 2), charged(5, 6)];
    expect(feeOf([...higher, charged(3, 5), charged(3, 3)])).toBe(5);
    expect(feeOf([...higher, charged(3, 5), charged(3, 3, 2)])).toBe(4);
    expect(feeOf([charged(5, 9), charged(5, 7), charged(3, 5), charged(3, 3)])).toBe(5);
  });

  it('rises with the newest charge at once', () => {
    const usual = [charged(3, 6), charged(3, 5), charged(3, 4)];
    expect(feeOf([...usual, charged(9, 1)])).toBe(9);
  });

  it('falls with two sales at least 24 hours apart, and the first one waits', () => {
    const before = [charged(3, 9), charged(3, 8), charged(3, 7), charged(9, 3)];
    expect(feeOf([...before, charged(3, 2)])).toBe(9);
    expect(heldOf([...before, charged(3, 2)])).toMatchObject([{ fee: usd(3), toldAt: daysAgo(2) }]);
    expect(feeOf([...before, charged(3, 2), charged(3, 1.01)])).toBe(9);
    expect(feeOf([...before, charged(3, 2), charged(3, 1)])).toBe(3);
    expect(heldOf([...before, charged(3, 2), charged(3, 1)])).toEqual([]);
  });

  it('is not raised for long by one order either, for however many units', () => {
    const usual = [charged(4.2, 9), charged(4.2, 8), charged(4.2, 7)];
    const wrong = charged(9, 5, 50);
    expect(feeOf([...usual, wrong])).toBe(9);
    expect(feeOf([...usual, wrong, charged(4.2, 3)])).toBe(9);
    expect(feeOf([...usual, wrong, charged(4.2, 3), charged(4.2, 2)])).toBe(4.2);
    expect(feeOf([...usual, wrong], { now: instant(NOW + 54 * DAY) })).toBe(9);
    expect(feeOf([...usual, wrong], { now: instant(NOW + 55 * DAY) })).toBe(4.2);
  });

  it('is not lowered by one order, for however many units a wrong row of a report counts', () => {
    const usual = [charged(5.45, 6), charged(5.45, 5), charged(5.45, 4)];
    const wrong = charged(1.36, 2, 4);
    expect(feeOf([...usual, wrong])).toBe(5.45);
    expect(feeOf([...usual, charged(1.36, 2, 400)])).toBe(5.45);
    expect(feeOf([...usual, wrong, charged(5.45, 1)])).toBe(5.45);
    // Of many sales of one day each counts in full.
    const many = Array.from({ length: 9 }, () => charged(1.36, 2, 2));
    expect(feeOf([...usual, ...many])).toBe(5.45);
    expect(feeOf([...usual, ...many, charged(1.36, 1)])).toBe(1.36);
  });

  it('decides for 60 days, and then is the least that the fee is; the fee before is older', () => {
    const now = instant(daysAgo(60) + 60 * DAY);
    const usual = [charged(5, 61), charged(5, 60)];
    const stepAt = (answers: readonly FulfillmentAnswer[], at = now) => stepsOf(answers, { now: at })?.at(-1);
    expect(stepAt(usual, instant(now - 1))).toEqual({ upTo: null, fee: usd(5) });
    expect(stepAt(usual)).toEqual({ upTo: null, fee: usd(5), isAssumed: true });
    // What is charged later does not count yet.
    expect(stepAt([...usual, charged(7, -1)])).toMatchObject({ fee: usd(5), isAssumed: true });
    const feeWith = (published: number, ...answers: FulfillmentAnswer[]) => {
      const evidence = { ...WFS, feeCategory: null, isHazardous: false };
      const steps = [{ upTo: null, fee: usd(published) }];
      const counting = countingFulfillment({ ...WFS, answers }, steps);
      const found = reportedFulfillment({ ...evidence, answers: counting }, steps);
      return [feeAtPrice(found.steps, usd(20)), found.isReported];
    };
    const old = [charged(7, 90), charged(5, 80), charged(5, 70)];
    expect(feeWith(4, ...old)).toEqual([usd(5), false]);
    expect(feeWith(6, ...old)).toEqual([usd(6), false]);
    // The next sale is compared with it.
    expect(feeWith(4, ...old, charged(3, 1))).toEqual([usd(5), false]);
    expect(feeWith(4, ...old, charged(4.9, 1))).toEqual([usd(4.9), true]);
    // One sale lowers nothing because the other ones are too old to count.
    expect(feeOf([charged(5, 61), charged(3, 59)])).toBe(5);
    expect(feeOf([charged(5, 61), charged(3, 59), charged(3, 58)])).toBe(3);
    // A single sale shows what is assumed until a second one a day later.
    expect(stepsOf([charged(3, 59)])?.at(-1)).toEqual({ upTo: null, fee: usd(3), isAssumed: true });
    expect(stepsOf([charged(3, 59), charged(3, 58)])?.at(-1)).toEqual({ upTo: null, fee: usd(3) });
  });

  it('waits below what was charged before the published fees changed, such as at the start of a season', () => {
    const at = (fee: number, date: number) => ({
      ...charged(fee, 0),
      toldAt: instant(Date.UTC(2026, 9, date)),
    });
    const now = instant(Date.UTC(2026, 9, 20));
    const fba = { marketplace: 'amazon', doubtedSince: null, now } as const;
    const stepOf = (...answers: FulfillmentAnswer[]) => {
      const counting = countingFulfillment({ ...fba, answers }, null);
      const evidence = { ...fba, feeCategory: null, isHazardous: false, answers: counting };
      return stepAtPrice(reportedSteps(evidence, null), usd(20));
    };
    const before = [at(4, 8), at(4, 10)];
    const assumed = { fee: usd(4), isAssumed: true };
    expect(stepOf(...before)).toMatchObject(assumed);
    // A wrong row would be the first charge of its season.
    expect(stepOf(...before, at(1, 16))).toMatchObject(assumed);
    expect(stepOf(...before, at(1, 16), at(1.2, 17))).toMatchObject({ fee: usd(1.2) });
    expect(stepOf(...before, at(4.6, 16))).toMatchObject({ fee: usd(4.6) });
  });

  it('falls when higher ones are too old, without another sale', () => {
    const sales = [charged(5, 52, 3), charged(5, 50, 2), charged(4, 3), charged(4, 2), charged(4, 1)];
    expect(feeOf(sales)).toBe(5);
    expect(feeOf(sales, { now: instant(NOW + 10 * DAY) })).toBe(4);
  });

  it('is apart for each price band of FBA, since the published fees last changed', () => {
    const at = (fee: number, price: number, date: number) => ({
      ...charged(fee, 0, 1, price),
      toldAt: instant(Date.UTC(2026, 3, date)),
    });
    // The surcharge begins on April 17.
    const answers = [
      ...[at(3, 9.99, 20), at(3, 9.99, 21), at(6, 20, 16), at(4, 20, 21), at(4, 20, 22)],
      ...[at(5, 60, 22), at(5.5, 60, 23)],
    ];
    const fba = { marketplace: 'amazon', doubtedSince: null, now: instant(Date.UTC(2026, 3, 27)) } as const;
    const evidence = { ...fba, feeCategory: null, isHazardous: false };
    const steps = reportedSteps(
      { ...evidence, answers: countingFulfillment({ ...fba, answers }, null) },
      null,
    );
    expect([9.99, 20, 60].map((price) => feeAtPrice(steps, usd(price)))).toEqual([usd(3), usd(4), usd(5.5)]);
    expect(steps.some((step) => 'isAssumed' in step)).toBe(false);
  });

  it('is assumed once more where the charge of another price band rose after it, until that one falls back', () => {
    const at = (fee: number, price: number, days: number) => charged(fee, days, 1, price);
    const fba = { marketplace: 'amazon', doubtedSince: null, now: NOW } as const;
    const stepAt = (price: number, ...answers: FulfillmentAnswer[]) => {
      const evidence = { ...fba, feeCategory: null, isHazardous: false };
      const counting = countingFulfillment({ ...fba, answers }, null);
      return stepAtPrice(reportedSteps({ ...evidence, answers: counting }, null), usd(price));
    };
    const usual = [at(4, 20, 9), at(4, 20, 8), at(4.6, 60, 9), at(4.6, 60, 8)];
    const rise = at(6, 20, 5);
    expect(stepAt(60, ...usual)).toEqual({ upTo: null, fee: usd(4.6) });
    expect(stepAt(60, ...usual, rise)).toEqual({ upTo: null, fee: usd(6), isAssumed: true });
    expect(stepAt(20, ...usual, rise)).toEqual({ upTo: usd(50), fee: usd(6) });
    // Charged in that band since, or a parcel that was measured wrongly once.
    expect(stepAt(60, ...usual, rise, at(5, 60, 4))).toEqual({ upTo: null, fee: usd(5) });
    const fallen = [at(4, 20, 4), at(4, 20, 2)];
    expect(stepAt(60, ...usual, rise, ...fallen)).toEqual({ upTo: null, fee: usd(4.6) });
  });

  it('does not count where the marketplace answered', () => {
    const answer = { ...charged(4, 30), source: 'estimate' } as const;
    expect(countingFulfillment({ ...WFS, answers: [charged(9, 1), answer] }, null)).toEqual([answer]);
  });

  it('counts from the one on that an administrator accepted', () => {
    const accepted = { ...charged(3, 5), isAccepted: true };
    expect(feeOf([charged(5, 9, 4), charged(5, 6, 4), accepted])).toBe(3);
    expect(feeOf([charged(5, 9, 4), accepted, charged(3.5, 2)])).toBe(3.5);
    // Higher ones of its moment say as much.
    expect(feeOf([charged(5, 9, 4), charged(5, 5, 4), accepted])).toBe(5);
  });

  it('is that of all charges that were accepted together, of which one alone lowers nothing', () => {
    const together = (fee: number, days: number, acceptedDaysAgo = 0.5) => ({
      ...charged(fee, days),
      isAccepted: true,
      acceptedAt: daysAgo(acceptedDaysAgo),
    });
    const before = [charged(5, 20), charged(5, 15)];
    const fall = [together(3, 6), together(3, 5), together(3, 4)];
    expect(feeOf([...before, ...fall])).toBe(3);
    expect(feeOf([...before, ...fall, together(1, 2)])).toBe(3);
    expect(feeOf([...before, ...fall, together(4, 2), together(3, 1)])).toBe(4);
    expect(heldOf([...before, ...fall, together(4, 2), together(3, 1)])).toMatchObject([{ fee: usd(3) }]);
    // A later decision replaces an earlier one.
    expect(feeOf([...before, together(7, 6, 5.5), together(7, 5.8, 5.5), together(3, 4)])).toBe(3);
    const doubtedSince = daysAgo(6.5);
    expect(stepsOf([...before, ...fall], { doubtedSince })?.at(-1)).not.toHaveProperty('isDoubted');
  });

  it('only raises the fee while it is doubted', () => {
    const doubtedSince = daysAgo(2);
    const doubted = (fee: number) =>
      stepsOf([charged(4, 7), charged(4, 5), charged(fee, 1, 9)], { doubtedSince });
    expect(doubted(6)?.at(-1)).toMatchObject({ fee: usd(6), isDoubted: true });
    expect(doubted(3)?.at(-1)).toEqual({ upTo: null, fee: usd(4) });
    // A first one is compared with the published fee.
    const first = (fee: number) => {
      const evidence = { ...WFS, doubtedSince, feeCategory: null, isHazardous: false };
      const published = [{ upTo: null, fee: usd(5) }];
      const answers = countingFulfillment({ ...WFS, doubtedSince, answers: [charged(fee, 1)] }, published);
      return reportedFulfillment({ ...evidence, answers }, published).steps.at(-1);
    };
    expect(first(6)).toMatchObject({ fee: usd(6), isDoubted: true });
    expect(first(4.9)).toEqual({ upTo: null, fee: usd(5) });
    expect(first(3)).toEqual({ upTo: null, fee: usd(5) });
  });

  it('says nothing of a WFS fee below $10.00, where further fees may apply, until one is charged there', () => {
    const at = (price: number, ...answers: FulfillmentAnswer[]) =>
      stepAtPrice(stepsOf(answers) ?? [], usd(price));
    const above = [charged(4, 5), charged(4, 3)];
    expect(at(9.99, ...above)).toEqual({ upTo: usd(9.99), fee: null });
    expect(at(10, ...above)).toEqual({ upTo: null, fee: usd(4) });
    const low = [charged(5, 5, 1, 9.5), charged(5, 3, 1, 9.5)];
    expect(at(9.99, ...above, ...low)).toEqual({ upTo: usd(9.99), fee: usd(5) });
    expect(at(10, ...above, ...low)).toEqual({ upTo: null, fee: usd(4) });
    expect(at(10, ...low)).toEqual({ upTo: null, fee: null });
  });

  describe('a charge of more than three times both the usual and the published one', () => {
    const found = (published: number | null, ...answers: FulfillmentAnswer[]) => {
      const evidence = { ...WFS, feeCategory: null, isHazardous: false };
      const estimate = published === null ? null : [{ upTo: null, fee: usd(published) }];
      const counting = countingFulfillment({ ...WFS, answers }, estimate);
      const { steps } = reportedFulfillment({ ...evidence, answers: counting }, estimate);
      const held = heldFulfillment({ ...evidence, answers: counting });
      return [(feeAtPrice(steps, usd(20)) ?? 0) / 100, ...held.map(({ fee }) => fee / 100)];
    };
    const usual = [charged(4.2, 9), charged(4.2, 7), charged(4.2, 6)];

    it('waits for a second one a day apart', () => {
      expect(found(null, ...usual, charged(45, 3))).toEqual([4.2, 45]);
      expect(found(null, ...usual, charged(45, 3), charged(45, 2.5))).toEqual([4.2, 45, 45]);
      expect(found(null, ...usual, charged(45, 3), charged(30, 2))).toEqual([30]);
      expect(found(null, ...usual, { ...charged(45, 3), isAccepted: true })).toEqual([45]);
      expect(found(4.35, charged(45, 3))).toEqual([4.35, 45]);
      expect(found(4.35, charged(45, 70))).toEqual([4.35, 45]);
      // With a sale of now it is one of its own, and no longer shown.
      expect(found(null, ...usual, charged(45, 3), charged(4.2, 1))).toEqual([4.2]);
      expect(found(null, charged(4.2, 9, 2), charged(45, 3, 50), charged(4.2, 1))).toEqual([4.2]);
      const ten = Array.from({ length: 10 }, (_, index) => charged(4.2, 20 - index));
      const [wrong, second] = [charged(45, 9, 50), charged(46, 8)];
      expect(found(null, ...ten, wrong)).toEqual([4.2, 45]);
      expect(found(null, ...ten, wrong, second)).toEqual([45]);
      const since = [charged(4.2, 6), charged(4.2, 5), charged(4.2, 4)];
      expect(found(null, ...ten, wrong, second, ...since)).toEqual([4.2]);
      // What it confirms is no more than three times as low.
      expect(found(null, ...usual, charged(14, 3), charged(45, 2))).toEqual([4.2, 14, 45]);
      expect(found(null, ...usual, charged(16, 3), charged(45, 2))).toEqual([16]);
      expect(found(null, ...usual, charged(16, 3), charged(45, 2), charged(45, 1))).toEqual([45]);
      // What two others confirm is known: then one up to three times as high counts at once.
      expect(found(null, ...usual, charged(16, 4), charged(16, 3), charged(45, 2))).toEqual([45]);
      expect(found(null, ...usual, charged(16, 4), charged(16, 3), charged(49, 2))).toEqual([16, 49]);
    });

    it('does not wait where nothing else is known, but is assumed', () => {
      const assumed = (...answers: FulfillmentAnswer[]) => [
        ...found(null, ...answers),
        stepsOf(answers)?.at(-1)?.isAssumed,
      ];
      expect(assumed(charged(45, 3))).toEqual([45, true]);
      expect(assumed(charged(4.2, 9), charged(45, 3))).toEqual([45, true]);
      expect(assumed(charged(45, 9), charged(4.2, 3))).toEqual([45, true]);
      expect(assumed(charged(45, 9), charged(4.2, 3), charged(4.2, 2))).toEqual([4.2, undefined]);
      expect(assumed(charged(4.2, 9), charged(4.2, 8), charged(45, 3))).toEqual([4.2, 45, undefined]);
    });

    it('is not confirmed by one that more sales, a day apart too, were charged less since', () => {
      const many = Array.from({ length: 100 }, (_, index) => charged(4.2, 39 - index / 3));
      expect(found(null, ...many, charged(45, 40), charged(46, 1))).toEqual([4.2, 46]);
      expect(found(4.35, charged(45, 40), charged(4.2, 20), charged(46, 1))).toEqual([45]);
      // A confirmed pair ends with the sales after it.
      const pair = [charged(45, 9), charged(46, 8)];
      const before = [charged(4.2, 20), charged(4.2, 15)];
      expect(found(null, ...before, ...pair)).toEqual([45]);
      const [first, second, third] = [charged(4.2, 5), charged(4.2, 3), charged(4.2, 2)];
      expect(found(null, ...before, ...pair, first, second)).toEqual([4.2]);
      expect(found(4.35, ...pair, first, second)).toEqual([45]);
      expect(found(4.35, ...pair, first, second, third)).toEqual([4.2]);
    });

    it('is compared with what other price bands were charged', () => {
      const fba = { marketplace: 'amazon', doubtedSince: null, now: NOW } as const;
      const at = (fee: number, price: number, days: number) => charged(fee, days, 1, price);
      const many = Array.from({ length: 200 }, (_, index) => at(4.2, 30, 50 - index / 8));
      const waitingOf = (...answers: FulfillmentAnswer[]) =>
        countingFulfillment({ ...fba, answers }, null).flatMap(({ fee, waits }) =>
          waits === undefined ? [] : [[fee / 100, waits]],
        );
      expect(waitingOf(...many, at(45, 60, 3))).toEqual([[45, 'high']]);
      expect(waitingOf(...many, at(12.5, 60, 3))).toEqual([]);
    });

    it('counts with two more within a day, which are no single wrong row', () => {
      expect(found(null, ...usual, charged(45, 3), charged(45, 2.9), charged(45, 2.8))).toEqual([45]);
      expect(found(4.35, charged(45, 3), charged(44, 2.9), charged(45, 2.8))[0]).toBe(45);
    });

    it('counts with a second one of another price band, or of before the published fees changed', () => {
      const fba = (...answers: FulfillmentAnswer[]) => {
        const known = { marketplace: 'amazon', doubtedSince: null, now: NOW } as const;
        const published = [{ upTo: null, fee: usd(4.09) }];
        const counting = countingFulfillment({ ...known, answers }, published);
        const evidence = { ...known, feeCategory: null, isHazardous: false, answers: counting };
        const { steps } = reportedFulfillment(evidence, published);
        return (feeAtPrice(steps, usd(15)) ?? 0) / 100;
      };
      const lone = charged(20, 12, 1, 15);
      expect(fba(lone)).toBe(4.09);
      expect(fba(lone, charged(20, 20, 1, 9.5))).toBe(20);
      // April 10 and 19, around the day on which Amazon's fees changed.
      const atEdge = [charged(20, 82, 1, 15), charged(20, 73, 1, 15)];
      const known = { marketplace: 'amazon', doubtedSince: null, now: daysAgo(71) } as const;
      const counting = countingFulfillment({ ...known, answers: atEdge }, [{ upTo: null, fee: usd(4.09) }]);
      expect(counting.map(({ waits }) => waits)).toEqual([undefined, undefined]);
    });

    it('makes no lower one wait that counts without it', () => {
      expect(found(4.35, charged(14, 9), charged(12.5, 1))).toEqual([12.5]);
      expect(found(4.35, charged(4.2, 20), charged(14, 9), charged(12.5, 1))).toEqual([12.5]);
      const oneDay = Array.from({ length: 30 }, () => charged(12.5, 1));
      expect(found(4.35, charged(14, 9), ...oneDay)).toEqual([12.5]);
      expect(found(5.44, charged(26, 9), charged(9, 1))).toEqual([9]);
    });

    it('is compared with the published fee, not with a single lower one', () => {
      expect(found(4.35, charged(13, 9), charged(37, 3))).toEqual([13]);
    });

    it('counts at once up to three times either of them', () => {
      expect(found(4.35, ...usual, charged(14, 3))).toEqual([4.2, 14]);
      expect(found(4.35, ...usual, charged(12.5, 3))).toEqual([12.5]);
      expect(found(5, ...usual, charged(14, 3))).toEqual([14]);
      expect(found(null, ...usual, charged(14, 3))).toEqual([4.2, 14]);
      expect(found(null, ...usual, charged(12.5, 3))).toEqual([12.5]);
      expect(found(4.35, charged(14, 3))).toEqual([4.35, 14]);
      expect(found(4.35, charged(12.5, 3))).toEqual([12.5]);
      // Also above its revenue.
      expect(found(8, charged(21, 3))).toEqual([21]);
    });

    it('says nothing once charges are too old, and neither does another single one', () => {
      const old = [charged(4.2, 90), charged(4.2, 85), charged(4.2, 80)];
      expect(found(4, ...old, charged(45, 70))).toEqual([4.2, 45]);
      expect(found(4, ...old, charged(9, 70))).toEqual([4.2]);
      expect(found(4, ...old, charged(9, 72), charged(8, 70))).toEqual([8]);
      expect(found(4, charged(9, 72))).toEqual([4]);
      expect(found(4, charged(9, 72), charged(5, 30))).toEqual([5]);
      expect(found(null, charged(9, 72))).toEqual([9]);
    });
  });

  it('jumps from what was charged before it, never from what was charged after it', () => {
    const known = [
      charged(4, 6),
      charged(4, 5),
      charged(4, 4),
      charged(9, 3.5),
      charged(4, 3),
      charged(4, 2.9),
    ];
    const jump = (...fresh: FulfillmentAnswer[]) => {
      const evidence = { ...WFS, feeCategory: null, isHazardous: false, answers: [...known, ...fresh] };
      return fulfillmentJump(evidence, (answer) => fresh.some((each) => isSameAnswer(each, answer)));
    };
    // Booked later, but older: of a report that is read from its newest row on.
    expect(jump(charged(8, 9), charged(8, 8))).toBeNull();
    expect(jump(charged(6, 2))).toMatchObject({ fees: { before: usd(9), reported: usd(6) } });
    expect(jump(charged(12, 2))).toMatchObject({ fees: { reported: usd(12) }, since: daysAgo(2) });
    expect(jump(charged(4, 1))).toBeNull();
    // From the first one that jumped, not from the first one that was read.
    expect(jump(charged(4, 2.5), charged(12, 2), charged(11, 1))).toMatchObject({ since: daysAgo(2) });
  });

  it('jumps also from what only is the least that the fee is, unless to the published one', () => {
    const jump = (published: number | null, fresh: readonly FulfillmentAnswer[], days: number) => {
      const old = [charged(4, days + 2), charged(4, days)];
      const evidence = { ...WFS, feeCategory: null, isHazardous: false, answers: [...old, ...fresh] };
      const isNew = (answer: Parameters<typeof isSameAnswer>[0]) =>
        fresh.some((each) => isSameAnswer(each, answer));
      return fulfillmentJump(
        evidence,
        isNew,
        published === null ? null : [{ upTo: null, fee: usd(published) }],
      );
    };
    expect(jump(4.35, [charged(2, 1)], 70)).toMatchObject({ fees: { before: usd(4.35), reported: usd(2) } });
    expect(jump(3, [charged(8, 1)], 70)).toMatchObject({ fees: { before: usd(4), reported: usd(8) } });
    expect(jump(3, [charged(4.2, 1)], 70)).toBeNull();
    // Which the published fee of now explains: a season ended.
    expect(jump(3, [charged(3.1, 1)], 70)).toBeNull();
    expect(jump(null, [charged(2, 1)], 70)).toBeNull();
    expect(jump(4.35, [charged(2, 1)], 7)).toMatchObject({ fees: { before: usd(4), reported: usd(2) } });
  });

  it('is that of a fact without units, which an earlier release stored, for one unit', () => {
    const fact = (over: Partial<FeeFact>): FeeFact => ({
      kind: 'fulfillment',
      name: null,
      source: 'settled',
      fulfillmentType: 'FBA/WFS',
      askedPrice: usd(20),
      askedShipping: usd(0),
      amount: usd(3),
      promotion: usd(0),
      toldAt: daysAgo(5),
      isAccepted: false,
      ...over,
    });
    const old = [fact({}), fact({ amount: usd(4), toldAt: daysAgo(4) })];
    expect(feeOf(fulfillmentAnswers(old))).toBe(4);
    // Two fees of one day and price are those of two sales, not two parts of one fee.
    const oneDay = [fact({ units: 3 }), fact({ amount: usd(4), units: 1 }), fact({ toldAt: daysAgo(6) })];
    expect(fulfillmentAnswers(oneDay).map(({ fee, units }) => [fee, units])).toEqual([
      [usd(3), 1],
      [usd(3), 3],
      [usd(4), 1],
    ]);
  });
});

/** None more than three times another one. */
const sale = fc.record({
  fee: fc.integer({ min: 3, max: 9 }),
  units: fc.integer({ min: 1, max: 5 }),
  hoursAgo: fc.integer({ min: -5, max: 80 * 24 }),
});
const sales = fc
  .array(sale, { maxLength: 12 })
  .map((all) => all.map(({ fee, units, hoursAgo }) => charged(fee, hoursAgo / 24, units)));
const isRecent = ({ toldAt }: FulfillmentAnswer) => toldAt > daysAgo(60) && toldAt <= NOW;

/** Of a count of every unit, in dollars: of a sale fewer than of all others together. 0 of fewer than three sales. */
function plainMedian(charges: readonly FulfillmentAnswer[]): number {
  if (charges.length < 3) return 0;
  const all = charges.reduce((sum, { units = 1 }) => sum + units, 0);
  const counted = charges
    .flatMap(({ fee, units = 1 }) => Array<Cents>(Math.max(1, Math.min(units, all - units - 1))).fill(fee))
    .sort((a, b) => a - b);
  return (counted[Math.floor(counted.length / 2)] ?? 0) / 100;
}
/** Without what waits. */
const usualOf = (charges: readonly FulfillmentAnswer[]) => {
  const held = heldOf(charges);
  const waits = (charge: FulfillmentAnswer) =>
    held.some((each) => timeOf(each) === timeOf(charge) && each.fee === charge.fee);
  return plainMedian(charges.filter((each) => isRecent(each) && !waits(each)));
};

law(
  'is assumed at most without a charge of 60 days, else never below the median or the newest, in any order',
  sales,
  (all) => {
    const past = all.filter(({ toldAt }) => toldAt <= NOW);
    const recent = all.filter(isRecent);
    const fee = feeOf(all);
    expect(fee === null).toBe(past.length === 0);
    expect(feeOf(all.toReversed())).toBe(fee);
    if (past.length > 0 && recent.length === 0) expect(stepsOf(all)?.at(-1)?.isAssumed).toBe(true);
    if (recent.length === 0) return;
    expect(fee).toBeGreaterThanOrEqual(usualOf(all));
    const newest = Math.max(...recent.map(({ toldAt }) => toldAt));
    for (const last of recent.filter(({ toldAt }) => toldAt === newest)) {
      // A fall waits; else it counts as it is.
      const isWaiting = heldOf(all).some(({ toldAt }) => toldAt === newest);
      if (!isWaiting) expect(fee).toBeGreaterThanOrEqual(last.fee / 100);
    }
  },
);

law(
  'time alone never takes the fee below the published one, and what the last sales of more than a day were all charged',
  fc.tuple(sales, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 60, max: 200 })),
  ([all, dollars, days]) => {
    const past = all.filter(({ toldAt }) => toldAt <= NOW);
    if (past.length === 0) return;
    const published = [{ upTo: null, fee: usd(dollars) }];
    const later = { ...WFS, now: instant(NOW + days * DAY) };
    const evidence = { ...later, feeCategory: null, isHazardous: false };
    const answers = countingFulfillment({ ...later, answers: past }, published);
    const fee = feeAtPrice(reportedFulfillment({ ...evidence, answers }, published).steps, usd(20));
    const newest = Math.max(...past.map(timeOf));
    const dayBefore = Math.max(...past.map(timeOf).filter((at) => newest - at >= DAY));
    const last = past.filter((each) => timeOf(each) >= dayBefore).map((each) => each.fee);
    const isShown = Number.isFinite(dayBefore) && Math.max(...last) <= 3 * Math.min(...last);
    expect(fee).toBeGreaterThanOrEqual(Math.max(usd(dollars), isShown ? Math.min(...last) : 0));
  },
);

law(
  'a sale lowers the fee only to what it and another one, 24 hours or more before it, were charged at most',
  fc.tuple(sales, sale),
  ([earlier, { fee: amount, units }]) => {
    const before = feeOf(earlier.filter(({ toldAt }) => toldAt < NOW));
    const past = earlier.filter(({ toldAt }) => toldAt < NOW);
    const last = charged(amount, 0, units);
    const after = feeOf([...past, last]) ?? 0;
    if (before === null || after >= before) return;
    expect(after).toBeGreaterThanOrEqual(amount);
    const isSmall = after * 100 >= before * 95;
    const agree = past.some(({ fee, toldAt }) => fee <= after * 100 && NOW - toldAt >= DAY);
    expect(isSmall || agree).toBe(true);
    expect(after).toBeGreaterThanOrEqual(plainMedian([...past, last].filter(isRecent)));
  },
);

law(
  'the fee in force is never below the lower of the median and the fee before',
  fc.tuple(sales, sale),
  ([earlier, { fee: amount, units }]) => {
    const past = earlier.filter(({ toldAt }) => toldAt < NOW);
    const last = charged(amount, 0, units);
    const before = feeOf(past) ?? 0;
    const median = plainMedian([...past, last].filter(isRecent));
    expect(feeOf([...past, last])).toBeGreaterThanOrEqual(Math.min(median, before));
  },
);

law(
  'sales of one day never take the fee below the published one, and without one never change a price',
  fc.tuple(
    fc.array(fc.record({ fee: fc.integer({ min: 1, max: 9 }), units: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
    fc.integer({ min: 2, max: 9 }),
  ),
  ([day, dollars]) => {
    const answers = day.map(({ fee, units }, hour) => charged(fee, 5 - hour / 24, units));
    const known = { ...WFS, feeCategory: null, isHazardous: false };
    const read = (published: readonly FulfillmentStep[] | null) => {
      const evidence = { ...known, answers: countingFulfillment({ ...WFS, answers }, published) };
      return reportedFulfillment(evidence, published).steps;
    };
    expect(feeAtPrice(read([{ upTo: null, fee: usd(dollars) }]), usd(20))).toBeGreaterThanOrEqual(
      usd(dollars),
    );
    expect(stepAtPrice(read(null), usd(20))?.isAssumed).toBe(true);
  },
);

/** Whatever a report may hold: fees of $0.30 to $90.00, at prices of every band. */
const anyCharge = fc.record({
  fee: fc.oneof(fc.integer({ min: 380, max: 460 }), fc.integer({ min: 30, max: 9_000 })),
  units: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 })),
  hoursAgo: fc.integer({ min: 0, max: 90 * 24 }),
  price: fc.constantFrom(5, 20, 60),
  isOther: fc.boolean(),
  isAccepted: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
});
const anyPublished = fc.option(fc.integer({ min: 300, max: 900 }), { nil: null });
const publishedAt = (fee: number | null) => (fee === null ? null : [{ upTo: null, fee: fee as Cents }]);
const chargeAt = (fee: number, hoursAgo: number, units = 1) => charged(fee / 100, hoursAgo / 24, units);
const feeWith = (published: number | null, answers: readonly FulfillmentAnswer[], now: Instant = NOW) => {
  const evidence = { ...WFS, now, feeCategory: null, isHazardous: false };
  const counting = countingFulfillment({ ...WFS, now, answers }, publishedAt(published));
  const found = reportedFulfillment({ ...evidence, answers: counting }, publishedAt(published));
  return { fee: feeAtPrice(found.steps, usd(20)) ?? 0, steps: found.steps, counting };
};

law(
  'what waits decides nothing, also not through the median',
  fc.record({
    all: fc.array(anyCharge, { maxLength: 14 }),
    published: anyPublished,
    marketplace: fc.constantFrom('walmart' as const, 'amazon' as const),
    doubted: fc.option(fc.integer({ min: 1, max: 60 }), { nil: null }),
  }),
  ({ all, published, marketplace, doubted }) => {
    const answers = all.map(({ fee, hoursAgo, units, price, isOther, isAccepted }) => ({
      ...charged(fee / 100, hoursAgo / 24, units, price),
      isAccepted,
      ...(isOther && hoursAgo > 30 * 24 ? { isOfOtherPackage: true as const } : {}),
    }));
    const known = { marketplace, doubtedSince: doubted === null ? null : daysAgo(doubted), now: NOW };
    const read = (some: readonly FulfillmentAnswer[]) => {
      const counting = countingFulfillment({ ...known, answers: some }, publishedAt(published));
      const evidence = { ...known, feeCategory: null, isHazardous: false, answers: counting };
      const waiting = counting.filter(({ waits }) => waits !== undefined);
      return { ...reportedFulfillment(evidence, publishedAt(published)), waiting };
    };
    const { waiting, ...found } = read(answers);
    const waits = (each: FulfillmentAnswer) =>
      waiting.some((other) => isSameAnswer(other, each) && other.fee === each.fee);
    const { waiting: none, ...without } = read(answers.filter((each) => !waits(each)));
    expect(without).toEqual(found);
    expect(none).toEqual([]);
  },
);

law(
  'no fee is below all that was charged, where two sales a day apart and no more than three times apart were',
  fc.record({
    fees: fc.array(fc.tuple(fc.integer({ min: 400, max: 1_200 }), fc.integer({ min: 1, max: 59 * 24 })), {
      minLength: 2,
      maxLength: 6,
    }),
    published: fc.integer({ min: 100, max: 4_000 }),
  }),
  ({ fees, published }) => {
    const hoursOf = fees.map(([, hoursAgo]) => hoursAgo);
    fc.pre(Math.max(...hoursOf) - Math.min(...hoursOf) >= 24);
    const answers = fees.map(([fee, hoursAgo]) => charged(fee / 100, hoursAgo / 24));
    const steps = [{ upTo: null, fee: published as Cents }];
    const counting = countingFulfillment({ ...WFS, answers }, steps);
    const evidence = { ...WFS, feeCategory: null, isHazardous: false, answers: counting };
    const fee = feeAtPrice(reportedFulfillment(evidence, steps).steps, usd(20));
    expect(fee).toBeGreaterThanOrEqual(Math.min(...fees.map(([each]) => each)));
  },
);

/** Sales at nearly one fee, in cents, of at least two days. */
const goodSales = fc
  .record({
    fee: fc.integer({ min: 300, max: 900 }),
    others: fc.array(fc.tuple(fc.integer({ min: 30, max: 50 * 24 }), fc.integer({ min: -4, max: 4 })), {
      minLength: 2,
      maxLength: 10,
    }),
  })
  .map(({ fee, others }) => {
    const hoursOf = [40, 70, ...others.map(([hoursAgo]) => hoursAgo)];
    return { fee, sales: hoursOf.map((hoursAgo, at) => chargeAt(fee + (others[at]?.[1] ?? 0), hoursAgo)) };
  });
const wrongRow = fc.record({
  fee: fc.integer({ min: 1, max: 9_000 }),
  hoursAgo: fc.integer({ min: 0, max: 50 * 24 }),
  units: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 500 })),
});

law(
  'one wrong row lowers nothing, raises the fee to three times at most, and not after two good sales or 60 days',
  fc.record({ good: goodSales, wrong: wrongRow, isPublished: fc.boolean() }),
  ({ good: { fee, sales: good }, wrong, isPublished }) => {
    const published = isPublished ? fee : null;
    const row = chargeAt(wrong.fee, wrong.hoursAgo, wrong.units);
    const found = feeWith(published, [...good, row]).fee;
    expect(found).toBeGreaterThanOrEqual(fee - 4);
    expect(found).toBeLessThanOrEqual(Math.max(fee + 4, Math.min(wrong.fee, 3 * (fee + 4))));
    if (wrong.fee > 3 * (fee + 4)) expect(found).toBeLessThanOrEqual(fee + 4);
    const after = [chargeAt(fee, -25), chargeAt(fee, -50)];
    expect(feeWith(published, [...good, row, ...after], instant(NOW + 3 * DAY)).fee).toBeLessThanOrEqual(
      fee + 4,
    );
    // Within 5% it is the same fee.
    const later = feeWith(published, [...good, row], instant(NOW + 60 * DAY)).fee;
    expect(later).toBeLessThanOrEqual((fee + 4) / 0.95);
  },
);

law(
  'one wrong row that is the first charge blocks nothing either',
  fc.record({ wrong: wrongRow, published: fc.integer({ min: 300, max: 900 }) }),
  ({ wrong, published }) => {
    const row = chargeAt(wrong.fee, wrong.hoursAgo, wrong.units);
    const { fee } = feeWith(published, [row]);
    expect(fee).toBeGreaterThanOrEqual(
      Math.min(published, wrong.fee < 0.95 * published ? published : wrong.fee),
    );
    expect(fee).toBeLessThanOrEqual(Math.max(published, wrong.fee > 3 * published ? published : wrong.fee));
    expect(feeWith(published, [row], instant(NOW + 60 * DAY)).fee).toBe(published);
  },
);

law(
  'a true rise or fall counts with a second sale a day later, and a rise of up to three times at once',
  fc.record({ good: goodSales, to: fc.integer({ min: 100, max: 9_000 }), isPublished: fc.boolean() }),
  ({ good: { fee, sales: good }, to, isPublished }) => {
    const published = isPublished ? fee : null;
    const [first, second] = [chargeAt(to, 25), chargeAt(to, 0)];
    const found = feeWith(published, [...good, first, second]).fee;
    if (to >= fee + 4) expect(found).toBe(to);
    // A fall also with the median, for which most units count.
    const most = good.map((_, at) => chargeAt(to, 20 - at / 2));
    const fallen = [...good, first, second, ...most, chargeAt(to, -25)];
    if (to < fee - 4) expect(feeWith(published, fallen, instant(NOW + 2 * DAY)).fee).toBe(to);
    if (to >= fee + 4 && to <= 3 * (fee - 4)) expect(feeWith(published, [...good, first]).fee).toBe(to);
  },
);

law(
  'two wrong rows do not count beyond as many good sales after them',
  fc.record({ good: goodSales, rows: fc.tuple(wrongRow, wrongRow), isPublished: fc.boolean() }),
  ({ good: { fee, sales: good }, rows, isPublished }) => {
    const published = isPublished ? fee : null;
    const wrong = rows.map((row) => chargeAt(row.fee, row.hoursAgo));
    const after = [chargeAt(fee, -25), chargeAt(fee, -50), chargeAt(fee, -51)];
    const found = feeWith(published, [...good, ...wrong, ...after], instant(NOW + 3 * DAY)).fee;
    expect(Math.abs(found - fee)).toBeLessThanOrEqual(4);
  },
);

law(
  'charges in a row with the same fee decide nothing more, whatever comes before and after them',
  fc.tuple(
    fc.array(
      fc.record({
        fee: fc.integer({ min: 1, max: 4 }),
        gap: fc.integer({ min: 0, max: 30 }),
        repeats: fc.integer({ min: 1, max: 6 }),
        price: fc.constantFrom(5, 20),
      }),
      { maxLength: 8 },
    ),
    fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
    fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
  ),
  ([rows, doubtedDays, dollars]) => {
    let hoursAgo = 50 * 24;
    const all = rows.flatMap(({ fee, gap, repeats, price }) =>
      Array.from({ length: repeats }, () => {
        hoursAgo -= gap;
        return charged(fee, hoursAgo / 24, 1, price);
      }),
    );
    const doubtedSince = doubtedDays === null ? null : daysAgo(doubtedDays);
    const published = dollars === null ? null : [{ upTo: null, fee: usd(dollars) }];
    const read = (answers: readonly FulfillmentAnswer[]) => {
      const evidence = { ...WFS, doubtedSince, feeCategory: null, isHazardous: false, answers };
      return reportedFulfillment(evidence, published);
    };
    const deciding = [5, 20].flatMap((price) =>
      decidingCharges(
        all.filter(({ askedPrice }) => askedPrice === usd(price)),
        doubtedSince,
      ),
    );
    expect(read(deciding.sort((one, other) => one.toldAt - other.toldAt))).toEqual(read(all));
  },
);

it('does not grow with the sales of a listing', () => {
  const many = Array.from({ length: 500 }, (_, index) => charged(4, 50 - index / 10));
  const counting = countingFulfillment({ ...WFS, answers: many }, null);
  expect(counting.length).toBeLessThan(30);
  expect(feeOf(many)).toBe(4);
});
