import { describe, expect, test } from 'vitest';
import {
  AUDIT_ACTION_NAMES,
  AUDIT_ACTIONS,
  AUDIT_GROUPS,
  auditActionsIn,
  auditSentence,
  auditWording,
} from './audit-actions.ts';

const ROW = {
  action: 'user.approved',
  actor: 'boss@example.com',
  targetKind: 'user',
  targetId: 'u-1',
  targetName: 'ann@example.com',
};

describe('the sentence of a row', () => {
  test.each([
    ['an account', {}, 'boss@example.com approved ann@example.com.'],
    ['a deleted account', { targetName: null }, 'boss@example.com approved u-1.'],
    [
      'a listing',
      { action: 'price.typed', targetKind: 'listing', targetId: '7', targetName: 'MUG-1' },
      'boss@example.com set a price for listing MUG-1.',
    ],
    [
      'marketplaces, by their names',
      { action: 'engine.armed', targetKind: 'marketplaces', targetId: 'walmart ebay', targetName: null },
      'boss@example.com went live on Walmart and eBay.',
    ],
    [
      'a review of one rule',
      { action: 'run.reviewed', targetKind: 'rule', targetId: '7', targetName: 'Summer' },
      'boss@example.com reviewed the changes of rule Summer in the next run.',
    ],
    [
      'a review of everything',
      { action: 'run.reviewed', targetKind: 'marketplaces', targetId: null, targetName: null },
      'boss@example.com reviewed the changes of all live marketplaces in the next run.',
    ],
    [
      'an unknown user',
      { action: 'login.failed', actor: null, targetId: null, targetName: null },
      'Someone (not logged in) tried to log in with a wrong name or password.',
    ],
    [
      'many of a kind',
      { action: 'bundles.saved', targetKind: 'bundle', targetId: null, targetName: null },
      'boss@example.com saved the components of bundle.',
    ],
    [
      'a name that looks like a replacement pattern',
      { targetName: "$& $1 $'" },
      "boss@example.com approved $& $1 $'.",
    ],
    [
      'an action of another release',
      { action: 'constructor' },
      'boss@example.com performed "constructor" on ann@example.com.',
    ],
  ])('tells of %s', (_, over, sentence) => {
    expect(auditSentence({ ...ROW, ...over })).toBe(sentence);
  });
});

test('every action belongs to one group, and every group has actions', () => {
  const grouped = AUDIT_GROUPS.flatMap(auditActionsIn);
  expect(grouped.toSorted()).toEqual(AUDIT_ACTION_NAMES.toSorted());
  for (const group of AUDIT_GROUPS) expect(auditActionsIn(group)).not.toEqual([]);
});

test('the texts start in lower case, end without a period and contain no code', () => {
  for (const action of AUDIT_ACTION_NAMES) {
    expect(AUDIT_ACTIONS[action].text, action).toMatch(/^[a-z][^_]*[^.!]$/);
    expect(action).toMatch(/^[a-z_]+(\.[a-z_]+)?$/);
  }
  expect(auditWording('__proto__')).toBeNull();
});
