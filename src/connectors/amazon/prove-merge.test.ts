import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountFindings, PriceOrder } from '#connectors/connector.ts';
import { cents, instant } from '#domain/units.ts';
import {
  amazonAccount,
  amazonItem,
  amazonOffer,
  amazonRef,
  type FakeAmazon,
  startFakeAmazon,
} from '#tests/support/fake-amazon.ts';
import type { Asked } from '#tests/support/fake-service.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';

const SALE = {
  discounted_price: [{ schedule: [{ start_at: '2026-12-01', end_at: '2026-12-09', value_with_tax: 27 }] }],
};
const BOUNDS = { minimum_seller_allowed_price: [{ schedule: [{ value_with_tax: 22 }] }] };
const BUSINESS = amazonOffer('28.00', { audience: 'B2B' });
type Entry = Record<string, unknown>;

let fake: FakeAmazon;
let findings: AccountFindings;
/** What Amazon holds of SKU-1, as it stores what it takes. */
let held: Entry[];
/** How Amazon carries out a merge. */
let merge: (before: Entry, sent: Entry) => Entry;
/** Which patches a preview approves. */
let isValid: (patch: { readonly op: string; readonly value: readonly Entry[] }) => boolean;

beforeEach(async () => {
  fake = await startFakeAmazon();
  findings = memoryFindings({}, fake.now);
  held = [amazonOffer('31.00', { ...SALE, ...BOUNDS }), BUSINESS];
  merge = (before, sent) => ({ ...before, ...sent });
  isValid = () => true;
  fake.service.on('GET', /^\/listings/, ({ path }) => ({
    body: amazonItem(numberIn(path), numberIn(path) === 1 ? { attributes: { purchasable_offer: held } } : {}),
  }));
  fake.service.on('PATCH', /^\/listings/, (requested) => ({ body: carriedOut(requested) }));
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const numberIn = (path: string): number => Number(/SKU-(\d+)/.exec(path)?.[1]);

function carriedOut(requested: Asked) {
  const sku = `SKU-${numberIn(requested.path)}`;
  const { patches } = requested.json as { patches: [{ op: string; value: Entry[] }] };
  const [patch] = patches;
  const issues = [{ code: '4', message: 'No such operation.', severity: 'ERROR' }];
  if (!isValid(patch)) return { sku, status: 'INVALID', issues };
  if (requested.query.get('mode') !== null) return { sku, status: 'VALID', issues: [] };
  if (sku === 'SKU-1') {
    const isMerge = patch.op === 'merge';
    held = isMerge ? [merge(held[0] as Entry, patch.value[0] as Entry), ...held.slice(1)] : patch.value;
  }
  return { sku, status: 'ACCEPTED', issues: [] };
}

function order(number: number, price = 2_990): PriceOrder {
  return {
    ref: amazonRef(number),
    price: cents(price),
    currentPrice: cents(3_100),
    ownPrices: [],
    sequence: 1,
    idempotencyKey: `key-${number}`,
    isUrgent: false,
    notAfter: instant(fake.now() + 20_000),
  };
}

const send = (orders = [order(1)], credentials = {}) =>
  fake.amazon.sendPrices(amazonAccount(credentials, undefined, findings), orders, never);
const readBack = (number = 1, price = 2_990) =>
  fake.amazon.readPrices(
    amazonAccount({}, undefined, findings),
    [{ ref: amazonRef(number), price: cents(price), receipt: null, sentAt: fake.now(), isLastLook: false }],
    never,
  );
/** "preview merge", "merge", "replace": what was written, in its order, by SKU. */
const written = (number = 1) =>
  fake.service.asked
    .filter(({ method, path }) => method === 'PATCH' && numberIn(path) === number)
    .map(({ query, json }) => {
      const [{ op }] = (json as { patches: [{ op: string }] }).patches;
      return query.get('mode') === null ? op : `preview ${op}`;
    });

describe('the first price of an account', () => {
  test('is approved in a preview and merged; nothing vanished, so the next ones are merged without one', async () => {
    expect(await send([order(1), order(2), order(3)])).toMatchObject(Array(3).fill({ kind: 'accepted' }));
    expect(held).toEqual([amazonOffer('29.90', { ...SALE, ...BOUNDS }), BUSINESS]);
    await send([order(1, 2_880)]);
    expect(written()).toEqual(['preview merge', 'merge', 'merge']);
    expect([written(2), written(3)]).toEqual([['merge'], ['merge']]);
  });

  test('is tried again after thirty days; after one if the offer had nothing but its price', async () => {
    await send();
    fake.pass(29 * 86_400_000);
    await send([order(1, 2_880)]);
    expect(written()).toEqual(['preview merge', 'merge', 'merge']);
    fake.pass(2 * 86_400_000);
    await send([order(2)]);
    expect(written(2)).toEqual(['preview merge', 'merge']);
  });

  test('erases a sale: it is written back at once, and no further merge is sent (C9)', async () => {
    merge = ({ discounted_price: _erased, ...before }, sent) => ({ ...before, ...sent });
    expect(await send([order(1), order(2)])).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
    expect(written()).toEqual(['preview merge', 'merge', 'replace']);
    expect(written(2)).toEqual(['replace']);
    expect(held).toEqual([amazonOffer('29.90', { ...SALE, ...BOUNDS }), BUSINESS]);
    expect(await findings.read('amazon_write')).toMatchObject({
      is: 'replace',
      sku: 'SKU-1',
      lost: ['discounted_price'],
      isRestored: true,
    });
    fake.pass(400 * 86_400_000);
    await send([order(1, 2_880)]);
    expect(written().slice(3)).toEqual(['replace']);
  });

  test('is shown some seconds later: what vanished is still written back', async () => {
    const shown = held;
    let looks = 0;
    merge = ({ discounted_price: _erased, ...before }, sent) => ({ ...before, ...sent });
    fake.service.on('GET', /^\/listings.*SKU-1/, () => ({
      body: amazonItem(1, { attributes: { purchasable_offer: ++looks <= 3 ? shown : held } }),
    }));
    await send();
    expect(written()).toEqual(['preview merge', 'merge', 'replace']);
    expect(held).toEqual([amazonOffer('29.90', { ...SALE, ...BOUNDS }), BUSINESS]);
  });

  test('is not shown in the same call: others are written by replace, and the next call concludes', async () => {
    const before = held;
    merge = () => before[0] as Entry;
    await send([order(1), order(2)]);
    expect([written(), written(2)]).toEqual([['preview merge', 'merge'], ['replace']]);
    held = [amazonOffer('29.90', BOUNDS), BUSINESS];
    expect(await send([order(3)])).toMatchObject([{ kind: 'accepted' }]);
    // The seller may have removed it since.
    expect(written()).toEqual(['preview merge', 'merge']);
    expect(await findings.read('amazon_write')).toMatchObject({
      lost: ['discounted_price'],
      isRestored: false,
    });
    expect(written(3)).toEqual(['replace']);
  });

  const NEW_BOUNDS = { minimum_seller_allowed_price: [{ schedule: [{ value_with_tax: 24 }] }] };
  test.each<[string, Entry]>([
    ['sets another minimum', { ...SALE, ...NEW_BOUNDS }],
    ['sets another minimum and ends the sale', NEW_BOUNDS],
    ['replaces the sale by a MAP price', { ...BOUNDS, map_price: [{ schedule: [{ value_with_tax: 25 }] }] }],
  ])('is followed by a seller who %s: that is not overwritten', async (_, members) => {
    const edited = [amazonOffer('29.90', members), BUSINESS];
    merge = (_before, _sent) => edited[0] as Entry;
    await send();
    expect(held).toEqual(edited);
    expect(written()).toEqual(['preview merge', 'merge']);
    expect(await findings.read('amazon_write')).toMatchObject({ is: 'replace', isRestored: false });
  });

  test('is followed by a seller who automates the price: nothing is written over it', async () => {
    const plan = { automated_pricing_merchandising_rule_plan: [{ rule: 'r' }] };
    held = [amazonOffer('31.00', { ...SALE, ...BOUNDS }), BUSINESS];
    merge = () => amazonOffer('29.90', { ...BOUNDS, ...plan });
    await send();
    expect(written()).toEqual(['preview merge', 'merge']);
  });

  /** The merge is accepted, and carried out later. @returns lets Amazon show it */
  const shownLater = () => {
    const [before] = held;
    let sent: Entry = {};
    merge = (_, entry) => {
      sent = entry;
      return before as Entry;
    };
    return (kept: Entry) => {
      held = [{ ...amazonOffer('29.90', kept), our_price: sent.our_price }, BUSINESS];
    };
  };

  test.each([8, 20, 119])(
    'shows after %i minutes that a sale is missing, which the seller may have ended: it is reported, and not written back',
    async (late) => {
      let show: ((kept: Entry) => void) | null = shownLater();
      await send();
      for (const minute of [1, 5, 15, 45, 120]) {
        const step = Date.parse('2026-11-20T12:00:00Z') + minute * 60_000 - fake.now();
        fake.pass(step);
        if (minute > late) {
          show?.(BOUNDS);
          show = null;
        }
        await readBack();
      }
      await send([order(1, 2_880), order(2)]);
      expect(written()).toEqual(['preview merge', 'merge', 'replace']);
      expect(held).toEqual([amazonOffer('28.80', BOUNDS), BUSINESS]);
      expect(written(2)).toEqual(['replace']);
      expect(await findings.read('amazon_write')).toMatchObject({
        is: 'replace',
        lost: ['discounted_price'],
        isRestored: false,
      });
      expect(await findings.read('unfinished_writes')).toBeNull();
    },
  );

  test('shows late that nothing vanished: a read-back proves merges', async () => {
    const show = shownLater();
    await send();
    fake.pass(16 * 60_000);
    show({ ...SALE, ...BOUNDS });
    await readBack();
    await send([order(2)]);
    expect([written(), written(2)]).toEqual([['preview merge', 'merge'], ['merge']]);
  });

  test('is not shown: prices go by replace for a day after the last read-back, then another one is the proof', async () => {
    shownLater();
    await send();
    for (const passed of [16, 60, 180, 1_200]) {
      fake.pass(passed * 60_000);
      await send([order(2)]);
    }
    expect(written(2)).toEqual(Array(4).fill('replace'));
    fake.pass(300 * 60_000);
    await send([order(3)]);
    expect(written(3)).toEqual(['preview merge', 'merge']);
  });

  test('is shown after the last read-back: that may be the work of the seller, and proves nothing', async () => {
    const show = shownLater();
    await send();
    fake.pass(151 * 60_000);
    show(BOUNDS);
    await readBack();
    await send([order(2)]);
    expect(written(2)).toEqual(['replace']);
    expect(await findings.read('amazon_write')).toMatchObject({ is: 'proving' });
  });

  test.each<[string, Entry, object]>([
    ['and nothing vanished', { ...SALE, ...BOUNDS }, { is: 'proving' }],
    ['and a sale is missing', BOUNDS, { is: 'replace', lost: ['discounted_price'], isRestored: false }],
  ])('is followed by another price of the listing before it is shown, %s', async (_, kept, known) => {
    shownLater();
    await send();
    held = [amazonOffer('31.00', kept), BUSINESS];
    await send([order(1, 2_880)]);
    expect(written()).toEqual(['preview merge', 'merge', 'replace']);
    expect(held).toEqual([amazonOffer('28.80', kept), BUSINESS]);
    expect(await findings.read('amazon_write')).toMatchObject(known);
    // What is shown of the first price now and then is no proof.
    held = [amazonOffer('29.90', {}), BUSINESS];
    await readBack();
    expect(await findings.read('amazon_write')).toMatchObject(known);
  });

  describe('erased a sale that was written back, and Amazon does not show that yet', () => {
    let behind: Entry[];
    beforeEach(async () => {
      merge = ({ discounted_price: _erased, ...before }, sent) => ({ ...before, ...sent });
      await send();
      behind = [amazonOffer('29.90', BOUNDS), BUSINESS];
      held = behind;
    });

    test('another price of the listing waits for it, 45 minutes at most', async () => {
      const waits = { kind: 'not_sent', othersMayGo: true };
      expect(await send([order(1, 2_880), order(2)])).toMatchObject([waits, { kind: 'accepted' }]);
      held = [amazonOffer('29.90', { ...SALE, ...BOUNDS }), BUSINESS];
      await send([order(1, 2_880)]);
      expect(held).toEqual([amazonOffer('28.80', { ...SALE, ...BOUNDS }), BUSINESS]);
      // Later it is the seller who ended the sale.
      fake.pass(46 * 60_000);
      held = behind;
      expect(await send([order(1, 2_770)])).toMatchObject([{ kind: 'accepted' }]);
      expect(held).toEqual([amazonOffer('27.70', BOUNDS), BUSINESS]);
    });

    test('an urgent one goes with what Amazon shows, and what is missing is reported', async () => {
      expect(await send([{ ...order(1, 2_880), isUrgent: true }])).toMatchObject([{ kind: 'accepted' }]);
      expect(held).toEqual([amazonOffer('28.80', BOUNDS), BUSINESS]);
      expect(await findings.read('amazon_write')).toMatchObject({ is: 'replace', isRestored: false });
      expect(await send([order(1, 2_770)])).toMatchObject([{ kind: 'accepted' }]);
    });
  });

  test.each([
    ['does not answer', { status: 500, body: {} }, 'not_sent'],
    ['refuses that', { body: { sku: 'SKU-1', status: 'INVALID', issues: [] } }, 'accepted'],
  ])('erased a sale, and Amazon %s: it is reported, and not tried again', async (_, answer, next) => {
    merge = ({ discounted_price: _erased, ...before }, sent) => ({ ...before, ...sent });
    fake.service.on('PATCH', /^\/listings/, (requested) =>
      requested.text.includes('"replace"') ? answer : { body: carriedOut(requested) },
    );
    await send();
    fake.service.on('PATCH', /^\/listings/, (requested) => ({ body: carriedOut(requested) }));
    expect(await findings.read('amazon_write')).toMatchObject({ is: 'replace', isRestored: false });
    // Without an answer it may have been carried out.
    expect(await send([order(1, 2_880)])).toMatchObject([{ kind: next }]);
    fake.pass(46 * 60_000);
    await send([order(1, 2_880)]);
    expect(held).toEqual([amazonOffer('28.80', BOUNDS), BUSINESS]);
  });
});

describe('a preview decides how a price is written', () => {
  const isText = (value: readonly Entry[]) => /"value_with_tax":"/.test(JSON.stringify(value));

  test('as text where a number is refused', async () => {
    isValid = ({ value }) => isText(value);
    expect(await send([order(1), order(2)])).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
    expect(written()).toEqual(['preview merge', 'preview merge', 'merge']);
  });

  test('by replace where a merge is refused', async () => {
    isValid = ({ op }) => op === 'replace';
    expect(await send([order(1), order(2)])).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
    expect(held).toEqual([amazonOffer('29.90', { ...SALE, ...BOUNDS }), BUSINESS]);
    expect([written().at(-1), written(2)]).toEqual(['replace', ['replace']]);
  });

  test('where both are refused it is about the price, and the next price is the proof', async () => {
    isValid = ({ value }) => !JSON.stringify(value).includes('23.45');
    expect(await send([order(1, 2_345), order(2)])).toMatchObject([
      { kind: 'rejected', message: 'No such operation.', code: '4' },
      { kind: 'accepted' },
    ]);
    expect(written(2)).toEqual(['preview merge', 'merge']);
  });

  test('of an account that only takes text no number is tried', async () => {
    await send([order(1)], { quotesPrices: 'yes' });
    const texts = fake.service.asked.filter(({ method }) => method === 'PATCH').map(({ text }) => text);
    expect(texts.every((text) => text.includes('"value_with_tax":"29.90"'))).toBe(true);
  });
});

test('what is read without a proof is written back as it was read', async () => {
  await findings.write(
    'amazon_write',
    { is: 'replace', isQuoted: false, sku: 'A', lost: [], isRestored: true },
    null,
  );
  await send();
  expect(written()).toEqual(['replace']);
  expect(held).toEqual([amazonOffer('29.90', { ...SALE, ...BOUNDS }), BUSINESS]);
});

test('no document is sent before merges are proven: the first ones go one by one, the others wait', async () => {
  await findings.write(
    'amazon_write',
    { is: 'replace', isQuoted: false, sku: 'A', lost: [], isRestored: true },
    null,
  );
  const outcomes = await send(Array.from({ length: 41 }, (_, at) => order(at + 1)));
  expect(outcomes.map(({ kind }) => kind)).toEqual([...Array(40).fill('accepted'), 'not_sent']);
  expect(outcomes.at(-1)).toMatchObject({ othersMayGo: true });
  expect(fake.amazon.pricesAtOnce?.(2_000, 0)).toBe(40);
});
