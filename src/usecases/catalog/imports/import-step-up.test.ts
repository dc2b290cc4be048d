import { expect, test } from 'vitest';
import { readShown } from './import-step-up.ts';

test.each([
  [
    { isHeld: true, isStepUpFresh: true },
    { isHeld: true, isStepUpFresh: true },
  ],
  // Started by 1.3.0, and continued after the upgrade.
  [
    { isHeld: true, isProved: true },
    { isHeld: true, isStepUpFresh: true },
  ],
  [{}, { isHeld: false, isStepUpFresh: false }],
])('an import knows from its job what the user was shown: %o', (work, shown) => {
  expect(readShown({ work })).toEqual(shown);
});
