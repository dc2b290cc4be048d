import { expect, test } from 'vitest';
import { schemaChecks } from './schema-checks.ts';

const PRICE = { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } };
const SHOP = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    price: { $ref: '#/components/schemas/Price' },
    state: { type: 'string', enum: ['open', 'closed'], nullable: true },
    closedAt: { type: 'string', format: 'date-time', nullable: true },
    attributes: { type: 'object' },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    stock: { type: 'number', minimum: 0, exclusiveMinimum: true },
  },
};
/** Composed of two schemas, one of which is also used alone. */
const OFFER = {
  allOf: [
    { $ref: '#/components/schemas/Price' },
    { type: 'object', properties: { seller: { type: 'string' } } },
  ],
};
const CHOICE = {
  type: 'object',
  properties: {
    of: { oneOf: [{ $ref: '#/components/schemas/Price' }, { $ref: '#/components/schemas/Shop' }] },
  },
};
const DOCUMENT = { components: { schemas: { Price: PRICE, Shop: SHOP, Offer: OFFER, Choice: CHOICE } } };

function problemsOf(name: string, value: unknown): string[] {
  // Through a response, as in the documents: named schemas are closed where they are used.
  const used = { ...DOCUMENT, answer: { $ref: `#/components/schemas/${name}` } };
  return schemaChecks(new Map([['shops', used]]))
    .json('shops#/answer', value)
    .map(({ where, problem }) => `${where} ${problem}`.trim());
}

test.each([
  ['Price', { amount: 1 }],
  ['Shop', { name: 'A', price: { amount: 1 }, closedAt: null, stock: 0.5 }],
  ['Shop', { attributes: { any: 1 }, tags: { colour: 'red' } }],
  ['Offer', { amount: 1, seller: 'B' }],
  ['Choice', { of: { amount: 1 } }],
  ['Choice', { of: { name: 'A' } }],
])('%s may be %j', (name, value) => {
  expect(problemsOf(name, value)).toEqual([]);
});

test.each([
  ['Price', { amount: 1, amuont: 1 }, 'must NOT have unevaluated properties amuont'],
  ['Price', { amount: '1' }, '/amount must be number'],
  ['Shop', { price: { amount: 1, currency: 'USD' } }, '/price must NOT have unevaluated properties currency'],
  ['Shop', { tags: { colour: 1 } }, '/tags/colour must be string'],
  ['Shop', { state: null }, '/state must be equal to one of the allowed values'],
  ['Shop', { closedAt: 'today' }, '/closedAt must match format "date-time"'],
  ['Shop', { stock: 0 }, '/stock must be > 0'],
  ['Offer', { amount: 1, saler: 'B' }, 'must NOT have unevaluated properties saler'],
  ['Choice', { of: { amount: 1, name: 'A' } }, '/of must match exactly one schema in oneOf'],
])('%s may not be %j: %s', (name, value, problem) => {
  expect(problemsOf(name, value)).toContain(problem);
});

test('text in queries, headers and forms is checked as the number it contains', () => {
  const checks = schemaChecks(new Map([['shops', DOCUMENT]]));
  const place = 'shops#/components/schemas/Price/properties/amount';
  expect(checks.text(place, '12.5')).toEqual([]);
  expect(checks.text(place, 'much')).toEqual([{ where: '', problem: 'must be number' }]);
  expect(checks.json(place, '12.5')).toEqual([{ where: '', problem: 'must be number' }]);
});
