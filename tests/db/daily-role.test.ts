import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { databaseErrorCode } from '#db/error-code.ts';
import { migrate } from '#db/migrate.ts';
import { openQueue } from '#db/queue.ts';
import { buildApp } from '#server/app.ts';
import { AUDITED_CALLS, make, openScene, type Scene } from '#tests/support/audited-calls.ts';
import { execute } from '#tests/support/test-cluster.ts';
import { JOB } from '#usecases/jobs/job-handler.ts';
import { MAIL } from '#usecases/mail/mail-order.ts';

const ROLE = `pricewright_app_${randomBytes(6).toString('hex')}`;
const PASSWORD = 'only for this test';
const QUEUES = [JOB, MAIL];

let scene: Scene;
let daily: Database;
let dailyUrl: string;

/** The statements of docs/running.md, for a role of this test alone: what people are told is what is tested. */
function documentedRights(): string {
  const page = readFileSync('docs/running.md', 'utf8');
  const [, sql] = /## A role for every day\n[\s\S]*?```sql\n([\s\S]*?)```/.exec(page) ?? [];
  if (sql === undefined) throw new Error('docs/running.md has no statements for a role.');
  return sql.replaceAll('pricewright_app', ROLE).replace("'choose one'", `'${PASSWORD}'`);
}

/** Making roles is the superuser's; on a server of somebody else the tests connect as one. */
async function asSuperuser(statement: string): Promise<void> {
  const url = new URL(scene.app.url);
  if (inject('testServer').cluster !== null) url.username = 'postgres';
  await execute(url.href, statement);
}

beforeAll(async () => {
  scene = await openScene();
  const noteFault = (error: Error): void => expect.fail(String(error));
  await (await openQueue(scene.app.url, QUEUES, noteFault)).close();
  await asSuperuser(documentedRights());
  const url = new URL(scene.app.url);
  url.username = ROLE;
  url.password = PASSWORD;
  dailyUrl = url.href;
  daily = openDatabase(dailyUrl);
});
afterAll(async () => {
  await daily.close();
  await asSuperuser(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
  await scene.app.close();
});

test('the role of every day starts the program and makes every call that changes something', async () => {
  await migrate(dailyUrl);
  await (await openQueue(dailyUrl, QUEUES, (error) => expect.fail(String(error)))).close();
  const app = await buildApp({ ...scene.app.deps, db: daily.db });
  const post: Scene['app']['post'] = (url, payload, { headers, ...rest } = {}) =>
    app.inject({
      method: 'POST',
      url,
      ...(payload ? { payload } : {}),
      ...rest,
      headers: { host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', ...headers },
    });
  const through: Scene = { ...scene, app: { ...scene.app, post } };
  for (const call of AUDITED_CALLS) {
    const request = { url: call.route.split(' ')[1] ?? '', ...(await call.ready?.(scene)) };
    const answer = await make(through, call, request);
    expect(answer.statusCode, `${call.route} ${answer.body}`).toBeLessThan(300);
    await call.keep?.(scene, answer);
  }
  await app.close();
});

test.each([
  `UPDATE audit_log SET actor = 'nobody'`,
  'DELETE FROM audit_log',
  'TRUNCATE audit_log',
  'DROP TRIGGER audit_log_append_only ON audit_log',
  'ALTER TABLE audit_log DISABLE TRIGGER USER',
  'ALTER TABLE audit_log DROP COLUMN before',
  'DROP TABLE audit_log',
  `SET session_replication_role = 'replica'`,
  'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
  `UPDATE price_history SET reason = 'none'`,
  'DELETE FROM price_history',
])('and may not: %s', async (statement) => {
  const refusal = await daily.db.execute(statement).catch(databaseErrorCode);
  expect(refusal).toBe('42501');
});

test('the owner of the tables meets the triggers', async () => {
  for (const statement of [
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
    `UPDATE audit_log SET actor = 'x'`,
  ]) {
    expect(await scene.app.db.execute(statement).catch(databaseErrorCode)).toBe('23000');
  }
});
