import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { bps, cents, instant } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { textSource } from './byte-source.ts';
import { KeyIndex } from './key-index.ts';
import { OfferColumns } from './offer-columns.ts';
import { OFFER_FORMAT } from './offer-format.ts';
import type { HeldOffer } from './offer-record.ts';
import { OfferSpill } from './offer-spill.ts';
import { loadOffers } from './offer-store.ts';
import { Table } from './table.ts';

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });
const count = fc.integer({ min: 0, max: 999_999_999 });
const amount = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 4_294_967_290, max: 9_999_999_999 }),
);
/** SKUs that lie close together and in three partitions. */
const sku = fc.constantFrom(0, 1, 2, 65_535, 65_536, 200_000);

const heldOffer: fc.Arbitrary<HeldOffer> = fc.record({
  marketplace: fc.constantFrom(...MARKETPLACES),
  sku,
  seller: fc.integer({ min: -1, max: 5 }),
  price: amount.map(cents),
  shipping: amount.map(cents),
  fulfillmentType: fc.constantFrom('FBA/WFS' as const, 'FBM' as const, null),
  isFeatured: fc.boolean(),
  seenAt: orNull(fc.integer({ min: 0, max: 2_000_000_000_000 }).map(instant)),
  rating: orNull(fc.integer({ min: 0, max: 10_000 }).map(bps)),
  ratingCount: orNull(count),
  handlingDays: orNull(count),
});

test('columns and temporary files give back the same offers in the same order', () => {
  fc.assert(
    fc.property(
      fc.array(heldOffer, { maxLength: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (offers, sortedAtOnce) => {
        const columns = new OfferColumns();
        const spill = new OfferSpill(sortedAtOnce);
        for (const offer of offers) {
          columns.add(offer);
          spill.add(offer);
        }
        spill.seal();
        for (const number of [200_000, 0, 1, 65_536, 2, 65_535, 3]) {
          for (const marketplace of MARKETPLACES) {
            const wanted = offers.filter(
              (offer) => offer.sku === number && offer.marketplace === marketplace,
            );
            expect(columns.offersOf(marketplace, number)).toEqual(wanted);
            expect(spill.offersOf(marketplace, number)).toEqual(wanted);
          }
        }
        expect([...columns.all()]).toHaveLength(offers.length);
        spill.close();
      },
    ),
    { numRuns: asMany(15, 60) },
  );
});

describe('a store', () => {
  const HEADER = 'marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt,rating\n';
  const SKUS = 3_000;
  const rows = Array.from(
    { length: 20_000 },
    (_, number) =>
      `${MARKETPLACES[number % 6]},S-${(number * 7) % SKUS},Seller ${number % 90},${number + 1}.00,0.50,FBM,true,2026-11-21T11:00:00Z,${number % 2 === 0 ? '98.5' : ''}\n`,
  );

  const load = async (limit: number) => {
    const keys = new KeyIndex();
    const table = await Table.open('offers.csv', textSource(HEADER + rows.join('')), OFFER_FORMAT);
    return loadOffers(table, keys, () => expect.unreachable('every row is good'), limit);
  };

  test('answers the same whether its offers fit into memory or not', async () => {
    const small = await load(1);
    const large = await load(1_000_000_000);
    let offers = 0;
    for (let number = 0; number < SKUS; number++) {
      for (const marketplace of MARKETPLACES) {
        const wanted = large.offersOf(marketplace, number);
        expect(small.offersOf(marketplace, number)).toEqual(wanted);
        offers += wanted.length;
      }
    }
    expect(offers).toBe(rows.length);
    small.close();
  });
});
