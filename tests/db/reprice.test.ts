import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { NOON } from '#tests/support/memory-io.ts';
import { STORY } from '#tests/support/reprice-scenario.ts';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

let folder = '';
const at = (name: string): string => path.join(folder, name);
const story = () => ['--listings', at('listings.csv'), '--skus', at('skus.csv'), '--rules', at('rules.csv')];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reprice-test-'));
  for (const [name, text] of Object.entries(STORY)) await writeFile(at(`${name}.csv`), text);
});
afterAll(() => rm(folder, { recursive: true }));

interface Ways {
  /** The content of standard input. */
  readonly input?: string;
  /** Closes standard output after the first chunk. */
  readonly leaves?: boolean;
  /** Receives standard output instead of us. */
  readonly target?: number;
}

/** Runs the real program. */
function start(args: readonly string[], { input = '', leaves = false, target }: Ways = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(inject('testPrograms'), 'reprice.js'), ...args], {
      env: { PATH: process.env.PATH },
      stdio: ['pipe', target ?? 'pipe', 'pipe'],
    });
    let out = '';
    let errors = '';
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      if (leaves) child.stdout?.destroy();
    });
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, errors }));
    child.stdin?.end(input);
  });
}

describe('the program', () => {
  test('prices files, writes the summary and exits with 0', async () => {
    const ended = await start(['reprice', ...story(), '--now', NOON, '--summary', at('summary.json')]);
    expect(ended.out).toContain('walmart,A-1,change,14.50,14.29,');
    expect(ended.errors).toMatch(/^Evaluated 1: 1 changed, [^\r]*\n$/);
    expect(ended.code).toBe(0);
    expect(JSON.parse(await readFile(at('summary.json'), 'utf8'))).toMatchObject({
      evaluated: 1,
      changed: 1,
    });
  });

  test('reads a pipe', async () => {
    const args = ['reprice', '--listings', '-', '--skus', at('skus.csv'), '--rules', at('rules.csv')];
    const ended = await start(args, { input: STORY.listings ?? '' });
    expect(ended.out).toContain('walmart,A-1,change,14.50,14.29,');
    expect(ended.code).toBe(0);
  });

  test('exits with 1 when a row was rejected', async () => {
    const args = ['reprice', '--listings', '-', '--skus', at('skus.csv'), '--rules', at('rules.csv')];
    const ended = await start(args, { input: `${STORY.listings}A-1,again,1.00,FBM,,0\n` });
    expect(ended.errors).toContain(
      'standard input (--listings), line 3, sku "A-1": is already a walmart listing on line 2',
    );
    expect(ended.code).toBe(1);
  });

  test.each([
    ['a missing file', 'missing.csv', 'there is no such file'],
    ['a folder', '.', 'it is a folder'],
  ])('exits with 2 on %s', async (_, name, why) => {
    const ended = await start([
      'reprice',
      '--listings',
      at(name),
      '--skus',
      at('skus.csv'),
      '--rules',
      at('rules.csv'),
    ]);
    expect(ended.errors).toContain(why);
    expect(ended).toMatchObject({ code: 2, out: '' });
  });

  test('exits with 2 when the summary cannot be written', async () => {
    const ended = await start(['reprice', ...story(), '--summary', at('no/such/folder.json')]);
    expect(ended.errors).toContain('cannot be written');
    expect(ended.code).toBe(2);
  });

  test('ends quietly when its reader goes away', async () => {
    const rows = Array.from({ length: 60_000 }, (_, number) => `B-${number},Mug,14.50,FBM,,0.00`).join('\n');
    const header = 'sku,title,currentPrice,fulfillmentType,walmartItemId,shippingCost';
    await writeFile(at('many.csv'), `${header}\n${rows}\n`);
    const args = [
      'reprice',
      '--listings',
      at('many.csv'),
      '--skus',
      at('skus.csv'),
      '--rules',
      at('rules.csv'),
    ];
    const ended = await start(args, { leaves: true });
    expect(ended.errors).toBe('');
    expect(ended.code).toBe(0);
  });

  test.runIf(existsSync('/dev/full'))('exits with 2 when there is no room for its output', async () => {
    const full = openSync('/dev/full', 'w');
    const ended = await start(['reprice', ...story()], { target: full });
    closeSync(full);
    expect(ended.errors).toContain('pricewright: standard output cannot be written: ENOSPC');
    expect(ended.code).toBe(2);
  });

  test('the same files and --now give the same bytes', async () => {
    const args = ['reprice', ...story(), '--now', NOON, '--explain'];
    const [first, second] = await Promise.all([start(args), start(args)]);
    expect(first.out).not.toBe('');
    expect(first.out).toBe(second.out);
  });
});
