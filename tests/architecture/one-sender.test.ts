import { expect, test } from 'vitest';
import { readSourcesWith } from './source-tree.ts';

/** The only place that may change a price on a marketplace. It calls the connectors. */
const SENDER = 'src/usecases/marketplaces/sending/send-next.ts';

test('prices are sent from one place only', () => {
  const naming = readSourcesWith('sendPrices', 'src', 'tools')
    .filter(({ file }) => !file.startsWith('src/connectors/') && !file.endsWith('.test.ts'))
    .filter(({ nodes }) =>
      nodes.some(({ type, name, value }) => isNaming(type, name) || value === 'sendPrices'),
    )
    .map(({ file }) => file);
  expect(naming).toEqual([SENDER]);
});

function isNaming(type: string, name: unknown): boolean {
  return type.endsWith('Identifier') && name === 'sendPrices';
}
