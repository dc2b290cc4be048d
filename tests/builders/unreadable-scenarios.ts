import fc from 'fast-check';
import { type Story, stories } from './scenarios.ts';

/** Values in place of an expected whole number. */
const UNREADABLE = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -1,
  -0,
  0,
  0.5,
  1999.5,
  1e10,
  1e300,
  Number.MAX_SAFE_INTEGER,
  null,
  undefined,
];

/** Questions in which up to four numbers, anywhere in facts, rule or policy, were replaced by something unreadable. */
export const unreadableStories: fc.Arbitrary<Story> = fc
  .record({
    story: stories,
    spoils: fc.array(fc.record({ where: fc.nat(), by: fc.constantFrom(...UNREADABLE) }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ story, spoils }) => {
    const { fees, ...facts } = story.facts;
    const spoiled = structuredClone({ facts, choice: story.choice, policy: story.policy });
    const places = numbersIn(spoiled);
    for (const { where, by } of spoils) {
      const place = places[where % places.length];
      if (place !== undefined) place.owner[place.key] = by;
    }
    // The compiled fees stay whole: a schedule is checked before it is compiled.
    return { ...story, ...spoiled, facts: { ...spoiled.facts, fees } };
  });

interface Place {
  readonly owner: Record<string, unknown>;
  readonly key: string;
}

/** Every place that holds a number, and every fact that may hold one but is null. */
function numbersIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof Set) return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((key) => {
    const held = owner[key];
    if (typeof held === 'number' || (held === null && !NOT_NUMBERS.has(key))) return [{ owner, key }];
    return numbersIn(held);
  });
}

const NOT_NUMBERS = new Set([
  'hold',
  'priceWarStreak',
  'rule',
  'filter',
  'sellerName',
  'seller',
  'fulfillmentType',
  'against',
  'lines',
  'signals',
  'local',
  'otherOfferAges',
  'group',
]);
