import { describe, expect, test } from 'vitest';
import { listings, offers, onlyRow, reprice, rowsOf, rules } from '#tests/support/reprice-scenario.ts';

const WAREHOUSE = offers('walmart,A-1,BestGoods,18.00,0,FBA,true,2026-11-21T11:00:00Z');

function lines(text: string, more = '', columns = '') {
  const cell = text.includes(',') || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  return rules(`R,,All,Fixed Margin,15,,true,${cell}${more}`, `,lines${columns}`);
}

describe('a rule with lines', () => {
  test('decides by its lines instead of its strategy', async () => {
    const row = await onlyRow({ ...lines('winning: hold; 12% under the lowest'), ...WAREHOUSE });
    expect(row).toMatchObject({ outcome: 'change', newPrice: '15.84', reasonCode: 'line', rule: 'R' });
    expect(row.reason).toBe("Losing: 12% under BestGoods's $18.00 (ships faster) is $15.84 (line 2).");
  });

  test('without lines in its row decides by its strategy', async () => {
    const row = await onlyRow({ ...lines(''), ...WAREHOUSE });
    expect(row).toMatchObject({ newPrice: '14.29', reasonCode: 'fixed_margin' });
  });

  test('keeps the price where no line applies, and where competitors are not read', async () => {
    const text = lines('suppressed: floor');
    expect(await onlyRow({ ...text, ...WAREHOUSE })).toMatchObject({
      outcome: 'keep',
      reasonCode: 'no_line',
    });
    expect(await onlyRow(text)).toMatchObject({ outcome: 'keep', reasonCode: 'not_read' });
  });

  test('aims at the target margin of its marketplace', async () => {
    const target = lines('target margin', ',20,25', ',targetMargin,targetWalmart');
    expect((await onlyRow(target)).newPrice).toBe('16.67');
    const other = lines('target margin', ',20,25', ',targetMargin,targetAmazon');
    expect((await onlyRow(other)).newPrice).toBe('15.39');
  });

  test.each([
    ['winning: hold; 1% under the lowest', { line: '2', situation: 'losing' }],
    ['floor', { line: '1', situation: '' }],
    ['winning: hold', { line: '0', situation: 'losing' }],
  ])('says which line of %s decided, and in which situation', async (text, expected) => {
    expect(await onlyRow({ ...lines(text), ...WAREHOUSE })).toMatchObject(expected);
  });

  test('shows in the trace what became of each line', async () => {
    const text = lines('stock 5 or less: floor; 40% under the lowest, else next line; hold');
    const row = await onlyRow({ ...text, ...WAREHOUSE }, '--explain');
    const { lines: traced } = JSON.parse(row.trace ?? '{}');
    expect(traced).toEqual({
      situation: 'losing',
      since: Date.parse('2026-11-21T12:00:00Z'),
      boxShare: null,
      each: [
        expect.objectContaining({ line: 1, status: 'unknown', condition: 'stock 5 or less' }),
        expect.objectContaining({ line: 2, status: 'too_low', want: 1_080, least: 1_429 }),
        expect.objectContaining({ line: 3, status: 'decided', action: 'hold' }),
      ],
    });
  });
});

describe('what a row of the listings file says', () => {
  const COLUMNS =
    ',marketplace,externalPrice,externalPriceAt,mapPrice,mapFrom,mapUntil,stock,stockAgeDays,stockAt';
  const row = (cells: string) => listings(`A-1,Mug,14.50,FBM,,0.00,walmart,${cells}`, COLUMNS);

  test.each([
    ['external price', '15.00,,,,,,,', '15.00'],
    ['external price; hold', '15.00,2026-11-14T12:00:00Z,,,,,,', '15.00'],
    ['external price; hold', '15.00,2026-11-14T11:59:59Z,,,,,,', ''],
    ['stock 5 or less: 5% over current price; hold', ',,,,,5,,', '15.22'],
    ['stock 5 or less: 5% over current price; hold', ',,,,,5,,2026-11-01', ''],
    ['stock age 181 days or more: 5% over current price; hold', ',,,,,,200,', '15.22'],
    ['floor', ',,15.00,,,,,', '15.00'],
    ['cost +30%', ',,15.00,2026-11-21,2026-11-21,,,', '15.00'],
    ['current price; hold', ',,15.00,2026-11-22,,,,', ''],
  ])('%s with %s', async (text, cells, price) => {
    expect((await onlyRow({ ...lines(text), ...row(cells) })).newPrice).toBe(price);
  });

  test('the days of a MAP price are those of --time-zone', async () => {
    const files = { ...lines('current price; hold'), ...row(',,15.00,2026-11-22,,,,') };
    expect((await onlyRow(files, '--time-zone', 'Pacific/Kiritimati')).newPrice).toBe('15.00');
    expect((await onlyRow(files, '--time-zone', 'UTC')).newPrice).toBe('');
  });

  test.each([
    [',,,,,5,,', '14.29'],
    [',,,,,6,,', ''],
    [',,,,,5,,2026-11-01', ''],
    [',,,,,,,', ''],
  ])('a rule for a stock of at most 5 prices it only with such a stock: %s', async (cells, price) => {
    const few = rules('R,,All,Fixed Margin,15,,true,5', ',stockTo');
    expect((await onlyRow({ ...few, ...row(cells) })).newPrice).toBe(price);
  });

  test('names the price in force of another listing, not the one just decided', async () => {
    const rows = rowsOf(
      await reprice({
        ...lines('$1 under price of SKU "B-1"; 5% over price of SKU "A-1" on walmart; hold'),
        ...listings('A-1,Mug,16.00,FBM,,0.00,walmart\nB-1,Mug,18.00,FBM,,0.00,walmart', ',marketplace'),
        skus: 'sku,name,productCost,weight,packagingCost,miscCost\nA-1,M,10,8,0,0\nB-1,M,10,8,0,0\n',
      }),
    );
    expect(rows.map(({ sku, newPrice }) => [sku, newPrice])).toEqual([
      ['A-1', '17.00'],
      ['B-1', '16.80'],
    ]);
  });
});

describe('lines that cannot be used', () => {
  test.each([
    ['wining: hold', 'line 1, "wining"', 'winning'],
    ['target margin', 'target margin', 'Set the target margin'],
    ['not read: the lowest', 'line 1', 'hold'],
    ['lowered 6 times or more in 24 h: hold', 'line 1', 'below 6'],
    ['winning and losing: hold', 'exclude each other', 'Remove'],
  ])('%s', async (text, where, fix) => {
    const result = await reprice({ ...lines(text), ...WAREHOUSE });
    expect(result.code).toBe(1);
    expect(result.errors).toContain(where);
    expect(result.errors).toContain(fix);
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', reasonCode: 'unreadable_rule' });
  });
});

describe('lines about the time of day', () => {
  const text = lines('hours 6 to 8: floor; hold');

  test('apply where the shop is', async () => {
    expect((await onlyRow(text, '--time-zone', 'America/New_York')).newPrice).toBe('14.29');
    expect((await onlyRow(text, '--time-zone', 'UTC')).reasonCode).toBe('line_hold');
  });

  test('do not apply while that is not known, which is said once', async () => {
    const result = await reprice(text);
    expect(rowsOf(result)[0]).toMatchObject({ reasonCode: 'line_hold' });
    expect(result.errors.match(/No --time-zone given/g)).toHaveLength(1);
    expect((await reprice(lines('hold'))).errors).not.toContain('--time-zone');
  });

  test('need a time zone that exists', async () => {
    const { code, errors } = await reprice(text, '--time-zone', 'Mars/Olympus');
    expect(code).toBe(2);
    expect(errors).toContain('--time-zone "Mars/Olympus"');
  });
});
