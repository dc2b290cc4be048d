import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCommand } from '#tests/support/memory-io.ts';

test('the example in docs/files.md writes what examples/price-changes.csv holds', async () => {
  const docs = await readFile('docs/files.md', 'utf8');
  const command = /^bin\/pricewright\.mjs (reprice .+)$/m.exec(docs)?.[1] ?? '';
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const paths = args.filter((arg) => arg.startsWith('examples/'));
  const files = Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(path)])),
  );
  const { code, out } = await runCommand(args, { files });
  expect(paths).toHaveLength(7);
  expect(out).toBe(await readFile('examples/price-changes.csv', 'utf8'));
  expect(code).toBe(0);
});
