import { expect, test } from 'vitest';
import { ConnectorError } from './connector-error.ts';
import { alarmed, FormatAlarm } from './format-alarm.ts';
import { unreadableRow } from './passed-over.ts';

const good = (count: number): object[] => Array.from({ length: count }, () => ({ sku: 'A' }));
const odd = (count: number, member = 'price.amount'): object[] =>
  Array.from({ length: count }, (_, at) => unreadableRow(`B-${at}`, member, 'USD 5'));

test.each<[string, object[], boolean]>([
  ['18 of 60 with one member', [...good(42), ...odd(18)], true],
  ['10 of 50, which is a fifth', [...good(40), ...odd(10)], false],
  ['11 of 50', [...good(39), ...odd(11)], true],
  ['all of 49', odd(49), false],
  ['30 of 60 with three members', [...good(30), ...odd(10, 'a'), ...odd(10, 'b'), ...odd(10, 'c')], false],
])('%s: the format has changed: %s', (_, rows, changed) => {
  const alarm = new FormatAlarm('Walmart');
  alarm.takes(rows);
  if (!changed) expect(() => alarm.check()).not.toThrow();
  else expect(() => alarm.check()).toThrow(expect.objectContaining({ fault: 'unreadable' }));
});

test('says which member, how many rows, and one of them', () => {
  const alarm = new FormatAlarm('Walmart');
  alarm.takes([...good(42), ...odd(18)]);
  expect(() => alarm.check()).toThrow(
    /^Walmart changed how it writes "price\.amount": 18 of 60 rows cannot be read, such as "USD 5" for B-0\./,
  );
});

async function* reading(pages: object[][], error?: Error): AsyncGenerator<object[], 'end'> {
  yield* pages;
  if (error !== undefined) throw error;
  return 'end';
}

async function used(pages: AsyncGenerator<object[], unknown>) {
  const rows: object[] = [];
  try {
    for await (const page of pages) rows.push(...page);
    return { rows: rows.length, error: null };
  } catch (error) {
    return { rows: rows.length, error };
  }
}

test('nothing of a reading in another format is used, on whichever page the odd rows are', async () => {
  const pages = [good(50), odd(18)];
  const { rows, error } = await used(alarmed('Walmart', reading(pages), (page) => page));
  expect(rows).toBe(0);
  expect(error).toMatchObject({ fault: 'unreadable' });
});

test('a reading that fails in another way keeps what came before', async () => {
  const failure = new ConnectorError('network', 'Walmart cannot be reached.');
  const { rows, error } = await used(alarmed('Walmart', reading([good(20)], failure), (page) => page));
  expect(rows).toBe(20);
  expect(error).toBe(failure);
});

test('after the first rows each page is used at once, and none once the format changes', async () => {
  const given: number[] = [];
  async function* pages() {
    for (const page of [good(40), good(40), odd(40)]) {
      given.push(page.length);
      yield page;
    }
    return 'end' as const;
  }
  const seen: number[] = [];
  const read = alarmed('Walmart', pages(), (page) => page, 80);
  await expect(
    (async () => {
      for await (const page of read) seen.push(page.length, given.length);
    })(),
  ).rejects.toMatchObject({ fault: 'unreadable' });
  expect(seen).toEqual([40, 2, 40, 2]);
});

test('its end is that of the reading, and stopping early ends that too', async () => {
  const whole = alarmed('Walmart', reading([good(1)]), (page) => page);
  await whole.next();
  expect(await whole.next()).toEqual({ done: true, value: 'end' });
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield good(10);
    } finally {
      ended = true;
    }
  }
  for await (const _ of alarmed('Walmart', endless(), (page) => page, 10)) break;
  expect(ended).toBe(true);
});
