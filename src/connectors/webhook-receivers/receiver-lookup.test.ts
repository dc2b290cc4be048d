import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { openReceiverLookup, type Resolve } from './receiver-lookup.ts';

const FOUND: readonly LookupAddress[] = [
  { address: '203.0.114.9', family: 4 },
  { address: '2001:db9::9', family: 6 },
];
const fails =
  (code: string): Resolve =>
  async (hostname) => {
    throw Object.assign(new Error(hostname), { code });
  };

function lookUp(lookup: ReturnType<typeof openReceiverLookup>, hostname: string, all = true) {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all }, (error, found, family) =>
      error === null ? resolve(all ? found : [found, family]) : reject(error),
    );
  });
}

test('a name that servers know takes no thread', async () => {
  const lookup = openReceiverLookup(
    async () => FOUND,
    async () => expect.fail('The system looked it up.'),
  );
  expect(await lookUp(lookup, 'hooks.example')).toEqual(FOUND);
  expect(await lookUp(lookup, 'hooks.example', false)).toEqual(['203.0.114.9', 4]);
});

test('the lookups of the system take one thread at most, however long they last', async () => {
  const started: string[] = [];
  const ends = new Map<string, (found: readonly LookupAddress[]) => void>();
  const lookup = openReceiverLookup(
    fails('ENOTFOUND'),
    (hostname) =>
      new Promise((resolve) => {
        started.push(hostname);
        ends.set(hostname, resolve);
      }),
  );
  const names = ['one.example', 'two.example', 'one.example', 'two.example'];
  const lookups = names.map((name) => lookUp(lookup, name));
  await expect.poll(() => started).toEqual(['one.example']);
  ends.get('one.example')?.(FOUND);
  await expect.poll(() => started).toEqual(['one.example', 'two.example']);
  ends.get('two.example')?.(FOUND);
  expect(await Promise.all(lookups)).toEqual(names.map(() => FOUND));
  expect(started).toHaveLength(2);
});

test('a name whose servers do not respond takes none', async () => {
  const lookup = openReceiverLookup(fails('ETIMEOUT'), async () => expect.fail('The system looked it up.'));
  await expect(lookUp(lookup, 'hooks.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
});

test('an error of the system is reported, and the next name has its turn', async () => {
  const lookup = openReceiverLookup(fails('ENODATA'), fails('EAI_AGAIN'));
  const lookups = ['one.example', 'two.example'].map((name) => lookUp(lookup, name));
  for (const each of lookups) await expect(each).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});
