import { describe, expect, test } from 'vitest';
import {
  type Files,
  listings,
  offers,
  onlyRow,
  reprice,
  rowsOf,
  rules,
} from '#tests/support/reprice-scenario.ts';

describe('offers', () => {
  const MATCH = rules('Match,,All,Match Competitor,10,,true');
  const seen = '2026-11-21T11:00:00Z';
  const against = (...rows: string[]): Files => ({ ...MATCH, ...offers(...rows) });

  test('the lowest landed price counts', async () => {
    const row = await onlyRow(
      against(`walmart,A-1,One,14.40,0,FBM,false,${seen}`, `walmart,A-1,Two,14.00,0.30,FBM,false,${seen}`),
    );
    expect(row).toMatchObject({ outcome: 'change', newPrice: '14.30', reason: "Matched Two's $14.30." });
  });

  test.each([
    ['of another marketplace', `amazon,A-1,One,14.00,0,FBM,false,${seen}`, 'no_competitor'],
    ['of another SKU', `walmart,A-2,One,14.00,0,FBM,false,${seen}`, 'no_competitor'],
    ['older than a day', 'walmart,A-1,One,14.00,0,FBM,false,2026-11-20T11:59:59Z', 'not_read'],
    ['from the future', 'walmart,A-1,One,14.00,0,FBM,false,2026-11-21T12:00:01Z', 'not_read'],
    ['without a time', 'walmart,A-1,One,14.00,0,FBM,false,', 'not_read'],
    ['that is ours', `walmart,A-1, my shop ,14.00,0,FBM,false,${seen}`, 'no_competitor'],
    ['that says that there is none', `walmart,A-1,,,,,,${seen}`, 'no_competitor'],
    ['that said so two days ago', 'walmart,A-1,,,,,,2026-11-19T11:00:00Z', 'not_read'],
  ])('one %s does not count', async (_, offer, reasonCode) => {
    const row = await onlyRow(against(offer), '--seller', 'My Shop');
    expect(row).toMatchObject({ outcome: 'keep', reasonCode });
  });

  test('without a file nothing was read, except where the marketplace shows no offers', async () => {
    expect(await onlyRow(MATCH)).toMatchObject({ outcome: 'keep', reasonCode: 'not_read' });
    const shopify = { ...MATCH, ...listings('A-1,Mug,14.50,FBM,,0,shopify', ',marketplace') };
    expect(await onlyRow(shopify)).toMatchObject({ outcome: 'keep', reasonCode: 'no_competitor' });
  });

  test('--max-age lets older ones count', async () => {
    const row = await onlyRow(
      against('walmart,A-1,One,14.00,0,FBM,false,2026-11-20T11:00:00Z'),
      '--max-age',
      '2d',
    );
    expect(row).toMatchObject({ newPrice: '14.00' });
  });

  test('a warehouse listing looks at the marketplace, the featured offer and warehouse offers', async () => {
    const row = await onlyRow({
      ...against(
        `walmart,A-1,One,14.00,0,FBM,false,${seen}`,
        `walmart,A-1,Walmart,14.40,0,,false,${seen}`,
        `walmart,A-1,Amazon,14.10,0,,false,${seen}`,
      ),
      ...listings('A-1,Mug,14.50,FBA/WFS,,0,0.00', ',fulfillmentCost'),
    });
    expect(row).toMatchObject({ reason: "Matched Walmart's $14.40." });
  });

  test.each([
    [
      'price',
      'walmart,A-1,One,0.00,0,FBM,false,',
      'price "0.00": is not a price. Write an amount above zero.',
    ],
    ['a blank price', 'walmart,A-1,One,,0,FBM,false,', 'price "": is blank.'],
    ['marketplace', 'target,A-1,One,1,0,FBM,false,', 'marketplace "target": is not a known word here.'],
    ['time without a zone', 'walmart,A-1,One,1,0,FBM,false,2026-11-21T11:00:00', 'is not a timestamp.'],
    ['flag', 'walmart,A-1,One,1,0,FBM,2,', 'isFeatured "2": is neither true nor false.'],
    ['blank SKU', 'walmart,,One,1,0,FBM,true,', 'sku "": is blank.'],
  ])('an unreadable %s is named and skipped', async (_, offer, complaint) => {
    const result = await reprice(against(offer, `walmart,A-1,Two,14.40,0,FBM,false,${seen}`));
    expect(result.errors).toContain('offers.csv, line 2, ');
    expect(result.errors).toContain(complaint);
    expect(rowsOf(result)[0]).toMatchObject({ newPrice: '14.40' });
    expect(result.code).toBe(1);
  });

  test('without --seller that is said once, and a Fixed Margin rule needs none', async () => {
    const competitive = await reprice(against(`walmart,A-1,One,14.40,0,FBM,false,${seen}`));
    expect(competitive.errors.match(/No --seller given/g)).toHaveLength(1);
    expect(rowsOf(competitive)[0]).toMatchObject({ outcome: 'change' });
    expect((await reprice(offers())).errors).not.toContain('--seller');
  });
});
