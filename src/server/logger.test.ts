import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { createLogger } from './logger.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLogger('info', { write: (line) => lines.push(line) }));
  return JSON.parse(lines.join(''));
}

test('a failed query is logged without its values and without its row', async () => {
  const database = await createTestDatabase();
  const { db, close } = openDatabase(database.url);
  const insert = sql`insert into users (username, password, full_name, email, phone_number, role)
    values ('ann', ${'CANARY'}, 'Ann', 'ann@example.com', ${'CANARY'}, 'emperor')`;
  const error = await db.execute(insert).then(
    () => null,
    (reason: unknown) => reason,
  );
  const line = logged((log) => log.error({ err: error }, 'failed'));
  expect(line).toMatchObject({
    msg: 'failed',
    err: { message: 'failed query', cause: { code: '23514', constraint: 'role_known', table: 'users' } },
  });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).toContain('CANARY');
  expect(JSON.stringify(line)).not.toContain('CANARY');
  await close();
  await database.drop();
});

test('an error keeps its message, its cause and where it was thrown', () => {
  const cause = new RangeError('not whole cents: 0.5');
  const line = logged((log) => log.error({ err: new Error('could not decide', { cause }) }));
  expect(line.err).toMatchObject({
    type: 'Error',
    message: 'could not decide',
    stack: expect.stringMatching(/^ +at .*logger\.test\.ts/),
    cause: { type: 'RangeError', message: 'not whole cents: 0.5' },
  });
});

test.each([
  ...['password', 'newPassword', 'token', 'setupToken', 'twoFactorToken', 'cookie', 'authorization'],
  ...['secret', 'otpauthUrl', 'qrSvg', 'recoveryCodes'],
])('a field called %s is removed', (name) => {
  const line = logged((log) => log.info({ [name]: 'CANARY', body: { [name]: 'CANARY' } }));
  expect(line).toMatchObject({ [name]: '[removed]', body: { [name]: '[removed]' } });
});
