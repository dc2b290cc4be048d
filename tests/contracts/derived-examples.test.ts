import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { offersOfEvent } from '#connectors/walmart/box-event.ts';
import { cents, instant } from '#domain/units.ts';
import { allOf, entriesOf } from '#tests/support/all-of.ts';
import { anOrder } from '#tests/support/connector-fixture.ts';
import { amazonAccount, amazonItem, amazonRef, startFakeAmazon } from '#tests/support/fake-amazon.ts';
import { ebayOffer, ebayOrder, ebayRef, startEbayShop } from '#tests/support/fake-ebay.ts';
import { etsyOrder, etsyStored, startEtsyShop } from '#tests/support/fake-etsy.ts';
import { documentsFolder } from './document-files.ts';

/*
 * Examples of what no vendor prints, which are not part of the project: connectors have to read these answers, and to make
 * these requests.
 */

const FOLDER = documentsFolder();
const never = new AbortController().signal;

function read(file: string): string {
  return readFileSync(join(FOLDER ?? '', 'conformance', file), 'utf8');
}

function derived(name: string): { readonly body: Record<string, unknown>; readonly expect: unknown } {
  const { expect: expected, _comment: _, ...body } = JSON.parse(read(`derived/${name}.json`));
  return { body, expect: expected };
}

/** What is between the first and the last tag of a document of the Trading API. */
function contentOf(file: string): string {
  const xml = read(`ebay-trading/${file}`);
  const start = xml.indexOf('>', xml.indexOf('xmlns')) + 1;
  return xml.slice(start, xml.lastIndexOf('</')).replace(/>\s+/g, '>').trim();
}

describe.runIf(FOLDER !== null)('the connectors of', () => {
  test('Amazon write one entry of four members (C8)', async () => {
    const amazon = await startFakeAmazon();
    amazon.service.on('GET', /^\/listings/, () => ({ body: amazonItem(1, { summaries: [] }) }));
    amazon.service.on('PATCH', /^\/listings/, () => ({ body: { sku: 'SKU-1', status: 'ACCEPTED' } }));
    const order = { ...anOrder(1, 2_599), ref: amazonRef(1), currentPrice: cents(3_100) };
    expect(await amazon.amazon.sendPrices(amazonAccount(), [order], never)).toMatchObject([
      { kind: 'accepted' },
    ]);
    const sent = amazon.service.asked.find(({ method }) => method === 'PATCH');
    expect(sent?.json).toEqual(derived('amazon-merge.request').body);
    await amazon.close();
  });

  test('Walmart read the sellers of a buy box event (C38)', () => {
    const { body, expect: expected } = derived('walmart-buy-box-changed');
    const { offers } = expected as {
      offers: { seller: string; isMarketplace?: boolean; isOurs?: boolean; landedCents: number }[];
    };
    const read = offersOfEvent(body);
    expect(
      read?.offers.map(({ sellerName, price, shipping, isFeatured, ...offer }) => ({
        seller: sellerName,
        isMarketplace: offer.isMarketplace,
        isOurs: offer.isOurs,
        landedCents: price + (shipping ?? 0),
        featured: isFeatured,
      })),
    ).toEqual(offers.map((offer) => ({ isMarketplace: false, isOurs: false, ...offer })));
    expect(read?.coverage).toBe('all');
  });

  test('Etsy read and write listings of one price together (C15)', async () => {
    const { body, expect: expected } = derived('etsy-price-groups');
    const { groups, writes } = expected as { groups: { members: string[] }[]; writes: number };
    const shop = await startEtsyShop();
    const listing = { listing_id: 7_001, title: 'Shirt', state: 'active', quantity: 9, skus: [], images: [] };
    const price = { amount: 2_400, divisor: 100, currency_code: 'USD' };
    shop.service.on('GET', /\/shops\/5501\/listings/, () => ({
      body: { count: 1, results: [{ ...listing, price, inventory: body }] },
    }));
    shop.service.on('GET', /\/7001\/inventory/, () => ({ body }));
    shop.service.on('PUT', /\/7001\/inventory/, ({ json }) => ({ body: etsyStored(json) }));
    const listings = (await allOf(entriesOf(shop.connector.readListings(shop.account, never)))).flatMap(
      (entry) => (entry.kind === 'listing' ? [entry] : []),
    );
    expect(listings.map(({ sku }) => sku)).toEqual(groups[0]?.members);
    const [key, ...others] = listings.map(({ groupKey }) => groupKey ?? null);
    expect([key === null, others]).toEqual([false, [key]]);
    const orders = listings.map(({ sku }, at) => ({
      ...etsyOrder(at + 1, 2_040, sku, '7001', key),
      currentPrice: cents(2_400),
    }));
    expect(await shop.connector.sendPrices(shop.account, orders, never)).toMatchObject([
      { kind: 'live', price: 2_040 },
      { kind: 'live', price: 2_040 },
    ]);
    expect(shop.asked('/inventory', 'PUT')).toHaveLength(writes);
    await shop.service.close();
  });

  describe('eBay', () => {
    const atItem = (number: number, sku: string, price: number, keys: Record<string, string> = {}) => {
      const itemId = `11000000000${number}`;
      const order = ebayOrder(number, price);
      return { ...order, ref: { ...order.ref, sku, itemId, keys: { listingId: itemId, ...keys } } };
    };

    test('read four kinds of listing in one shop (C18)', async () => {
      const shop = await startEbayShop();
      const item = { sku: 'MUG-9', product: { title: 'Mug' } };
      shop.service.on('GET', /\/inventory_item\?/, () => ({ body: { total: 1, inventoryItems: [item] } }));
      shop.service.on('GET', /\/offer\?sku=MUG-9$/, () => ({ body: { offers: [ebayOffer(9)] } }));
      shop.trade('GetMyeBaySelling', () => contentOf('get-my-ebay-selling.response.xml'));
      const entries = await allOf(entriesOf(shop.connector.readListings(shop.account, never)));
      expect(entries).toMatchObject([
        { sku: 'MUG-9', channel: 'inventory', price: 2_450 },
        { sku: 'E-PLAIN', itemId: '110000000001', channel: 'trading', price: 2_499 },
        { sku: 'ebay-110000000002', channel: 'trading', price: 950 },
        { sku: 'TS-RED', itemId: '110000000003', channel: 'trading', price: 1_500 },
        // A listing is named by its SKU here: one that has none is no read-only listing, but named among what was skipped.
        { kind: 'passed_over', why: 'no_label' },
        { sku: 'ebay-110000000004', channel: 'read_only', readOnly: 'auction' },
      ]);
      const requested = shop.traded().find(({ name }) => name === 'GetMyeBaySelling');
      expect(requested?.xml).toContain(contentOf('get-my-ebay-selling.request.xml'));
      await shop.service.close();
    });

    test('revise two listings in one call, of which one turns out to be in the other model (C19, C20)', async () => {
      const shop = await startEbayShop();
      const active = contentOf('get-my-ebay-selling.response.xml').split('</Item>');
      shop.trade('GetItem', (xml) => {
        const [, itemId = ''] = xml.split('ItemID>');
        const found = active.find((item) => item.includes(itemId.replace('</', '')));
        return `<Ack>Success</Ack>${found?.slice(found.indexOf('<Item>'))}</Item>`;
      });
      shop.trade('ReviseInventoryStatus', () => contentOf('revise-inventory-status.partial.response.xml'));
      shop.service.on('GET', /\/offer\?sku=TS-RED$/, () => ({ body: { offers: [] } }));
      const plain = { ...atItem(1, 'E-PLAIN', 2_399), currentPrice: cents(2_499) };
      const variation = {
        ...atItem(3, 'TS-RED', 1_475, { variation: 'TS-RED' }),
        currentPrice: cents(1_500),
      };
      const outcomes = await shop.connector.sendPrices(shop.account, [plain, variation], never);
      expect(outcomes[0]).toEqual({ listingId: 1, kind: 'live', price: 2_399 });
      expect(outcomes[1]?.kind).not.toBe('live');
      const requested = shop.traded().filter(({ name }) => name === 'ReviseInventoryStatus');
      expect(requested[0]?.xml).toContain(contentOf('revise-inventory-status.request.xml'));
      expect(shop.asked().some((call) => call.includes('/offer?sku='))).toBe(true);
      await shop.service.close();
    });

    test('stop a price by what a listing shows: its sale', async () => {
      const shop = await startEbayShop();
      shop.clock.now = instant(Date.parse('2026-11-20T12:00:00Z'));
      shop.trade('GetItem', () => contentOf('get-item-best-offer.response.xml'));
      const order = {
        ...atItem(5, 'E-OFFER', 2_900),
        currentPrice: cents(3_000),
        notAfter: instant(shop.clock.now + 1),
      };
      expect(await shop.connector.sendPrices(shop.account, [order], never)).toMatchObject([
        {
          kind: 'stopped',
          found: {
            kind: 'not_repriceable',
            isConfirmable: true,
            until: Date.parse('2026-11-30T00:00:00Z'),
          },
        },
      ]);
      await shop.service.close();
    });

    test('take a refusal of one revision too many as one that passes (C27)', async () => {
      const shop = await startEbayShop();
      const { body } = derived('ebay-25002-revisions');
      shop.service.on('GET', /\/offer\/901$/, () => ({ body: ebayOffer(1) }));
      shop.service.on('POST', /bulk_update/, () => ({ status: 400, body }));
      const order = { ...ebayOrder(1), ref: ebayRef(1), currentPrice: cents(2_450) };
      expect(await shop.connector.sendPrices(shop.account, [order], never)).toMatchObject([
        { kind: 'not_sent', why: 'revision_limit' },
      ]);
      await shop.service.close();
    });
  });
});
