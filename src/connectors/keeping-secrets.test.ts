import { describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { KEYS, leaksIn, SECRET, tell } from '#tests/support/echo-service.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import type { MarketplaceConnector } from './connector.ts';
import { keepingSecrets, keepingSecretsOfDeletions } from './keeping-secrets.ts';

const SAID = `You sent ${SECRET.secret}`;
const NOW = instant(0);
const SIGNAL = new AbortController().signal;
const ACCOUNT = { credentials: KEYS.ebay, tokens: memoryVault() };

/** Whatever the type of a result is, its text repeats a secret. */
const says = async () => SAID as never;
async function* saysPages() {
  yield SAID as never;
  return SAID as never;
}

/** With every member that a connector can have: a new one does not compile before it is here. */
const WHOLE: Required<MarketplaceConnector> = {
  marketplace: 'ebay',
  finalRefusals: new Set(),
  listingsAtOnce: 500,
  itemReads: { callsPerSecond: 1, listingsPerCall: 1 },
  consent: { pageFor: () => ({ url: '', verifier: '' }) as never, exchange: says },
  migration: { atOnce: 1, migrate: says, readBack: says },
  bestOffers: { isWanted: ({ credentials }) => credentials === KEYS.ebay, raise: says },
  check: says,
  readListings: saysPages,
  readOffers: saysPages,
  readFeaturedPrices: saysPages,
  sendPrices: says,
  prepareToSend: says,
  finishWrites: says,
  pricesAtOnce: (waiting) => waiting,
  readPrices: says,
  readSales: saysPages,
  estimateFees: saysPages,
  readMoney: saysPages,
  readFigures: saysPages,
};
const KEPT = keepingSecrets(WHOLE);

type Called = Exclude<
  keyof MarketplaceConnector,
  'marketplace' | 'finalRefusals' | 'listingsAtOnce' | 'itemReads' | 'pricesAtOnce' | 'consent'
>;

const ORDER = {
  listingId: 1,
  itemId: '1',
  sku: 'A-1',
  isVariation: false,
  price: cents(100),
  lowest: cents(90),
  notAfter: NOW,
} as never;

/** The calls whose results and errors are stored or shown. */
const CALLS: Record<Called, (() => unknown)[]> = {
  migration: [
    () => KEPT.migration?.migrate(ACCOUNT, [], NOW, SIGNAL),
    () => KEPT.migration?.readBack(ACCOUNT, ORDER, SIGNAL),
  ],
  bestOffers: [() => KEPT.bestOffers?.raise(ACCOUNT, ORDER, SIGNAL)],
  check: [() => KEPT.check(ACCOUNT, SIGNAL)],
  readListings: [() => KEPT.readListings(ACCOUNT, SIGNAL)],
  readOffers: [() => KEPT.readOffers?.(ACCOUNT, [], SIGNAL)],
  readFeaturedPrices: [() => KEPT.readFeaturedPrices?.(ACCOUNT, [], SIGNAL)],
  sendPrices: [() => KEPT.sendPrices(ACCOUNT, [], SIGNAL)],
  prepareToSend: [() => KEPT.prepareToSend?.(ACCOUNT, 1, SIGNAL)],
  finishWrites: [() => KEPT.finishWrites?.(ACCOUNT, SIGNAL)],
  readPrices: [() => KEPT.readPrices(ACCOUNT, [], SIGNAL)],
  readSales: [() => KEPT.readSales?.(ACCOUNT, NOW, SIGNAL)],
  estimateFees: [() => KEPT.estimateFees?.(ACCOUNT, [], SIGNAL)],
  readMoney: [() => KEPT.readMoney?.(ACCOUNT, { since: NOW, until: NOW }, SIGNAL)],
  readFigures: [() => KEPT.readFigures?.(ACCOUNT, [], SIGNAL)],
};

describe('a connector that keeps its secrets', () => {
  test('still has everything that the connector can do', () => {
    expect(Object.keys(KEPT).sort()).toEqual(Object.keys(WHOLE).sort());
    expect(KEPT.bestOffers?.isWanted(ACCOUNT)).toBe(true);
    expect(KEPT.pricesAtOnce?.(7, 0)).toBe(7);
  });

  test.each(Object.entries(CALLS))('shows none of them in what %s returns', async (_name, calls) => {
    for (const call of calls) {
      const shown = await tell(call);
      expect(leaksIn(shown)).toEqual([]);
      expect(shown).toContain('[removed]');
    }
  });
});

describe('messages about deleted accounts', () => {
  const DELIVERY = { headers: {}, body: Buffer.from('{}') } as never;
  const messageOf = (answer: (text: string) => unknown) =>
    keepingSecretsOfDeletions('ebay', {
      messageOf: async (account) => {
        await account();
        return answer(SAID) as never;
      },
    }).messageOf(async () => ACCOUNT, DELIVERY, SIGNAL);

  test('contain no secret of the account whose key was read', async () => {
    expect(leaksIn(JSON.stringify(await messageOf((text) => ({ names: [text] }))))).toEqual([]);
    const thrown = await messageOf((text) => {
      throw new Error(text);
    }).catch((error: Error) => error.message);
    expect(leaksIn(String(thrown))).toEqual([]);
    expect(thrown).toContain('[removed]');
  });
});
