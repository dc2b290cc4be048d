import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { RULE_TEMPLATES } from '#domain/lines/templates.ts';
import { runCommand } from '#tests/support/memory-io.ts';
import { offers, reprice, rowsOf } from '#tests/support/reprice-scenario.ts';

const HEADER = 'name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive,belowFloor';
const run = (rules: string, ...args: string[]) =>
  runCommand(['rules', ...args], { files: { 'rules.csv': rules } });
const rowsIn = (text: string): Record<string, string>[] => parse(text, { columns: true });

describe('the templates', () => {
  test('are rules that can be used, each with its sentences', async () => {
    const { out, code } = await run('');
    expect(code).toBe(0);
    const rows = rowsIn(out);
    expect(rows.map(({ name }) => name)).toEqual(RULE_TEMPLATES.map(({ name }) => name));
    for (const row of rows)
      expect(row).toMatchObject({ isActive: 'false', targetMargin: '35.00', whenToUse: /\w/ });
    const result = await reprice({
      rules: out,
      ...offers('walmart,A-1,Acme,14.9,0,FBM,,2026-11-21T11:00:00Z'),
    });
    expect(result.code).toBe(0);
    expect(rowsOf(result)[0]).toMatchObject({ reasonCode: 'no_rule' });
    const active = out.replaceAll(',false,,,,,,,keep', ',true,,,,,,,keep');
    const priced = await reprice({
      rules: active,
      ...offers('walmart,A-1,Acme,14.90,0,FBM,,2026-11-21T11:00:00Z'),
    });
    expect(rowsOf(priced)[0]).toMatchObject({ rule: 'Back up at night', reasonCode: 'line' });
  });
});

describe('--convert', () => {
  const RULES = `${HEADER}\nA,,All,Beat Competitor,10,0.05,true,skip\n"=B",ebay,FBM,Fixed Margin,12.5,,false,\n`;

  test('writes each strategy as lines, and what it wrote again unchanged', async () => {
    const { out, code } = await run(RULES, '--convert', 'rules.csv');
    expect(code).toBe(0);
    expect(rowsIn(out)).toMatchObject([
      {
        name: 'A',
        lines: 'alone: hold; otherwise: $0.05 under the lowest',
        ignoreUnderFloor: '0.00',
        onlySameShipping: 'true',
      },
      { marketplace: 'ebay', minimumMargin: '12.50', isActive: 'false', lines: 'floor', belowFloor: 'floor' },
    ]);
    expect((await run(out, '--convert', 'rules.csv')).out).toBe(out);
  });

  test('decides the same as before', async () => {
    const offer = offers('walmart,A-1,Acme,13.90,0,FBM,,2026-11-21T11:00:00Z');
    const { out } = await run(RULES, '--convert', 'rules.csv');
    const [before] = rowsOf(await reprice({ rules: RULES, ...offer }));
    const [after] = rowsOf(await reprice({ rules: out, ...offer }));
    expect(after).toMatchObject({ outcome: 'change', newPrice: before?.newPrice, floor: before?.floor });
  });

  test('lists rows that cannot be read, and leaves them out', async () => {
    const { out, errors, code } = await run(`${RULES}C,,All,Undercut,10,,true,\n`, '--convert', 'rules.csv');
    expect(code).toBe(1);
    expect(errors).toContain('line 4');
    expect(rowsIn(out)).toHaveLength(2);
  });
});

test.each([['--convert'], ['--convert', 'rules.csv', 'more'], ['--convert', 'none.csv'], ['--all']])(
  'cannot be used: rules %s %s',
  async (...args) => {
    const { errors, code } = await run('', ...args);
    expect(code).toBe(2);
    expect(errors).toMatch(/^pricewright: /);
  },
);

test('explains itself', async () => {
  expect((await run('', '--help')).out).toContain('pricewright rules --convert FILE');
});
