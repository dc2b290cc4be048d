import { expect, test } from 'vitest';
import { law } from '#tests/builders/properties.ts';
import { stories } from '#tests/builders/scenarios.ts';
import { explain } from './explain.ts';
import { readStoredCase, storeCase } from './stored-case.ts';

law('a case that was stored as JSON is explained word for word as before', stories, (story) => {
  const stored: unknown = JSON.parse(JSON.stringify(storeCase(story)));
  const read = readStoredCase(stored);
  expect(read).not.toBeNull();
  if (read === null) return;
  expect(explain(read.facts, read.choice, read.policy)).toEqual(
    explain(story.facts, story.choice, story.policy),
  );
});

test('what is no stored case, or one of a later form, is not guessed at', () => {
  for (const value of [null, undefined, 42, 'form', {}, { form: 2 }, []]) {
    expect(readStoredCase(value)).toBeNull();
  }
});
