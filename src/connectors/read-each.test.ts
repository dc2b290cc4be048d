import { expect, test } from 'vitest';
import { aSent } from '#tests/support/connector-fixture.ts';
import type { PriceReading, SentPrice } from './connector.ts';
import { ConnectorError, type ConnectorFault } from './connector-error.ts';
import { readEach, Shared } from './read-each.ts';

const SENT = [1, 2, 3, 4, 5, 6].map((id) => aSent(id, 1_999));
const missing = ({ ref: { listingId } }: SentPrice): PriceReading => ({ listingId, kind: 'missing' });

/** Reads two at once, and fails from a listing on. */
function readUntil(failing: number, fault: ConnectorFault, calls: number[] = []) {
  return readEach(SENT, 2, async (one) => {
    calls.push(one.ref.listingId);
    if (one.ref.listingId >= failing) throw new ConnectorError(fault, 'It failed.');
    return missing(one);
  });
}
const kindsOf = (readings: readonly PriceReading[]) =>
  readings.map(({ listingId, kind }) => [listingId, kind]);

test('an error of one price stops no other', async () => {
  expect(kindsOf(await readUntil(2, 'refused'))).toEqual([
    [1, 'missing'],
    ...[2, 3, 4, 5, 6].map((id) => [id, 'unreadable']),
  ]);
});

test.each(['busy', 'time', 'key', 'permission'] as const)(
  'an error of all calls (%s) ends the reading, and what was read counts',
  async (fault) => {
    const calls: number[] = [];
    expect(kindsOf(await readUntil(4, fault, calls))).toEqual([
      ...[1, 2, 3].map((id) => [id, 'missing']),
      ...[4, 5, 6].map((id) => [id, 'unreadable']),
    ]);
    expect(calls.length).toBeLessThan(6);
  },
);

test('a failed call stops no other', async () => {
  const calls: number[] = [];
  expect(await readUntil(4, 'service', calls)).toHaveLength(6);
  expect(calls).toEqual([1, 2, 3, 4, 5, 6]);
});

test.each(['busy', 'service', 'network'] as const)(
  'a failure (%s) is thrown if nothing was read',
  async (fault) => {
    await expect(readUntil(1, fault)).rejects.toMatchObject({ fault });
  },
);

test('an error of our own is thrown', async () => {
  const reading = readEach(SENT, 2, async () => {
    throw new TypeError('no such member');
  });
  await expect(reading).rejects.toThrow(TypeError);
});

test('an answer for several prices is requested once', async () => {
  const shared = new Shared<string, number>();
  let requests = 0;
  const request = async () => ++requests;
  expect(await Promise.all(['a', 'a', 'b', 'a'].map((key) => shared.of(key, request)))).toEqual([1, 1, 2, 1]);
});
