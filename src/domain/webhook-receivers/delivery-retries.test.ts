import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hours, instant } from '#domain/units.ts';
import { type AttemptOutcome, deliveryResult, MAX_ATTEMPTS, receiverHealth } from './delivery-retries.ts';

const NOW = instant(Date.UTC(2026, 10, 28));
const answered = (status: number, retryAfter: number | null = null): AttemptOutcome => ({
  kind: 'answered',
  status,
  retryAfter,
});
const TIMEOUT: AttemptOutcome = { kind: 'failed', reason: 'timeout' };

/** Milliseconds until the next attempt; NaN without one. */
function waitAfter(outcome: AttemptOutcome, attempts: number, chance = 0.5): number {
  const result = deliveryResult(outcome, attempts, null, NOW, chance);
  return result.kind === 'retry' ? result.at - NOW : Number.NaN;
}

/** From the first attempt to the last one. */
function wholeTime(outcome: AttemptOutcome, chance: number): number {
  const attempts = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => index + 1);
  return attempts.reduce((sum, attempt) => sum + waitAfter(outcome, attempt, chance), 0);
}

describe('an attempt to deliver a webhook', () => {
  test.each([200, 202, 204, 299])('of status %s is a delivery', (status) => {
    expect(deliveryResult(answered(status), MAX_ATTEMPTS, null, NOW, 0)).toEqual({ kind: 'delivered' });
  });

  test('of status 410 means that the receiver wants no more, at the first attempt too', () => {
    expect(deliveryResult(answered(410), 1, null, NOW, 0)).toEqual({ kind: 'unsubscribed' });
  });

  test.each([301, 302, 307, 308, 400, 401, 404, 429, 500, 503])('of status %s is retried', (status) => {
    expect(deliveryResult(answered(status), 1, null, NOW, 0.5).kind).toBe('retry');
  });

  test('is retried after waits that grow, over about a day', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 10].map((attempts) => waitAfter(TIMEOUT, attempts) / 1_000);
    expect(waits).toEqual([30, 90, 270, 810, 2_430, 7_290, 18_000, 18_000]);
    expect(wholeTime(TIMEOUT, 0)).toBeGreaterThan(hours(16));
    expect(wholeTime(TIMEOUT, 0.999)).toBeLessThan(hours(30));
  });

  test('is given up after the last one, where the receiver accepts others', () => {
    const recently = instant(NOW - hours(11));
    expect(deliveryResult(TIMEOUT, MAX_ATTEMPTS, null, NOW, 0)).toEqual({ kind: 'given_up' });
    expect(deliveryResult(answered(500), MAX_ATTEMPTS, recently, NOW, 0)).toEqual({ kind: 'given_up' });
  });

  test('waits on after the last one, where the receiver accepts nothing', () => {
    const [longAgo, attempts] = [instant(NOW - hours(12)), MAX_ATTEMPTS + 5];
    const result = deliveryResult(answered(500), attempts, longAgo, NOW, 0.5);
    expect(result).toEqual({ kind: 'retry', at: NOW + hours(5) });
  });

  test('waits as long as the receiver asks for, but no longer than five hours and never shorter', () => {
    expect(waitAfter(answered(429, 600_000), 1)).toBe(600_000);
    expect(waitAfter(answered(503, 1_000), 1)).toBe(30_000);
    expect(waitAfter(answered(503, hours(24 * 365)), 1)).toBe(hours(5));
  });

  test('always ends, whatever a receiver answers', () => {
    const outcomes = fc.record({
      status: fc.integer({ min: 200, max: 999 }),
      retryAfter: fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
    });
    const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        outcomes,
        fc.integer({ min: 1, max: MAX_ATTEMPTS + 3 }),
        chances,
        (answer, attempts, chance) => {
          const result = deliveryResult(
            answered(answer.status, answer.retryAfter),
            attempts,
            null,
            NOW,
            chance,
          );
          if (result.kind !== 'retry') return;
          expect(attempts).toBeLessThan(MAX_ATTEMPTS);
          expect(result.at - NOW).toBeGreaterThanOrEqual(22_500);
          expect(result.at - NOW).toBeLessThanOrEqual(hours(5) * 1.25);
        },
      ),
    );
  });
});

describe('a receiver', () => {
  const since = (hoursAgo: number) => instant(NOW - hours(hoursAgo));
  test.each([
    [
      'that takes an event is well again',
      answered(204),
      since(80),
      { failingSince: null, restsUntil: null, offReason: null },
    ],
    [
      'that refuses one is asked on',
      answered(500),
      null,
      { failingSince: NOW, restsUntil: null, offReason: null },
    ],
    [
      'that does not answer rests for a minute',
      TIMEOUT,
      null,
      { failingSince: NOW, restsUntil: NOW + 60_000, offReason: null },
    ],
    [
      'that is overloaded rests for a minute',
      answered(429),
      null,
      { failingSince: NOW, restsUntil: NOW + 60_000, offReason: null },
    ],
    [
      'that is overloaded rests for as long as it asks',
      answered(503, 600_000),
      null,
      { failingSince: NOW, restsUntil: NOW + 600_000, offReason: null },
    ],
    [
      'that asks for a year rests for an hour',
      answered(429, hours(24 * 365)),
      null,
      { failingSince: NOW, restsUntil: NOW + hours(1), offReason: null },
    ],
    [
      'that refuses one event and asks for a wait is asked on for the others',
      answered(400, 600_000),
      null,
      { failingSince: NOW, restsUntil: null, offReason: null },
    ],
    [
      'that accepted nothing for 8 minutes rests for 2',
      answered(500),
      instant(NOW - 480_000),
      { failingSince: NOW - 480_000, restsUntil: NOW + 120_000, offReason: null },
    ],
    [
      'that accepted nothing for hours rests for 5 minutes',
      TIMEOUT,
      since(7),
      { failingSince: since(7), restsUntil: NOW + 300_000, offReason: null },
    ],
    [
      'that wants no more is off',
      answered(410),
      null,
      { failingSince: NOW, restsUntil: null, offReason: 'unsubscribed' },
    ],
    [
      'that failed for three days is on',
      answered(500),
      since(72),
      { failingSince: since(72), restsUntil: NOW + 300_000, offReason: null },
    ],
    [
      'that failed for longer is off',
      answered(500),
      since(72.1),
      { failingSince: since(72.1), restsUntil: NOW + 300_000, offReason: 'failing' },
    ],
  ] as const)('%s', (_what, outcome, failingSince, health) => {
    expect(receiverHealth(outcome, failingSince, NOW)).toEqual(health);
  });
});
