import { expect, test } from 'vitest';
import { readSourcesWith } from './source-tree.ts';

/** The only place that may change a price on a marketplace. It calls the connectors. */
const SENDER = 'src/usecases/marketplaces/sending/send-next.ts';

/** The only place that may raise the price from which a marketplace accepts offers of buyers. */
const RAISER = 'src/usecases/marketplaces/sending/raise-best-offers.ts';

test.each([
  ['prices are sent', 'sendPrices', SENDER],
  ['limits of Best Offers are raised', 'bestOffers', RAISER],
])('%s from one place only', (_, member, place) => {
  const naming = readSourcesWith(member, 'src', 'tools')
    .filter(({ file }) => !file.startsWith('src/connectors/') && !file.endsWith('.test.ts'))
    .filter(({ nodes }) =>
      nodes.some(
        ({ type, name, value }) => (type.endsWith('Identifier') && name === member) || value === member,
      ),
    )
    .map(({ file }) => file);
  expect(naming).toEqual([place]);
});
