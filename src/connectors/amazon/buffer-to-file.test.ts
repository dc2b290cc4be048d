import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bufferToFile } from './buffer-to-file.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'pricewright-spooled-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

const left = (): string[] => readdirSync(scratch);

async function* pieces(count: number, failsAt = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at++) {
    if (at === failsAt) throw new Error('line broken');
    yield Buffer.alloc(50_000, at);
  }
}

test('gives the same bytes in the same order, and leaves no file', async () => {
  const all: Buffer[] = [];
  for await (const piece of bufferToFile(pieces(20), scratch)) all.push(piece);
  const whole = Buffer.concat(all);
  expect(whole).toHaveLength(1_000_000);
  expect([whole[0], whole[50_000], whole.at(-1)]).toEqual([0, 1, 19]);
  expect(left()).toEqual([]);
});

test('has read everything before the first chunk is consumed, and leaves no file when the consumer stops', async () => {
  let isOver = false;
  const source = (async function* () {
    yield* pieces(20);
    isOver = true;
  })();
  for await (const piece of bufferToFile(source, scratch)) {
    expect(piece.length).toBeGreaterThan(0);
    expect(isOver).toBe(true);
    expect(left()).toHaveLength(1);
    break;
  }
  expect(left()).toEqual([]);
});

test('fails as its source does, and leaves no file', async () => {
  const read = async () => {
    for await (const _ of bufferToFile(pieces(20, 5), scratch)) expect.unreachable();
  };
  await expect(read()).rejects.toThrow('line broken');
  expect(left()).toEqual([]);
});
