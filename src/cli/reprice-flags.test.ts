import { describe, expect, test } from 'vitest';
import { runCommand } from '#tests/support/memory-io.ts';
import {
  listings,
  onlyRow,
  reprice,
  rowsOf,
  rules,
  SKU_HEADER,
  STORY,
} from '#tests/support/reprice-scenario.ts';

const FILES = { 'l.csv': STORY.listings ?? '', 's.csv': STORY.skus ?? '', 'r.csv': STORY.rules ?? '' };
const THREE = ['--listings', 'l.csv', '--skus', 's.csv', '--rules', 'r.csv'];
const run = (...args: string[]) => runCommand(['reprice', ...args], { files: FILES });

describe('arguments that cannot be used exit with 2', () => {
  test.each([
    [['--listing', 'l.csv'], 'unknown flag "--listing" (did you mean --listings?)'],
    [['--max-stp', '15'], 'unknown flag "--max-stp" (did you mean --max-step?)'],
    [['--frobnicate'], 'unknown flag "--frobnicate". See'],
    [['l.csv'], 'unexpected argument "l.csv"'],
    [['--listings', 'l.csv'], '--skus, --rules missing'],
    [['--listings'], '--listings needs a value'],
    [['--listings', '--skus', 's.csv'], '--listings needs a value'],
    [['--listings='], '--listings needs a value'],
    [[...THREE, '--skus', 's.csv'], '--skus is given twice'],
    [[...THREE, '--explain=yes'], '--explain takes no value'],
    [[...THREE, '--seller', ' '], '--seller is blank'],
    [[...THREE, '--now', 'yesterday'], '--now "yesterday" is not a timestamp'],
    [[...THREE, '--now', '2026-11-21T12:00:00'], '--now "2026-11-21T12:00:00" is not a timestamp'],
    [[...THREE, '--max-age', '24'], '--max-age "24" is not a duration: use 90m, 24h or 2d'],
    [[...THREE, '--max-step', '0'], '--max-step "0" is not a percentage above 0 and up to 100'],
    [[...THREE, '--max-step', '101'], '--max-step "101" is not a percentage'],
    [[...THREE, '--max-step', 'all'], '--max-step "all" is not a percentage'],
    [[...THREE, '--summary', '-'], '--summary needs a path'],
    [
      ['--listings', '-', '--skus', '-', '--rules', 'r.csv'],
      '--skus and --listings both read standard input: only one file can be -',
    ],
  ])('%j', async (args, message) => {
    const result = await run(...args);
    expect(result.errors).toContain(`pricewright: ${message}`);
    expect(result.errors).toContain('See pricewright reprice --help.');
    expect(result).toMatchObject({ code: 2, out: '' });
  });

  test('a file that is not there', async () => {
    const result = await run('--listings', 'l.csv', '--skus', 'gone.csv', '--rules', 'r.csv');
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.errors).toBe(
      'pricewright: gone.csv cannot be read: there is no such file. Check the path given to --skus.\n',
    );
  });

  test('a missing column is named before any row is read', async () => {
    const result = await reprice({ ...listings('x'), offers: 'marketplace,sku,price\nwalmart,A-1,x\n' });
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.errors).toBe(
      'pricewright: offers.csv, line 1: the required columns seller, shipping, fulfillmentType, isFeatured, seenAt are missing. The header has "marketplace", "sku", "price".\n',
    );
  });

  test.each([
    ['sku', 'two columns are called "SKU". Delete or rename one.', `${SKU_HEADER},SKU\n`],
    ['quotes', 'line 2: a quote is opened and never closed.', `${SKU_HEADER}\nA-1,"Mug,10,8,0,0,\n`],
    ['nothing', 'skus.csv, the file is empty. It needs a header line.', ''],
  ])('a broken file: %s', async (_, message, skus) => {
    const result = await reprice({ skus });
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.errors).toContain(message);
  });
});

describe('flags', () => {
  test('--flag=value is the same as --flag value', async () => {
    expect((await run('--listings=l.csv', '--skus=s.csv', '--rules=r.csv')).code).toBe(0);
  });

  test('--max-step widens the reach', async () => {
    const far = listings('A-1,Mug,20.00,FBM,,0.00');
    expect(await onlyRow(far)).toMatchObject({ newPrice: '17.00' });
    expect(await onlyRow(far, '--max-step', '28.55%')).toMatchObject({ newPrice: '14.29' });
  });

  test('- reads a file from standard input', async () => {
    const files = { ...FILES, '-': STORY.skus ?? '' };
    const piped = await runCommand(['reprice', '--listings', 'l.csv', '--skus', '-', '--rules', 'r.csv'], {
      files,
    });
    expect(piped.out).toBe((await run(...THREE)).out);
    expect(piped.code).toBe(0);
  });

  test('--explain adds every step as JSON', async () => {
    const row = await onlyRow({}, '--explain');
    const trace = JSON.parse(row.trace ?? '');
    expect(trace.facts).toMatchObject({ currentPrice: 1450, cost: { product: 1000, total: 1000 } });
    expect(trace.rule).toMatchObject({ name: 'Fixed', why: 'matched', minimumMargin: 1500 });
    expect(trace.steps.at(-1)).toMatchObject({ step: 'result', to: 1429 });
  });

  test('--summary writes the counts, and standard error reports them', async () => {
    const result = await reprice(
      listings('A-1,Mug,14.50,FBM,,0\nB-2,Cup,14.50,FBM,,0\nC-3,Pot,x,FBM,,0'),
      '--summary',
      'out.json',
    );
    expect(JSON.parse(result.written.get('out.json') ?? '')).toEqual({
      evaluated: 3,
      changed: 1,
      kept: 0,
      recommended: 0,
      blocked: 2,
      rejected: 1,
      seconds: 0,
      rowsPerSecond: 3,
      reasons: { fixed_margin: 1, unknown_cost: 1, unreadable_price: 1 },
    });
    expect(result.errors).toContain(
      'Evaluated 3: 1 changed, 0 kept, 0 recommended, 2 blocked; 1 row rejected. 0.00 s, 3 rows per second.\n',
    );
  });

  test.each([
    ['reprice', '--help'],
    ['reprice', '-h', '--nonsense'],
  ])('%s %s explains every flag', async (...args) => {
    const { code, out } = await runCommand(args);
    expect(code).toBe(0);
    for (const flag of [
      'listings',
      'skus',
      'rules',
      'offers',
      'tiers',
      'bundles',
      'fees',
      'sales',
      'seller',
      'now',
    ]) {
      expect(out).toContain(`--${flag} `);
    }
    for (const flag of ['max-age', 'max-step', 'explain', 'summary']) expect(out).toContain(`--${flag}`);
    expect(out).toContain('Example:');
  });
});

describe('the program itself', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (arg) => {
    const { code, out } = await runCommand([arg]);
    expect(code).toBe(0);
    expect(out).toContain('  reprice ');
    expect(out).toContain('Example:');
  });

  test('no command and an unknown one are unusable', async () => {
    expect(await runCommand([])).toMatchObject({ code: 2, out: '' });
    const wrong = await runCommand(['repice']);
    expect(wrong.code).toBe(2);
    expect(wrong.errors).toBe(
      'pricewright: unknown command "repice". Did you mean reprice? See pricewright --help.\n',
    );
  });
});

describe('files as they come', () => {
  test('semicolons, CRLF, a BOM, other cases and unknown columns', async () => {
    const result = await reprice({
      listings:
        '\ufeffSKU;Title;Current_Price;fulfillment type;Shipping Cost;Colour\r\nA-1;Mug;"$14.50";fbm;0.00;red\r\n',
      rules: `${(rules('Fixed,,All,Fixed Margin,15,,true').rules ?? '').replaceAll(',', '\t')}`,
    });
    expect(rowsOf(result)[0]).toMatchObject({ sku: 'A-1', newPrice: '14.29' });
    expect(result.errors).toContain('listings.csv: columns not used: "Colour"\n');
    expect(result.code).toBe(0);
  });

  test('what an export wrote against formulas is taken off, and the output is not altered', async () => {
    const result = await reprice({
      ...listings("'=A-1,Mug,14.50,FBM,,0.00"),
      skus: `${SKU_HEADER}\n=A-1,Mug,10.00,8,0.00,0.00,\n`,
    });
    expect(result.out.split('\n')[1]).toMatch(/^walmart,=A-1,change,/);
  });

  test('a cell of the output is quoted when it has to be', async () => {
    const result = await reprice({
      ...listings('"A ""1"", red",Mug,14.50,FBM,,0.00'),
      skus: `${SKU_HEADER}\n"A ""1"", red",Mug,10.00,8,0.00,0.00,\n`,
    });
    expect(result.out).toContain('\nwalmart,"A ""1"", red",change,14.50,');
  });

  test('progress shows on a terminal only', async () => {
    const world = { files: FILES };
    const shown = await runCommand(['reprice', ...THREE], { ...world, isTerminal: true });
    expect(shown.errors).toContain('\rListings priced: 1');
    expect((await runCommand(['reprice', ...THREE], world)).errors).not.toContain('\r');
  });

  test('a reader that goes away ends the run quietly', async () => {
    const gone = () =>
      Promise.reject(Object.assign(new Error('broken pipe'), { code: 'EPIPE', syscall: 'write' }));
    const result = await runCommand(['reprice', ...THREE], { files: FILES, writeOut: gone });
    expect(result).toMatchObject({ code: 0, errors: '' });
  });
});
