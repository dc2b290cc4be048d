import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { AUDIT_ACTION_NAMES } from '#domain/audit-actions.ts';

const root = resolve(import.meta.dirname, '../..');

/** The layers that write to the audit log. The compiler ensures that they use registered actions only. */
const writers = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^src\/(usecases|server|jobs|cli|program)\/.*\.ts$/.test(file))
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'));

/** "failed" for `${about}.failed`: the first part of such actions is a variable. */
const endings = new Set(
  writers.flatMap((text) => [...text.matchAll(/`\$\{\w+\}\.(\w+)`/g)].map((match) => match[1])),
);

test('every action of the registry is written somewhere', () => {
  const unwritten = AUDIT_ACTION_NAMES.filter(
    (action) =>
      !writers.some((text) => text.includes(`'${action}'`)) && !endings.has(action.split('.').at(-1)),
  );
  expect(unwritten).toEqual([]);
});

test('the column of the log accepts only actions of the registry', () => {
  const schema = readFileSync(join(root, 'src/db/schema/audit.ts'), 'utf8');
  expect(schema).toContain("text('action').$type<AuditAction>()");
  const loopholes = writers.filter((text) => /as AuditAction\b|INSERT INTO audit_log/i.test(text));
  expect(loopholes).toEqual([]);
});
