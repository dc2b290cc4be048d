import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOW } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import {
  type DatabaseHeartbeat,
  detectRollback,
  nextNumber,
  type RollbackEvidence,
} from './data-rollback.ts';
import { hours, instant } from './units.ts';

const MARK: DatabaseHeartbeat = {
  name: 'shop',
  number: 500,
  beatAt: instant(NOW - 60_000),
  file: '7:1',
  isAsWritten: true,
};
const FILE = { name: 'shop', number: 500, identity: '7:1' };
const own: RollbackEvidence = { file: FILE, seen: null, isInFolder: true };
const theirs: RollbackEvidence = { ...own, isInFolder: false };
const ago = (time: number) => ({ ...MARK, beatAt: instant(NOW - time) });

test.each<[string, DatabaseHeartbeat, RollbackEvidence]>([
  ['a stop and a start, or a kill', MARK, own],
  ['a process that goes on', MARK, { ...own, seen: FILE }],
  ['a night', ago(hours(14)), own],
  ['a day to the millisecond', ago(hours(24)), own],
  ['a clock that was set back by a year', ago(-hours(24 * 365)), own],
  ['another process that moved the mark on', MARK, { ...own, seen: { name: 'shop', number: 400 } }],
  ['a container without a volume', MARK, { ...theirs, file: null }],
  ['a folder that was copied to a second host', MARK, { ...theirs, file: { ...FILE, identity: '9:4' } }],
  ['a host that was the engine before', MARK, { ...theirs, file: { ...FILE, number: 20, identity: '9:4' } }],
  [
    'a folder that served another database',
    MARK,
    { ...theirs, file: { name: 'trial', number: 9_000, identity: '9:4' } },
  ],
])('%s is no rollback', (_, mark, evidence) => {
  expect(detectRollback(mark, evidence, NOW)).toBeNull();
  expect(nextNumber(mark, evidence, null)).toBe(501);
});

test.each<[string, DatabaseHeartbeat, RollbackEvidence]>([
  ['a dump, whatever else is right', { ...MARK, isAsWritten: false }, own],
  ['a dump on a new machine', { ...MARK, isAsWritten: false }, { ...theirs, file: null }],
  ['a database behind the file of its folder', MARK, { ...theirs, file: { ...FILE, number: 501 } }],
  [
    'a database behind what this process saw',
    MARK,
    { ...theirs, file: null, seen: { name: 'shop', number: 501 } },
  ],
  ['a data folder that was copied back', MARK, { ...own, file: { ...FILE, identity: '9:4' } }],
  [
    'a database in the folder of another',
    MARK,
    { ...own, file: { ...FILE, name: 'trial', identity: '9:4' } },
  ],
  ['a database whose folder lost the file', MARK, { ...own, file: null }],
  ['a database that came into a folder', { ...MARK, file: null }, { ...own, file: null }],
  ['a backup from before a long rest', { ...ago(hours(48)), isAsWritten: false }, own],
])('%s is a restore', (_, mark, evidence) => {
  expect(detectRollback(mark, evidence, NOW)).toBe('restored_backup');
});

test('more than 24 hours without the engine is a downtime, wherever the database is', () => {
  for (const evidence of [own, theirs, { ...theirs, file: null }])
    expect(detectRollback(ago(hours(24) + 1), evidence, NOW)).toBe('downtime');
});

/** Hosts that run the engine in turn, with database backups restored in between. */
const turns = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ act: fc.constant('beat' as const), host: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('back up' as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('restore' as const) }) },
  ),
  { maxLength: 60 },
);

law('hosts with their own folders detect each restored backup once, and nothing else', turns, (story) => {
  let mark: DatabaseHeartbeat = { ...MARK, number: 1, file: null };
  let backup = mark;
  let restores = 0;
  let alarms = 0;
  const files = new Map<number, { readonly number: number; readonly restores: number }>();
  for (const turn of story) {
    if (turn.act === 'back up') backup = mark;
    else if (turn.act === 'restore') {
      if (backup.number < mark.number) restores++;
      mark = backup;
    } else {
      const left = files.get(turn.host);
      const file = left === undefined ? null : { name: 'shop', number: left.number, identity: 'any' };
      const evidence = { file, seen: null, isInFolder: false };
      const rollback = detectRollback(mark, evidence, NOW);
      if (left !== undefined && left.number > mark.number) expect(rollback).toBe('restored_backup');
      if (rollback !== null) {
        alarms++;
        expect(left?.restores).toBeLessThan(restores);
      }
      mark = { ...mark, number: nextNumber(mark, evidence, rollback) };
      files.set(turn.host, { number: mark.number, restores });
    }
  }
  if (restores <= 1) expect(alarms).toBeLessThanOrEqual(restores);
});
