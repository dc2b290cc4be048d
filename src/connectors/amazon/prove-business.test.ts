import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountFindings, BusinessOrder, PriceOrder } from '#connectors/connector.ts';
import { cents, instant } from '#domain/units.ts';
import {
  amazonAccount,
  amazonItem,
  amazonOffer,
  amazonRef,
  type FakeAmazon,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';
import type { Asked } from '#tests/support/fake-service.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';

type Entry = Record<string, unknown>;
type Levels = [number, number][];
const planOf = (levels: Levels) => [
  {
    schedule: [
      { discount_type: 'fixed', levels: levels.map(([lower_bound, value]) => ({ lower_bound, value })) },
    ],
  },
];
const BOUNDS = { minimum_seller_allowed_price: [{ schedule: [{ value_with_tax: 22 }] }] };
const businessOffer = (price: string, levels: Levels, more: Entry = {}) =>
  amazonOffer(price, { audience: 'B2B', quantity_discount_plan: planOf(levels), ...more });
const PLAN = { quantity_discount_plan: planOf([[5, 27]]) };

let fake: FakeAmazon;
let findings: AccountFindings;
/** What Amazon holds of each SKU, as it stores what it takes. */
let held: Map<number, Entry[]>;
let merge: (before: Entry, sent: Entry) => Entry;
let isValid: (patch: { readonly op: string; readonly value: readonly Entry[] }) => boolean;

beforeEach(async () => {
  fake = await startFakeAmazon();
  findings = memoryFindings({ amazon_write: { is: 'merge', isQuoted: false } }, fake.now);
  held = new Map(
    [1, 2, 3].map((number) => [
      number,
      [
        amazonOffer('29.99', BOUNDS),
        businessOffer(
          '28.00',
          [
            [5, 27],
            [20, 25.5],
          ],
          { other: 'kept' },
        ),
      ],
    ]),
  );
  merge = (before, sent) => ({ ...before, ...sent });
  isValid = () => true;
  fake.service.on('GET', /^\/listings/, ({ path }) => ({
    body: amazonItem(numberIn(path), {
      attributes: { purchasable_offer: held.get(numberIn(path)) },
      offers: [{ marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount: '29.99' } }],
    }),
  }));
  fake.service.on('PATCH', /^\/listings/, (requested) => ({ body: carriedOut(requested) }));
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const numberIn = (path: string): number => Number(/SKU-(\d+)/.exec(path)?.[1]);

function carriedOut(requested: Asked) {
  const number = numberIn(requested.path);
  const sku = `SKU-${number}`;
  const { patches } = requested.json as { patches: [{ op: string; value: Entry[] }] };
  const [patch] = patches;
  if (!isValid(patch))
    return { sku, status: 'INVALID', issues: [{ code: '4', message: 'No.', severity: 'ERROR' }] };
  if (requested.query.get('mode') !== null) return { sku, status: 'VALID', issues: [] };
  const merged = (held.get(number) ?? []).map((before) => {
    const sent = patch.value.find(({ audience }) => audience === before.audience);
    return sent === undefined ? before : merge(before, sent);
  });
  held.set(number, patch.op === 'merge' ? merged : patch.value);
  return { sku, status: 'ACCEPTED', issues: [] };
}

const FOLLOWED: BusinessOrder = {
  price: cents(2_567),
  tiers: [
    { from: 5, price: cents(2_475) },
    { from: 20, price: cents(2_338) },
  ],
  known: [5, 20],
};
const order = (number: number, business: BusinessOrder | null = FOLLOWED): PriceOrder => ({
  ref: amazonRef(number),
  price: cents(2_750),
  currentPrice: cents(2_999),
  ownPrices: [],
  business,
  sequence: 1,
  idempotencyKey: `key-${number}`,
  isUrgent: false,
  notAfter: instant(fake.now() + 20_000),
});
const send = (orders = [order(1)]) =>
  fake.amazon.sendPrices(amazonAccount({}, undefined, findings), orders, never);
const writes = (number = 1) =>
  fake.service.asked.filter(({ method, path }) => method === 'PATCH' && numberIn(path) === number);
const written = (number = 1) =>
  writes(number).map(({ query, json }) => {
    const [{ op, value }] = (json as { patches: [{ op: string; value: Entry[] }] }).patches;
    return `${query.get('mode') === null ? '' : 'preview '}${op} ${value.length}`;
  });
const followed = [
  amazonOffer('27.50', BOUNDS),
  businessOffer(
    '25.67',
    [
      [5, 24.75],
      [20, 23.38],
    ],
    { other: 'kept' },
  ),
];

describe('business prices that follow', () => {
  test('go as a second entry of the same merge, with their members alone (C34)', async () => {
    expect(await send()).toMatchObject([{ kind: 'accepted' }]);
    const [{ text } = { text: '' }] = writes().slice(-1);
    const { patches } = JSON.parse(text) as { patches: [{ value: Entry[] }] };
    const [{ value }] = patches;
    const priced = (amount: number) => [{ schedule: [{ value_with_tax: amount }] }];
    const selectors = (audience: string) => ({ marketplace_id: 'ATVPDKIKX0DER', audience, currency: 'USD' });
    expect(value).toEqual([
      { ...selectors('ALL'), our_price: priced(27.5) },
      {
        ...selectors('B2B'),
        our_price: priced(25.67),
        quantity_discount_plan: planOf([
          [5, 24.75],
          [20, 23.38],
        ]),
      },
    ]);
    expect(text).toContain('"value_with_tax":25.67');
    expect(text).toContain('"value":24.75');
    expect(held.get(1)).toEqual(followed);
  });

  test('are proven once with a preview and a look, then merged with the others', async () => {
    await send([order(1), order(2), order(3)]);
    expect([written(1), written(2), written(3)]).toEqual([
      ['preview merge 2', 'merge 2'],
      ['merge 2'],
      ['merge 2'],
    ]);
    expect([held.get(2), held.get(3)]).toEqual([followed, followed]);
    fake.pass(31 * 86_400_000);
    await findings.write('amazon_write', { is: 'merge', isQuoted: false }, null);
    await send();
    expect(written().slice(2)).toEqual(['preview merge 2', 'merge 2']);
  });

  test('stay as they are where businesses have no price, or just got a tier that is not known', async () => {
    held.set(1, [amazonOffer('29.99', BOUNDS)]);
    held.set(2, [
      amazonOffer('29.99'),
      businessOffer('28.00', [
        [5, 27],
        [50, 20],
      ]),
    ]);
    await send([order(1), order(2)]);
    expect(written(1)).toEqual(['merge 1']);
    expect(held.get(2)).toEqual([
      amazonOffer('27.50'),
      businessOffer('25.67', [
        [5, 27],
        [50, 20],
      ]),
    ]);
  });

  test('that are only tiers leave the price for one unit alone', async () => {
    held.set(1, [
      amazonOffer('29.99'),
      { ...without(amazonOffer('1', { audience: 'B2B' }), 'our_price'), ...PLAN },
    ]);
    const business = { price: null, tiers: [{ from: 5, price: cents(2_475) }], known: [5] };
    await send([order(1, business)]);
    expect(held.get(1)?.[1]).toMatchObject({ quantity_discount_plan: planOf([[5, 24.75]]) });
    expect(held.get(1)?.[1]).not.toHaveProperty('our_price');
  });
});

describe('the first business price of an account', () => {
  test('waits until it is proven how prices are written', async () => {
    findings = memoryFindings({}, fake.now);
    await send([order(1), order(2)]);
    expect(written(1)).toEqual(['preview merge 1', 'merge 1']);
    expect(written(2)).toEqual(['preview merge 2', 'merge 2']);
  });

  test('erases a member: it is written back with both prices, and no further one is sent', async () => {
    merge = ({ minimum_seller_allowed_price: _, ...before }, sent) => ({ ...before, ...sent });
    await send([order(1), order(2)]);
    expect(written(1)).toEqual(['preview merge 2', 'merge 2', 'replace 2']);
    expect(held.get(1)).toEqual(followed);
    expect(written(2)).toEqual(['merge 1']);
    expect(await findings.read('amazon_business')).toEqual({
      is: 'off',
      sku: 'SKU-1',
      lost: ['minimum_seller_allowed_price'],
      isRestored: true,
    });
  });

  test('is followed by a seller who edits the offer: nothing is written over that', async () => {
    merge = (before, sent) => ({ ...without(before, 'other'), ...sent, edited: 1 });
    await send();
    expect(written()).toEqual(['preview merge 2', 'merge 2']);
    expect(await findings.read('amazon_business')).toMatchObject({
      is: 'off',
      lost: ['other'],
      isRestored: false,
    });
  });

  test('is refused by a preview: the price goes alone, and is tried again after a day', async () => {
    isValid = ({ value }) => value.length === 1;
    expect(await send([order(1), order(2)])).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
    expect([written(1), written(2)]).toEqual([['preview merge 2', 'merge 1'], ['merge 1']]);
    // An alert names it.
    expect(await findings.read('amazon_business')).toMatchObject({ is: 'off', refused: expect.any(String) });
    fake.pass(25 * 3_600_000);
    await send([order(3)]);
    expect(written(3)).toEqual(['preview merge 2', 'merge 1']);
  });

  test('is not shown in time: the others go alone until a later call sees it', async () => {
    merge = (entry) => entry;
    await send([order(1), order(2)]);
    expect([written(1), written(2)]).toEqual([['preview merge 2', 'merge 2'], ['merge 1']]);
    await send([order(2)]);
    expect(written(2)).toEqual(['merge 1', 'merge 1']);
    merge = (entry, sent) => ({ ...entry, ...sent });
    held.set(1, followed);
    await send([order(3)]);
    expect(written(3)).toEqual(['merge 2']);
  });

  test('shows late that something is missing: a read-back reports it, and nothing is written back', async () => {
    merge = (entry) => entry;
    await send();
    fake.pass(16 * 60_000);
    const [regular, business] = followed as [Entry, Entry];
    held.set(1, [without(regular, 'minimum_seller_allowed_price'), business]);
    const account = amazonAccount({}, undefined, findings);
    const sent = {
      ref: amazonRef(1),
      price: cents(2_750),
      receipt: null,
      sentAt: fake.now(),
      isLastLook: false,
    };
    await fake.amazon.readPrices(account, [sent], never);
    expect(written()).toEqual(['preview merge 2', 'merge 2']);
    expect(await findings.read('amazon_business')).toMatchObject({ is: 'off', isRestored: false });
  });

  test('is not shown: prices go alone for a day after the last read-back, then another one is the proof', async () => {
    merge = (entry) => entry;
    await send();
    for (const passed of [16, 180, 1_200]) {
      fake.pass(passed * 60_000);
      await send([order(2)]);
    }
    expect(written(2)).toEqual(Array(3).fill('merge 1'));
    fake.pass(300 * 60_000);
    await send([order(3)]);
    expect(written(3)).toEqual(['preview merge 2', 'merge 2']);
  });
});

test('an account that takes no merge gets them in the offer that is sent back', async () => {
  await findings.write(
    'amazon_write',
    { is: 'replace', isQuoted: false, sku: 'X', lost: [], isRestored: true },
    null,
  );
  await send();
  expect(written()).toEqual(['replace 2']);
  expect(held.get(1)).toEqual(followed);
});

function without(entry: Entry, name: string): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([each]) => each !== name));
}
